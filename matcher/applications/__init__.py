"""The person's applications: recorded once, read in lists, never overwritten by a computation."""
