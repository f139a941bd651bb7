"""Postings told by web pages: schema.org in any page, and boards that answer with pages only."""
