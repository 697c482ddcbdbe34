"""The metrics of the service, in Prometheus's text format; can be updated and read from any thread."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
# From a warm look-up (10 ms) to an event that waited until Paperless was available again.
BOUNDS_S: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 3600.0)


@dataclass
class _Histogram:
    counts: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS_S) + 1))
    total: float = 0.0


# name -> kind, meaning. A name is a contract: dashboards are built on it.
HELP: Final = {
    "dedupe_events_total": ("counter", "Events accepted, by source: http, spool or sweep."),
    "dedupe_refused_total": ("counter", "Requests refused, by HTTP status."),
    "dedupe_examined_total": ("counter", "Documents examined, by source: event or sweep."),
    "dedupe_flagged_total": ("counter", "Findings that were new, by relation."),
    "dedupe_failures_total": ("counter", "Examinations that failed, by kind: document or general."),
    "dedupe_sweeps_total": ("counter", "Periodic syncs, by result: done, failed or busy."),
    "dedupe_queue_depth": ("gauge", "Documents that wait to be examined, without those given up."),
    "dedupe_dead_letters": ("gauge", "Documents that were given up; see `paperless-dedupe queue`."),
    "dedupe_worker_stalled": (
        "gauge",
        "1 while no document can be examined: Paperless or the index is unavailable.",
    ),
    "dedupe_examination_seconds": ("histogram", "Time from the beginning of an examination to its end."),
    "dedupe_latency_seconds": ("histogram", "Time from the acceptance of an event to the end of its work."),
}
# Shown as 0 from the start, so that a rate includes the first event.
_FROM_START: Final = (
    ("dedupe_events_total", (("source", "http"),)),
    ("dedupe_events_total", (("source", "spool"),)),
    ("dedupe_examined_total", (("source", "event"),)),
    ("dedupe_failures_total", (("kind", "document"),)),
    ("dedupe_failures_total", (("kind", "general"),)),
)

Series = tuple[str, tuple[tuple[str, str], ...]]


class Metrics:
    """Counters, gauges and histograms by name and labels."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counters: Counter[Series] = Counter(dict.fromkeys(_FROM_START, 0))
        self._histograms: dict[str, _Histogram] = {}

    def count(self, name: str, amount: int = 1, **labels: str) -> None:
        with self._lock:
            self._counters[name, tuple(sorted(labels.items()))] += amount

    def observe(self, name: str, seconds: float) -> None:
        with self._lock:
            histogram = self._histograms.setdefault(name, _Histogram())
            histogram.counts[bisect_left(BOUNDS_S, seconds)] += 1
            histogram.total += seconds

    def value(self, name: str, **labels: str) -> int:
        with self._lock:
            return self._counters[name, tuple(sorted(labels.items()))]

    def text(self, gauges: Mapping[str, float]) -> str:
        """Everything; gauges are what is true at this moment, so they are passed in."""
        with self._lock:
            return "\n".join([*self._lines(gauges), ""])

    def _lines(self, gauges: Mapping[str, float]) -> Iterator[str]:
        for name, (kind, meaning) in HELP.items():
            yield f"# HELP {name} {meaning}"
            yield f"# TYPE {name} {kind}"
            if kind == "histogram":
                yield from _histogram_lines(name, self._histograms.get(name, _Histogram()))
            elif name in gauges:
                yield f"{name} {gauges[name]:g}"
            for series, count in sorted(self._counters.items()):
                if series[0] == name:
                    yield f"{name}{_labels(series[1])} {count}"


def _labels(labels: tuple[tuple[str, str], ...]) -> str:
    """All label values are our own, so nothing needs to be escaped."""
    return "{" + ",".join(f'{name}="{value}"' for name, value in labels) + "}" if labels else ""


def _histogram_lines(name: str, histogram: _Histogram) -> Iterator[str]:
    below = 0
    for bound, count in zip((*BOUNDS_S, None), histogram.counts, strict=True):
        below += count
        yield f'{name}_bucket{{le="{"+Inf" if bound is None else format(bound, "g")}"}} {below}'
    yield f"{name}_sum {histogram.total:.6f}"
    yield f"{name}_count {below}"
