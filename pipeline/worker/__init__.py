"""Runs the work that the queue holds (docs/queue.md)."""
