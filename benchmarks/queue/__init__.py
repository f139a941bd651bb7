"""The queue beside other PostgreSQL queues, in one run on one server; `python -m benchmarks.queue`."""
