"""The page for tuning by eye: confidences as a histogram with the threshold, and stated against actual shares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hook.language.translate import Translate
from hook.review_page.lists.tuning import BINS, LOWEST, Band, Bar, reported_at
from hook.review_page.render.frame import Frame, document
from hook.review_page.render.html import Html, tag

WIDTH: Final = 750
HEIGHT: Final = 220


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
        _reliability(bands, say) if bands else tag("p", say("No decisions yet."), class_="empty"),
        tag("p", say("The command tune proposes a threshold from your decisions."), class_="note"),
    )


def _histogram(bars: Sequence[Bar], threshold: float, say: Translate) -> Html:
    highest = max((bar.total for bar in bars), default=0) or 1
    step = WIDTH / BINS
    shapes = [
        shape for place, bar in enumerate(bars) for shape in _stack(bar, place * step, step - 2, highest)
    ]
    at = _x(threshold)
    marks = [
        tag("text", f"{value:.0%}", x=f"{_x(value):.0f}", y=HEIGHT + 18, class_="axis")
        for value in (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
    ]
    return tag(
        "svg",
        tag("title", say("Histogram of confidences")),
        shapes,
        tag("line", x1=f"{at:.1f}", x2=f"{at:.1f}", y1=0, y2=HEIGHT, class_="threshold", id="threshold-line"),
        marks,
        viewBox=f"-14 -6 {WIDTH + 40} {HEIGHT + 30}",
        role="img",
        class_="histogram",
        aria_label=say("Histogram of confidences"),
    )


def _stack(bar: Bar, x: float, width: float, highest: int) -> list[Html]:
    shapes, top = [], float(HEIGHT)
    for kind, count in (("confirmed", bar.confirmed), ("dismissed", bar.dismissed), ("waiting", bar.waiting)):
        if count:
            height = HEIGHT * count / highest
            top -= height
            shapes.append(
                tag(
                    "rect",
                    x=f"{x:.1f}",
                    y=f"{top:.1f}",
                    width=f"{width:.1f}",
                    height=f"{height:.1f}",
                    class_=kind,
                )
            )
    return shapes


def _x(confidence: float) -> float:
    return (min(1.0, max(LOWEST, confidence)) - LOWEST) / (1 - LOWEST) * WIDTH


def _legend(say: Translate) -> Html:
    kinds = ("waiting", "confirmed", "dismissed")
    return tag("ul", [tag("li", say(kind), class_=f"key-{kind}") for kind in kinds], class_="key")


def _slider(confidences: Sequence[float], threshold: float, say: Translate) -> Html:
    now = reported_at(threshold, confidences)
    percents = ",".join(str(reported_at(value / 100, confidences)) for value in range(101))
    return tag(
        "p",
        tag("label", say("Threshold"), for_="threshold"),
        tag(
            "input", id="threshold", type="range", min=round(100 * LOWEST), max="100", step="1",
            value=round(100 * threshold), data_counts=percents, data_now=now, data_width=WIDTH,
            data_words=say("at {sure}: {n} instead of {now}"),
        ),
        " ",
        tag("output", say("at {sure}: {n} instead of {now}", sure=f"{threshold:.0%}", n=now, now=now), id="threshold-words"),
        class_="slider",
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
        "table",
        tag("caption", say("Of the decided pairs: how sure we said we were, and how many were confirmed")),
        tag("thead", tag("tr", [tag("th", name, scope="col") for name in names])),
        tag("tbody", rows),
        class_="reliability",
    )


def _bar(share: float, kind: str) -> Html:
    bar = tag("rect", x=0, y=0, width=f"{100 * share:.0f}", height=12, class_=kind)
    return tag("svg", bar, viewBox="0 0 100 12", class_="bar", aria_hidden="true", focusable="false")
