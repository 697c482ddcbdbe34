"""The page for tuning by eye: confidences as a histogram with the threshold, and stated confidence against what was right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from hook.language.translate import Translate
from hook.review_page.render.frame import Frame, document
from hook.review_page.render.html import Html, tag

BINS: Final = 25  # of 2% each, from 50% to 100%
LOWEST: Final = 0.5
BANDS: Final = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)
WIDTH: Final = 750
HEIGHT: Final = 220


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


@dataclass(frozen=True, slots=True)
class Bar:
    """Pairs whose confidence is at least `start`, up to the next bar; the last one includes 100%."""

    start: float
    waiting: int = 0
    confirmed: int = 0
    dismissed: int = 0

    @property
    def total(self) -> int:
        return self.waiting + self.confirmed + self.dismissed


def bands(samples: Sequence[Sample]) -> list[Band]:
    found = []
    for start, end in zip(BANDS, (*BANDS[1:], 2.0), strict=True):
        inside = [sample for sample in samples if start <= sample.confidence < end]
        if inside:
            mean = sum(sample.confidence for sample in inside) / len(inside)
            confirmed = sum(sample.is_right for sample in inside) / len(inside)
            found.append(Band(start, min(end, 1.0), len(inside), round(mean, 3), round(confirmed, 3)))
    return found


def histogram(waiting: Iterable[float], samples: Iterable[Sample]) -> list[Bar]:
    samples = list(samples)
    counted = [
        _counted(waiting),
        _counted(sample.confidence for sample in samples if sample.is_right),
        _counted(sample.confidence for sample in samples if not sample.is_right),
    ]
    width = (1 - LOWEST) / BINS
    return [
        Bar(round(LOWEST + place * width, 4), *(counts[place] for counts in counted)) for place in range(BINS)
    ]


def reported_at(threshold: float, confidences: Iterable[float]) -> int:
    return sum(1 for confidence in confidences if confidence >= threshold)


def _counted(confidences: Iterable[float]) -> list[int]:
    counts = [0] * BINS
    for confidence in confidences:
        counts[min(BINS - 1, max(0, int((confidence - LOWEST) / (1 - LOWEST) * BINS + 1e-9)))] += 1
    return counts


# As HTML


def tuning_page(
    frame: Frame, bars: Sequence[Bar], bands: Sequence[Band], confidences: Sequence[float], threshold: float
) -> Html:
    say = frame.say
    return document(
        say("Tuning"),
        frame,
        tag("h1", say("Tuning by eye")),
        tag(
            "p", say("Every pair that was reported, by confidence. Pairs below the threshold are not stored.")
        ),
        _histogram(bars, threshold, say),
        _legend(say),
        _slider(confidences, threshold, say),
        tag("h2", say("Stated and actual")),
        _reliability(bands, say) if bands else tag("p.empty", say("No decisions yet.")),
        tag("p.note", say("The command tune proposes a threshold from your decisions.")),
    )


def _histogram(bars: Sequence[Bar], threshold: float, say: Translate) -> Html:
    highest = max((bar.total for bar in bars), default=0) or 1
    step = WIDTH / BINS
    shapes = [
        shape for place, bar in enumerate(bars) for shape in _stack(bar, place * step, step - 2, highest)
    ]
    at = _x(threshold)
    marks = [
        tag("text.axis", f"{value:.0%}", x=f"{_x(value):.0f}", y=HEIGHT + 18)
        for value in (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
    ]
    return tag(
        "svg.histogram",
        tag("title", say("Histogram of confidences")),
        shapes,
        tag("line.threshold", x1=f"{at:.1f}", x2=f"{at:.1f}", y1=0, y2=HEIGHT, id="threshold-line"),
        marks,
        viewBox=f"-14 -6 {WIDTH + 40} {HEIGHT + 30}",
        role="img",
        aria_label=say("Histogram of confidences"),
    )


def _stack(bar: Bar, x: float, width: float, highest: int) -> list[Html]:
    shapes, top = [], float(HEIGHT)
    for kind, count in (("confirmed", bar.confirmed), ("dismissed", bar.dismissed), ("waiting", bar.waiting)):
        if count:
            height = HEIGHT * count / highest
            top -= height
            place = {"x": x, "y": top, "width": width, "height": height}
            shapes.append(tag(f"rect.{kind}", **{name: f"{value:.1f}" for name, value in place.items()}))
    return shapes


def _x(confidence: float) -> float:
    return (min(1.0, max(LOWEST, confidence)) - LOWEST) / (1 - LOWEST) * WIDTH


def _legend(say: Translate) -> Html:
    kinds = ("waiting", "confirmed", "dismissed")
    return tag("ul.key", [tag("li", say(kind), class_=f"key-{kind}") for kind in kinds])


def _slider(confidences: Sequence[float], threshold: float, say: Translate) -> Html:
    now = reported_at(threshold, confidences)
    percents = ",".join(str(reported_at(value / 100, confidences)) for value in range(101))
    return tag(
        "p.slider",
        tag("label", say("Threshold"), for_="threshold"),
        tag(
            "input", id="threshold", type="range", min=round(100 * LOWEST), max="100", step="1",
            value=round(100 * threshold), data_counts=percents, data_now=now, data_width=WIDTH,
            data_words=say("at {sure}: {n} instead of {now}"),
        ),
        " ",
        tag("output", say("at {sure}: {n} instead of {now}", sure=f"{threshold:.0%}", n=now, now=now), id="threshold-words"),
        )  # fmt: skip


def _reliability(bands: Sequence[Band], say: Translate) -> Html:
    rows = [
        tag(
            "tr",
            tag("th", f"{band.start:.0%}\N{EN DASH}{band.end:.0%}", scope="row"),
            tag("td", band.pairs),
            tag("td", _bar(band.confidence, "stated"), f"{band.confidence:.0%}"),
            tag("td", _bar(band.confirmed, "actual"), f"{band.confirmed:.0%}"),
        )
        for band in bands
    ]
    names = (say("Confidence"), say("Pairs"), say("stated"), say("confirmed"))
    return tag(
        "table.reliability",
        tag("caption", say("Of the decided pairs: how sure we said we were, and how many were confirmed")),
        tag("thead", tag("tr", [tag("th", name, scope="col") for name in names])),
        tag("tbody", rows),
    )


def _bar(share: float, kind: str) -> Html:
    bar = tag("rect", x=0, y=0, width=f"{100 * share:.0f}", height=12, class_=kind)
    return tag("svg.bar", bar, viewBox="0 0 100 12", aria_hidden="true", focusable="false")
