"""The metrics of the service, in Prometheus's text format; can be updated and read from any thread."""

from __future__ import annotations

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics

# From a warm look-up (10 ms) to an event that waited until Paperless was available again.
BOUNDS_S: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 3600.0)


class Metrics:
    """A name is a contract: dashboards are built on it."""

    def __init__(self) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]
        self.registry = CollectorRegistry()
        self.events = self._counter("dedupe_events_total", "Events accepted, by source.", "source", "http")
        self.refused = self._counter("dedupe_refused_total", "Requests refused, by HTTP status.", "status")
        self.examined = self._counter(
            "dedupe_examined_total", "Documents examined, by source: event or sweep.", "source", "event"
        )
        self.flagged = self._counter(
            "dedupe_flagged_total", "Findings that were new, by relation.", "relation"
        )
        self.failures = self._counter(
            "dedupe_failures_total",
            "Examinations that failed, by kind: document or general.",
            "kind",
            "document",
            "general",
        )
        self.sweeps = self._counter(
            "dedupe_sweeps_total", "Periodic syncs, by result: done, failed or busy.", "result"
        )
        self.queue_depth = self._gauge(
            "dedupe_queue_depth", "Documents that wait to be examined, without those given up."
        )
        self.dead_letters = self._gauge(
            "dedupe_dead_letters", "Documents that were given up; see `paperless-dedupe queue`."
        )
        self.worker_stalled = self._gauge(
            "dedupe_worker_stalled",
            "1 while no document can be examined: Paperless or the index is unavailable.",
        )
        self.examination_s = self._histogram(
            "dedupe_examination_seconds", "Time from the beginning of an examination to its end."
        )
        self.latency_s = self._histogram(
            "dedupe_latency_seconds", "Time from the acceptance of an event to the end of its work."
        )

    def _counter(self, name: str, meaning: str, label: str, *values: str) -> Counter:
        """These values are shown as 0 from the start, so that a rate includes the first event."""
        counter = Counter(name, meaning, [label], registry=self.registry)
        for value in values:
            counter.labels(value)
        return counter

    def _gauge(self, name: str, meaning: str) -> Gauge:
        return Gauge(name, meaning, registry=self.registry)

    def _histogram(self, name: str, meaning: str) -> Histogram:
        return Histogram(name, meaning, buckets=BOUNDS_S, registry=self.registry)
