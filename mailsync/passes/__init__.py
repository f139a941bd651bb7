"""Passes over stored mail: what an earlier release left open is read again, by one pass at a time."""
