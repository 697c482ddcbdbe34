"""What a decision will do, as HTML: the choice of what to do and what to keep, and places to look at before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dedupe_core.explain.say import message
from hook.language.translate import Translate
from hook.review.kept.instructions import Do
from hook.review_page.effects import Action
from hook.review_page.pages.plan import Chosen, Line, everything, possible_for
from hook.review_page.render.frame import Frame, csrf_field, document
from hook.review_page.render.html import Html, joined, tag
from hook.review_page.waiting import Waiting

MOST_PLACES: Final = 60  # to tick one by one
_DO: Final = {
    Do.TRASH: message("Move to the trash"),
    Do.KEEP: message("Keep all"),
    Do.VERSION: message("Make a version"),
}


def line_in_words(line: Line, say: Translate) -> str:
    """What becomes of the documents, if nothing is in the way."""
    found = line.foreseen
    both = {"n": found.loser, "m": found.kept}
    if line.told.do is Do.VERSION:
        return say("makes #{n} a file version of #{m}", **both)
    if line.told.do is Do.TRASH:
        return say("moves #{n} to the trash, #{m} is kept", **both)
    return say("keeps all documents, marks the finding as confirmed")


def summary(lines: Sequence[Line], say: Translate) -> str:
    if any(line.foreseen.reason is not None for line in lines) or not lines:
        return say("not possible like this")
    words = list(dict.fromkeys(line_in_words(line, say) for line in lines))
    if any(line.open for line in lines):
        return say("{what}, after you looked", what="; ".join(words))
    return "; ".join(words)


def decided_in_words(action: Action, subjects: Sequence[str], lines: Sequence[Line], say: Translate) -> str:
    names = ", ".join(f"#{one}" for one in subjects[:5])
    names += say(" and {n} more", n=len(subjects) - 5) if len(subjects) > 5 else ""
    if action is Action.NOT_SAME:
        return say("{names}: not the same", names=names)
    if action is Action.SKIP:
        return say("{names}: ignored from now on", names=names)
    moved = [line_in_words(line, say) for line in lines if line.foreseen.loser is not None]
    return say("{names}: same", names=names) + (f" ({'; '.join(moved)})" if moved else "")


def plan_of(members: Sequence[Waiting], lines: Sequence[Line], chosen: Chosen, say: Translate) -> Html:
    """For the form of a card. The script asks for it again when another choice is made."""
    documents = sorted({number for one in members for number in one.documents})
    relations = [finding.relation for one in members for finding in one.findings]
    possible = max(map(possible_for, relations), key=len)
    do = chosen.do or (lines[0].told.do if lines else Do.KEEP)
    return tag(
        "div",
        _choices(do, possible, say),
        _keep(lines, documents, chosen, say) if do is Do.TRASH else None,
        tag(
            "ul",
            [_line(line, say) for line in lines],
            _staying(lines, documents, chosen, say),
            class_="lines",
        ),
        class_="plan",
        data_summary=summary(lines, say),
        data_ready="yes" if lines and all(line.foreseen.reason is None for line in lines) else None,
        data_open=sum(len(line.open) for line in lines) or None,
        aria_live="polite",
    )


def _choices(do: Do, possible: Sequence[Do], say: Translate) -> Html | None:
    if len(possible) < 2:
        return None
    options = [
        tag(
            "label",
            tag("input", type="radio", name="do", value=one.value, checked=one is do),
            " ",
            say(_DO[one]),
        )
        for one in possible
    ]
    return tag("fieldset", tag("legend", say("If they are the same")), options)


def _keep(lines: Sequence[Line], documents: Sequence[int], chosen: Chosen, say: Translate) -> Html:
    kept = chosen.keep or next((line.foreseen.kept for line in lines if line.foreseen.kept), None)
    options = [
        tag(
            "label",
            tag("input", type="radio", name="keep", value=number, checked=number == kept),
            f" #{number}",
        )
        for number in documents
    ]
    return tag("fieldset", tag("legend", say("Keep")), options)


def _line(line: Line, say: Translate) -> Html:
    found = line.foreseen
    if found.reason is not None:
        names = ", ".join(f"#{number}" for number in sorted(line.told.documents))
        words = say("{names}: not possible: {why}.", names=names, why=found.reason.said(say))
        return tag("li", words, class_="impossible")
    return tag("li", line_in_words(line, say), _places(line, say))


def _places(line: Line, say: Translate) -> Html | None:
    """Those that are printed alike need no look; all others are ticked, one by one or at once."""
    places, looked = line.foreseen.places, line.told.looked
    if not places:
        return None
    same = [place for place in places if place.is_same]
    rest = [place for place in places if not place.is_same]
    ticks = [
        tag("li", _tick(place.key, place.words.said(say), is_on=place.key in looked))
        for place in rest[:MOST_PLACES]
    ]
    more = len(rest) - len(ticks)
    every = everything(places)
    return joined(
        [tag("input", type="hidden", name="looked", value=place.key) for place in same],
        tag(
            "p",
            say(
                "{n} place has the same print on both pages",
                "{n} places have the same print on both pages",
                n=len(same),
            ),
            class_="note",
        )
        if same
        else None,
        joined(
            tag("p", say("Before #{n} can be moved, look at:", n=line.foreseen.loser)),
            tag("ol", ticks, tag("li", say("and {n} more", n=more)) if more else None, class_="ticks"),
            _tick(every, say("I looked at all of them: same"), is_on=every in looked, is_all=True),
        )
        if rest
        else None,
    )


def _tick(value: str, words: str, *, is_on: bool, is_all: bool = False) -> Html:
    box = tag("input", type="checkbox", name="looked", value=value, checked=is_on)
    return tag("label", box, " ", tag("bdi", words), class_="tick all" if is_all else "tick")


def _staying(lines: Sequence[Line], documents: Sequence[int], chosen: Chosen, say: Translate) -> list[Html]:
    decided = frozenset[int]().union(*(line.told.documents for line in lines))
    left = [one for one in documents if one not in decided and chosen.keep]
    return [tag("li", say("#{n} stays: it was not compared with #{m}", n=one, m=chosen.keep)) for one in left]


def plan_page(frame: Frame, keys: Sequence[str], plan: Html) -> Html:
    """For a browser without JavaScript: what is in the way of a decision, with the same form."""
    say = frame.say
    return document(
        say("Review"),
        frame,
        tag("h1", say("Not yet")),
        tag(
            "form",
            csrf_field(frame),
            [tag("input", type="hidden", name="key", value=key) for key in keys],
            plan,
            tag("button", say("Same"), class_="same", name="action", value="same"),
            method="post",
            action="decide",
        ),
        tag("p", tag("a", say("Back to the list"), href=".")),
    )
