"""What a decision will do, as HTML: the choice of what to do and what to keep, and places to look at before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from dedupe_core.explain.say import message, messages
from hook.language.translate import Translate
from hook.review.journal import Do
from hook.review.planner import Line, default_of, everything
from hook.review_page.plan import Action, Chosen, possible_for
from hook.review_page.render.html import Html, hidden, tag
from hook.review_page.waiting import Waiting
from hook.settings.model import Settings

MOST_PLACES: Final = 60  # to tick one by one
_DO: Final = {
    Do.TRASH: message("Move to the trash"),
    Do.KEEP: message("Keep all"),
    Do.VERSION: message("Make a version"),
}
_SAME_PRINT: Final = messages(
    "{n} place has the same print on both pages", "{n} places have the same print on both pages"
)
_KEEPS: Final = message("keeps all documents, marks the finding as confirmed")
_SAME: Final = {
    Do.KEEP: _KEEPS,
    Do.TRASH: message("moves one of two documents to the trash"),
    Do.VERSION: message("makes one of two documents a file version of the other"),
}
_DOES: Final = {
    Do.KEEP: _KEEPS,
    Do.TRASH: message("moves #{n} to the trash, #{m} is kept"),
    Do.VERSION: message("makes #{n} a file version of #{m}"),
}


def effect_of(action: Action, waiting: Waiting, settings: Settings, say: Translate) -> str:
    """What a button does under the present settings. Of "same" only the kind: the plan says which document is moved."""
    n, (first, *more) = waiting.subject, waiting.findings
    if action is Action.SAME:
        return say(_SAME[default_of(first.relation, settings)])
    if action is Action.SKIP:
        return say("#{n} is ignored from now on", n=n)
    if more:
        return say("never reports #{n} with these {count} documents again", n=n, count=1 + len(more))
    return say("never reports #{n} and #{m} again", n=n, m=first.other)


def line_in_words(line: Line, say: Translate) -> str:
    """What becomes of the documents, if nothing is in the way."""
    return say(_DOES[line.told.do], n=line.loser, m=line.kept)


def summary(lines: Sequence[Line], say: Translate) -> str:
    if any(line.reason is not None for line in lines) or not lines:
        return say("not possible like this")
    words = list(dict.fromkeys(line_in_words(line, say) for line in lines))
    if any(line.open for line in lines):
        return say("{what}, after you looked", what="; ".join(words))
    return "; ".join(words)


def decided_in_words(action: Action, subjects: Sequence[str], lines: Sequence[Line], say: Translate) -> str:
    names = ", ".join(f"#{subject}" for subject in subjects[:5])
    names += say(" and {n} more", n=len(subjects) - 5) if len(subjects) > 5 else ""
    if action is Action.NOT_SAME:
        return say("{names}: not the same", names=names)
    if action is Action.SKIP:
        return say("{names}: ignored from now on", names=names)
    moved = [line_in_words(line, say) for line in lines if line.loser is not None]
    return say("{names}: same", names=names) + (f" ({'; '.join(moved)})" if moved else "")


def plan_of(members: Sequence[Waiting], lines: Sequence[Line], chosen: Chosen, say: Translate) -> Html:
    """For the form of a card. The script asks for it again when another choice is made."""
    documents = sorted({number for member in members for number in member.documents})
    relations = [finding.relation for member in members for finding in member.findings]
    choices = [(do.value, say(_DO[do])) for do in max(map(possible_for, relations), key=len)]
    do = chosen.do or (lines[0].told.do if lines else Do.KEEP)
    kept = chosen.keep or next((line.kept for line in lines if line.kept), None)
    return tag(
        "div.plan",
        _radios(say("If they are the same"), "do", choices, do.value) if len(choices) > 1 else None,
        _radios(say("Keep"), "keep", [(n, f"#{n}") for n in documents], kept) if do is Do.TRASH else None,
        tag("ul.lines", [_line(line, say) for line in lines], _staying(lines, documents, chosen, say)),
        data_summary=summary(lines, say),
        data_ready="yes" if lines and all(line.reason is None for line in lines) else None,
        data_open=sum(len(line.open) for line in lines) or None,
        aria_live="polite",
    )


def _radios(legend: str, name: str, options: Sequence[tuple[object, str]], chosen: object) -> Html:
    labels = [
        tag("label", tag("input", type="radio", name=name, value=value, checked=value == chosen), f" {words}")
        for value, words in options
    ]
    return tag("fieldset", tag("legend", legend), labels)


def _line(line: Line, say: Translate) -> Html:
    if line.reason is not None:
        names = ", ".join(f"#{number}" for number in sorted(line.told.documents))
        words = say("{names}: not possible: {why}.", names=names, why=line.reason.said(say))
        return tag("li.impossible", words)
    return tag("li", line_in_words(line, say), _places(line, say))


def _places(line: Line, say: Translate) -> Iterator[Html]:
    """Those that are printed alike need no look; all others are ticked, one by one or at once."""
    places, looked = line.places, line.told.looked
    same = [place for place in places if place.is_same]
    rest = [place for place in places if not place.is_same]
    yield from (hidden("looked", place.key) for place in same)
    if same:
        yield tag("p.note", say(*_SAME_PRINT, n=len(same)))
    if rest:
        shown, more, every = rest[:MOST_PLACES], len(rest) - MOST_PLACES, everything(places)
        ticks = [tag("li", _tick(place.key, place.words.said(say), place.key in looked)) for place in shown]
        yield tag("p", say("Before #{n} can be moved, look at:", n=line.loser))
        yield tag("ol.ticks", ticks, tag("li", say("and {n} more", n=more)) if more > 0 else None)
        yield _tick(every, say("I looked at all of them: same"), every in looked, "label.tick.all")


def _tick(value: str, words: str, is_on: bool, name: str = "label.tick") -> Html:
    box = tag("input", type="checkbox", name="looked", value=value, checked=is_on)
    return tag(name, box, " ", tag("bdi", words))


def _staying(lines: Sequence[Line], documents: Sequence[int], chosen: Chosen, say: Translate) -> list[Html]:
    decided = frozenset[int]().union(*(line.told.documents for line in lines))
    left = [number for number in documents if number not in decided and chosen.keep]
    return [
        tag("li", say("#{n} stays: it was not compared with #{m}", n=number, m=chosen.keep))
        for number in left
    ]
