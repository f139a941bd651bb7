"""The workers of the installation, and what none of them can run."""
