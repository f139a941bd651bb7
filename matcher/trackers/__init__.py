"""A table of applications from elsewhere brought in, and the same table written out again."""
