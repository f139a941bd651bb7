"""The queue as an operator looks at it: one task, its lineage, its events, and lists of tasks."""
