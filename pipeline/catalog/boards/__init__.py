"""Boards as operators see them: how each was read last, what is doubted, what its reads found."""
