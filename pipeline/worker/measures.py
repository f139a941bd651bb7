"""What one worker counts about its own work, for Prometheus: claims, runs, retries, losses.

Label sets are closed and filled with zeros at the start: kinds this worker registers, endings, registered
failure codes. What does not belong to one of them is not counted under a label from outside. Nothing here
reads the queue (`gauges/` does), waits, or can fail.
"""

from collections.abc import Iterable
from typing import Literal, get_args

from prometheus_client import CollectorRegistry, Counter, Histogram

from schema.failures import FAILURES

How = Literal["done", "failed", "retried", "deferred", "parked", "split", "released"]
"""How a run ended: `released` at a stop, with its try given back."""

_CLAIM_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)
_RUN_SECONDS = (0.005, 0.025, 0.1, 0.5, 1.0, 5.0, 15.0, 60.0, 300.0, 1800.0, 7200.0)


class Measures:
    """The counters of one worker that runs `kinds`. Without arguments it counts for nobody, at no risk."""

    def __init__(self, kinds: Iterable[str] = (), registry: CollectorRegistry | None = None) -> None:
        self.kinds = tuple(sorted(kinds))
        self.registry = CollectorRegistry() if registry is None else registry
        self._claim_seconds = self._histogram("claim_seconds", "Time one claim took.", (), _CLAIM_SECONDS)
        self._claimed = self._counter("claimed", "Tasks claimed.")
        self._reaped = self._counter("reaped", "Tasks of silent workers taken back.")
        self._lost = self._counter("lost", "Tasks whose lease was lost while they ran here.")
        self._open_by_kind()

    def _open_by_kind(self) -> None:
        """Children are looked up once: what stands at zero is told, and a count costs no search."""
        seconds = self._histogram(
            "run_seconds", "Time one run took, however it ended.", ("kind",), _RUN_SECONDS
        )
        ended = self._counter("ended", "Runs by how they ended.", "kind", "how")
        failed = self._counter("failed_attempts", "Tries that did not end well, by code.", "kind", "code")
        self._run_seconds = {kind: seconds.labels(kind) for kind in self.kinds}
        self._ended = {(kind, how): ended.labels(kind, how) for kind in self.kinds for how in get_args(How)}
        self._failed = {(kind, code): failed.labels(kind, code) for kind in self.kinds for code in FAILURES}

    def claimed(self, n: int, seconds: float) -> None:
        """One claim that took `seconds` brought `n` tasks, perhaps none."""
        self._claim_seconds.observe(seconds)
        self._claimed.inc(n)

    def ended(self, kind: str, how: How, code: str | None, seconds: float) -> None:
        """One run ended. `code` says why when it failed or is tried again, and is None otherwise."""
        if kind not in self._run_seconds:
            return
        self._run_seconds[kind].observe(seconds)
        self._ended[kind, how].inc()
        if code is not None and (failed := self._failed.get((kind, code))) is not None:
            failed.inc()

    def reaped(self, n: int) -> None:
        self._reaped.inc(n)

    def lost(self) -> None:
        self._lost.inc()

    def _counter(self, name: str, says: str, *labels: str) -> Counter:
        return Counter(f"jobtrail_worker_{name}_total", says, labels, registry=self.registry)

    def _histogram(
        self, name: str, says: str, labels: tuple[str, ...], buckets: tuple[float, ...]
    ) -> Histogram:
        return Histogram(f"jobtrail_worker_{name}", says, labels, buckets=buckets, registry=self.registry)
