"""Whose turn it is to sync a mailbox."""
