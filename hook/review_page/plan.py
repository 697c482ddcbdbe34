"""What "Same" on a card will do, document by document, by the rules that do it; and the instructions that make it so."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from dedupe_core.model import Relation
from hook.findings.findings import Finding
from hook.language.translate import Phrase
from hook.review.journal import MOVES, Do
from hook.review.kept.instructions import Instruction
from hook.review.planner import Line, default_of, foresee
from hook.review.resolve import pairs_between
from hook.review_page.waiting import Waiting
from hook.session import Session
from hook.settings.model import Settings


class Action(StrEnum):
    """What a person can decide."""

    SAME = "same"
    NOT_SAME = "not-same"
    SKIP = "skip"


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a person chose on a card. None: as the settings say, or as suggested."""

    do: Do | None = None
    keep: int | None = None
    looked: frozenset[str] = frozenset()


def possible_for(relation: Relation) -> tuple[Do, ...]:
    """What a person may choose: a translation replaces nothing."""
    return (Do.KEEP,) if relation is Relation.TRANSLATED else (Do.TRASH, Do.KEEP, Do.VERSION)


def lines_of(
    session: Session,
    members: Sequence[Waiting],
    chosen: Chosen,
    may_change: Callable[[int], bool],
    by: str,
    *,
    looks: bool = False,
) -> list[Line]:
    """Reads with the rights of the service; `may_change` asks for the person. `looks`: at the pages, where texts differ."""
    by_pairs: dict[frozenset[frozenset[int]], Instruction] = {}
    for told in wishes(members, chosen, session.settings, by):
        by_pairs.setdefault(told.pairs, told)
    return [_allowed(_line(session, told, looks), may_change) for told in by_pairs.values()]


def _line(session: Session, told: Instruction, looks: bool) -> Line:
    if told.do not in MOVES:
        return Line(told)
    if not (pairs := pairs_between(session, told.document, told.others)):
        return Line(told, reason=Phrase("this finding has changed: load the page again"))
    return foresee(session, pairs[0], told, looks=looks)


def _allowed(line: Line, may_change: Callable[[int], bool]) -> Line:
    tagged = line.as_told().document
    if line.reason is not None or may_change(tagged):
        return line
    return replace(line, reason=Phrase("you may not change #{n} in Paperless", {"n": tagged}))


def wishes(
    members: Sequence[Waiting], chosen: Chosen, settings: Settings, by: str = ""
) -> Iterator[Instruction]:
    """Each document of a card is moved for the one to keep, if the two were compared; without one, the first finding counts."""

    def do_of(finding: Finding) -> Do:
        do = chosen.do or default_of(finding.relation, settings)
        return do if do in possible_for(finding.relation) else Do.KEEP

    for member in members:
        first = member.findings[:1]
        about = [f for f in member.findings if chosen.keep in (None, member.subject, f.other)]
        considered = first if chosen.keep is None or do_of(first[0]) is Do.KEEP else about
        moved = [f for f in considered if do_of(f) in MOVES]
        for f in moved:
            yield Instruction(member.subject, (f.other,), do_of(f), chosen.keep, chosen.looked, by)
        if considered and not moved:
            kept = tuple(f.other for f in member.findings if do_of(f) is Do.KEEP)
            yield Instruction(member.subject, kept, Do.KEEP, by=by)
