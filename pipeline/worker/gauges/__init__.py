"""How much work stands in the queue, for Prometheus."""
