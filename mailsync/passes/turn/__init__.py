"""Whose turn it is to read the stored mail of an account."""
