"""Postings: the one row a posting has whatever boards show it, and what happened to it."""
