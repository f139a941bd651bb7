"""Counts and durations of requests, for Prometheus. Labels are closed sets: no path, no person, no text."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """One registry per app, so that two apps in one process do not share numbers."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "jobtrail_http_requests_total",
            "Requests answered.",
            ("method", "route", "status"),
            registry=self.registry,
        )
        self.seconds = Histogram(
            "jobtrail_http_request_seconds",
            "Time to the end of the answer.",
            ("route",),
            buckets=_SECONDS,
            registry=self.registry,
        )
        self.listeners = Gauge(
            "jobtrail_live_listeners", "Open pages that listen for changes.", registry=self.registry
        )

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        self.requests.labels(method, route, str(status)).inc()
        self.seconds.labels(route).observe(seconds)

    def page(self) -> bytes:
        return generate_latest(self.registry)
