"""Boards of hiring platforms: how each is read, what a read proves, and what it changes in the catalog."""
