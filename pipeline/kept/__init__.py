"""Postings that one person keeps and nobody else sees: typed in, or from a page that no board here shows."""
