"""What "Same" on a card will do, document by document, by the rules that do it; and the instructions that make it so."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from dedupe_core.model import Relation
from hook.findings.findings import Finding
from hook.findings.keeper import COPIES
from hook.language.translate import Phrase
from hook.review.kept.instructions import Do, Instruction
from hook.review.planner import Foreseen, Place, Planner
from hook.review.resolve import Resolver
from hook.review_page.waiting import Waiting
from hook.settings.types import OnConfirm

if TYPE_CHECKING:
    from hook.session import Session
    from hook.settings.model import Settings

MOVES: Final = (Do.TRASH, Do.VERSION)


class Action(StrEnum):
    """What a person can decide."""

    SAME = "same"
    NOT_SAME = "not-same"
    SKIP = "skip"
    LATER = "later"  # nothing is written


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a person chose on a card. None: as the settings say, or as suggested."""

    do: Do | None = None
    keep: int | None = None
    looked: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Line:
    """One of the documents with what becomes of it. `told` is what is stored if the person decides so."""

    told: Instruction
    foreseen: Foreseen

    @property
    def open(self) -> tuple[Place, ...]:
        """Places that nobody has looked at yet."""
        if everything(self.foreseen.places) in self.told.looked:
            return ()
        return tuple(o for o in self.foreseen.places if not o.is_same and o.key not in self.told.looked)

    @property
    def is_ready(self) -> bool:
        return self.foreseen.reason is None and not self.open

    def as_told(self) -> Instruction:
        """The tag goes on the document that is moved: who may not change that one, may not move it."""
        foreseen = self.foreseen
        if foreseen.loser is None or foreseen.kept is None:
            return self.told
        looked = frozenset(place.key for place in foreseen.places)
        return replace(
            self.told, document=foreseen.loser, others=(foreseen.kept,), keep=foreseen.kept, looked=looked
        )


def everything(places: Sequence[Place]) -> str:
    """One key for all of these places: "I looked: same"."""
    return hashlib.sha256(" ".join(sorted(place.key for place in places)).encode("ascii")).hexdigest()[:32]


def default_of(relation: Relation, settings: Settings) -> Do:
    """What the settings say."""
    wanted = settings.confirm_for(relation)
    if wanted is OnConfirm.MAKE_VERSION:
        return Do.VERSION
    is_moved = wanted is OnConfirm.REPLACE or (wanted is OnConfirm.TRASH and relation in COPIES)
    return Do.TRASH if is_moved else Do.KEEP


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
        return Line(told, Foreseen())
    resolver = Resolver(session, lambda line: None)
    pairs = resolver.between(told.document, told.others)
    if not pairs:
        return Line(told, Foreseen(reason=Phrase("this finding has changed: load the page again")))
    return Line(told, Planner(session, resolver).foresee(pairs[0], told, looks=looks))


def _allowed(line: Line, may_change: Callable[[int], bool]) -> Line:
    tagged = line.as_told().document
    if line.foreseen.reason is not None or may_change(tagged):
        return line
    reason = Phrase("you may not change #{n} in Paperless", {"n": tagged})
    return replace(line, foreseen=replace(line.foreseen, reason=reason))


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
