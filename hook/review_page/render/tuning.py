"""The page for tuning by eye: by confidence, how many pairs wait, and the stated confidence against what was confirmed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from hook.review_page.render.frame import Frame, document
from hook.review_page.render.html import Html, tag

RANGES: Final = tuple(pairwise((0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0, 2.0)))


@dataclass(frozen=True, slots=True)
class Sample:
    """A decided pair: our confidence that it is to be reported, and whether the user confirmed it."""

    a: int
    b: int
    confidence: float
    is_right: bool

    @property
    def is_exact(self) -> bool:
        """The same text or file: the threshold has no effect on it."""
        return self.confidence >= 1


@dataclass(frozen=True, slots=True)
class Band:
    """Reliability: of the pairs in this range of confidence, the mean confidence and the share confirmed."""

    start: float
    end: float
    pairs: int
    confidence: float
    confirmed: float


def bands(samples: Sequence[Sample]) -> list[Band]:
    made = []
    for start, end in RANGES:
        inside = [sample for sample in samples if start <= sample.confidence < end]
        if inside:
            mean = sum(sample.confidence for sample in inside) / len(inside)
            confirmed = sum(sample.is_right for sample in inside) / len(inside)
            made.append(Band(start, min(end, 1.0), len(inside), round(mean, 3), round(confirmed, 3)))
    return made


def tuning_page(frame: Frame, waiting: Sequence[float], samples: Sequence[Sample], threshold: float) -> Html:
    say, decided, rows = frame.say, {band.start: band for band in bands(samples)}, []
    for start, end in RANGES:
        count, band = sum(start <= confidence < end for confidence in waiting), decided.get(start)
        if count or band:
            shares = (f"{band.confidence:.0%}", f"{band.confirmed:.0%}") if band else ("", "")
            cells = (count, band.pairs if band else 0, *shares)
            name = f"{start:.0%}\N{EN DASH}{min(end, 1.0):.0%}"
            rows.append(tag("tr", tag("th", name, scope="row"), [tag("td", cell) for cell in cells]))
    names = (say("Confidence"), say("waiting"), say("Pairs"), say("stated"), say("confirmed"))
    head = tag("tr", [tag("th", name, scope="col") for name in names])
    caption = say("Of the decided pairs: how sure we said we were, and how many were confirmed")
    return document(
        say("Tuning"),
        frame,
        tag("h1", say("Tuning by eye")),
        tag(
            "p", say("Every pair that was reported, by confidence. Pairs below the threshold are not stored.")
        ),
        tag("p", f"{say('Threshold')}: {threshold:.0%}"),
        tag("table.reliability", tag("caption", caption), tag("thead", head), tag("tbody", rows)),
        tag("p.note", say("The command tune proposes a threshold from your decisions.")),
    )
