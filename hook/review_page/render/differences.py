"""What speaks for a pair and against it, as HTML: the reason as chips, and both texts as one marked text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dedupe_core.explain.marked_text import Mark, MarkedText, Piece
from dedupe_core.explain.words import Tone, sentences, tone
from dedupe_core.model import Relation
from hook.language.translate import Translate
from hook.log import plain
from hook.review_page.cards import Tie
from hook.review_page.render.html import Html, joined, tag

MOST_CHIPS: Final = 10
CHIP_CHARACTERS: Final = 120


def chips(tie: Tie, say: Translate) -> Html | None:
    """The statements of the reason."""
    if tie.finding is None or not tie.finding.statements:
        return None
    marks = {Tone.AGREES: "\N{CHECK MARK} ", Tone.DIFFERS: "\N{NOT EQUAL TO} ", Tone.NEUTRAL: ""}
    said = [
        (tone(statement), plain(words, CHIP_CHARACTERS))
        for statement, words in sentences(tie.finding.statements, say)[:MOST_CHIPS]
    ]
    return tag(
        "ul.chips", [tag("li", marks[kind], tag("bdi", words), class_=kind.value) for kind, words in said]
    )


def difference(tie: Tie, say: Translate, *, is_open: bool) -> Html | None:
    if tie.relation is Relation.TRANSLATED:
        return _facts(tie, say)
    if tie.difference is None:
        return tag("p.note", say("The texts cannot be shown side by side."))
    text = tie.difference
    if not text.changes and not text.slips and len(text.pieces) <= 3:
        return tag("p.note", say("The texts are equal, word for word."))
    summary = say("Text: {changes} changed, {slips} OCR differences", changes=text.changes, slips=text.slips)
    return tag(
        "details",
        tag("summary", summary),
        tag(
            "p.legend",
            tag("del", say("only in #{n}", n=tie.left)), " ",
            tag("ins", say("only in #{n}", n=tie.right)), " ",
            tag("span.slip", say("faint: an OCR difference")),
            ),
        tag("div.text", list(_pieces(text, say)), tabindex="0", role="region", aria_label=summary),
        open=is_open,
    )  # fmt: skip


def _facts(tie: Tie, say: Translate) -> Html:
    """Two languages have no words in common: dates, amounts and references are what can be compared."""
    if not tie.facts:
        return tag("p.note", say("The texts are in two languages, and have no dates, amounts or references."))
    kinds = {"Date": say("Date"), "Amount": say("Amount"), "Reference": say("Reference")}
    head = tag("tr", [tag("th", name, scope="col") for name in ("", f"#{tie.left}", f"#{tie.right}")])
    rows = [
        tag(
            "tr",
            tag("th", kinds[row.kind], scope="row"),
            [tag("td", tag("bdi", side or "\N{EN DASH}")) for side in (row.left, row.right)],
            class_="agrees" if row.agrees else "differs",
        )
        for row in tie.facts
    ]
    same = sum(row.agrees for row in tie.facts)
    words = say(
        "Two languages: {same} facts agree, {other} are only in one", same=same, other=len(rows) - same
    )
    return tag("table.facts", tag("caption", words), tag("thead", head), tag("tbody", rows))


def _pieces(text: MarkedText, say: Translate) -> Iterator[Html]:
    for piece in text.pieces:
        yield _piece(piece, say)
        yield Html(" ")
    if text.is_cut:
        yield tag("p.note", say("The rest of the text is not shown here."))


def _piece(piece: Piece, say: Translate) -> Html:
    if piece.mark is Mark.SAME:
        return tag("span", piece.left)
    if piece.mark is Mark.LEFT_OUT:
        return tag(
            "span.gap", say("\N{HORIZONTAL ELLIPSIS} {n} equal words \N{HORIZONTAL ELLIPSIS}", n=piece.words)
        )
    if piece.mark is Mark.SLIP:
        shown = piece.left or piece.right
        return tag("span.slip", shown, title=f"{piece.left} / {piece.right}")
    kind = piece.mark.value.replace(" ", "-")
    return joined(
        tag("del", piece.left, class_=kind) if piece.left else None,
        " " if piece.left and piece.right else None,
        tag("ins", piece.right, class_=kind) if piece.right else None,
    )
