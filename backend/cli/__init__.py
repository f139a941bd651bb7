"""The command line: one file per group of commands, each loading what it needs only when it runs."""
