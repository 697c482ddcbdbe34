"""The metrics of the service, in Prometheus's text format; can be updated and read from any thread."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
)

CONTENT_TYPE: Final = CONTENT_TYPE_LATEST
# From a warm look-up (10 ms) to an event that waited until Paperless was available again.
BOUNDS_S: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 3600.0)
# A name is a contract: dashboards are built on it. The values named here are shown as 0 from the start, so that a rate
# includes the first event.
_COUNTERS: Final = {
    "dedupe_events_total": ("Events accepted, by source.", "source", ("http",)),
    "dedupe_refused_total": ("Requests refused, by HTTP status.", "status", ()),
    "dedupe_examined_total": ("Documents examined, by source: event or sweep.", "source", ("event",)),
    "dedupe_flagged_total": ("Findings that were new, by relation.", "relation", ()),
    "dedupe_failures_total": (
        *("Examinations that failed, by kind: document or general.", "kind"),
        ("document", "general"),
    ),
    "dedupe_sweeps_total": ("Periodic syncs, by result: done, failed or busy.", "result", ()),
}
_GAUGES: Final = {
    "dedupe_queue_depth": "Documents that wait to be examined, without those given up.",
    "dedupe_dead_letters": "Documents that were given up; see `paperless-dedupe queue`.",
    "dedupe_worker_stalled": "1 while no document can be examined: Paperless or the index is unavailable.",
}
_HISTOGRAMS: Final = {
    "dedupe_examination_seconds": "Time from the beginning of an examination to its end.",
    "dedupe_latency_seconds": "Time from the acceptance of an event to the end of its work.",
}


class Metrics:
    def __init__(self) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]
        self._registry = CollectorRegistry()
        self._counters = dict[str, Counter]()
        for name, (meaning, label, values) in _COUNTERS.items():
            self._counters[name] = counter = Counter(name, meaning, [label], registry=self._registry)
            for value in values:
                counter.labels(value)
        self._gauges = {
            name: Gauge(name, meaning, registry=self._registry) for name, meaning in _GAUGES.items()
        }
        self._histograms = {
            name: Histogram(name, meaning, buckets=BOUNDS_S, registry=self._registry)
            for name, meaning in _HISTOGRAMS.items()
        }

    def count(self, name: str, amount: int = 1, **labels: str) -> None:
        self._counters[name].labels(**labels).inc(amount)

    def observe(self, name: str, seconds: float) -> None:
        self._histograms[name].observe(seconds)

    def value(self, name: str, **labels: str) -> int:
        return int(self._registry.get_sample_value(name, labels) or 0)

    def text(self, gauges: Mapping[str, float]) -> bytes:
        """Everything; gauges are what is true at this moment, so they are passed in."""
        for name, value in gauges.items():
            self._gauges[name].set(value)
        return generate_latest(self._registry)
