"""A card of the review page: documents, how they relate, what speaks for it and against, and what can be decided.

Made from what the index has stored and from what Paperless shows the person. Nothing is written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from dedupe_core.explain.marked_text import MarkedText, marked_text
from dedupe_core.fingerprint.age import by_age
from dedupe_core.model import Fingerprint, Relation
from hook.findings.examine import compared
from hook.findings.findings import Finding
from hook.findings.keeper import COPIES, Choice, Files, Ours, suggest
from hook.paperless.values import RawDocument
from hook.review_page.facts import FactRow, facts_of
from hook.review_page.waiting import Group, Waiting, is_chain

if TYPE_CHECKING:
    from hook.examination.archive import Archive


@dataclass(frozen=True, slots=True)
class Tie:
    """Two documents of a card: `left` is the older one or the one that was there first. Without a finding they are editions in a
    row that were not reported as a pair. `facts` are those of a translation: its words are others."""

    left: int
    right: int
    finding: Finding | None
    difference: MarkedText | None = None
    facts: tuple[FactRow, ...] = ()
    choice: Choice | None = None

    @property
    def relation(self) -> Relation:
        return self.finding.relation if self.finding else Relation.REVISION

    @property
    def confidence(self) -> float:
        return self.finding.confidence if self.finding else 0.0


@dataclass(frozen=True, slots=True)
class Card:
    """`choice`: which document of the whole card to keep."""

    group: Group
    papers: tuple[RawDocument, ...]
    ties: tuple[Tie, ...]
    is_chain: bool = False
    choice: Choice | None = None

    @property
    def first(self) -> Tie:
        """The surest pair: the heading speaks of it."""
        return max(self.ties, key=lambda tie: tie.confidence)

    @property
    def may_decide(self) -> bool:
        """True if the person may change one of the documents."""
        return any(paper.may_change is not False for paper in self.papers)

    @property
    def is_pair(self) -> bool:
        return len(self.papers) == 2


@dataclass(frozen=True, slots=True)
class Names:
    """What numbers are called in Paperless, as far as the person may see it; `ours` are our labels."""

    correspondents: Mapping[int, str] = field(default_factory=dict)
    tags: Mapping[int, str] = field(default_factory=dict)
    ours: Ours = field(default_factory=Ours)


class CardMaker:
    """Belongs to the thread that opened the archive. `most_pieces` bounds the text of a difference."""

    def __init__(self, archive: Archive, ours: Ours, *, most_pieces: int = 400) -> None:
        self._archive, self._ours, self._most_pieces = archive, ours, most_pieces

    def card(self, group: Group, heads: Mapping[int, RawDocument]) -> Card | None:
        """None if Paperless shows the person none of the pairs any more."""
        members = [one for entry in group.members if (one := _seen(entry, heads)) is not None]
        if not members:
            return None
        group = Group(tuple(members))
        prints = self._prints(group.documents)
        chain = is_chain(group) and len(group.documents) > 2
        order = self._order(group, prints)
        ties = tuple(self._chain_ties(group, order, prints) if chain else self._ties(group, heads, prints))
        papers = tuple(heads[number] for number in order)
        return Card(group, papers, ties, chain, choice_of(ties))

    def _prints(self, documents: Sequence[int]) -> dict[int, Fingerprint]:
        known = map(self._archive.fingerprint_of, documents)
        return {one.id: one for one in known if one is not None}

    def _order(self, group: Group, prints: Mapping[int, Fingerprint]) -> list[int]:
        """Editions by age; else the lowest number first, which is the one that was there first."""
        if is_chain(group) and all(number in prints for number in group.documents):
            return [one.id for one in by_age(prints[number] for number in group.documents)]
        return sorted(group.documents)

    def _ties(
        self, group: Group, heads: Mapping[int, RawDocument], prints: Mapping[int, Fingerprint]
    ) -> Iterator[Tie]:
        for entry in group.members:
            for finding in entry.findings:
                left, right = self._sides(entry.subject, finding, prints)
                choice = self._choice(entry.subject, finding, heads, prints)
                if finding.relation is Relation.TRANSLATED:
                    yield Tie(left, right, finding, facts=self._facts(left, right, prints), choice=choice)
                else:
                    yield Tie(left, right, finding, self._difference(left, right, prints), choice=choice)

    def _sides(self, subject: int, finding: Finding, prints: Mapping[int, Fingerprint]) -> tuple[int, int]:
        both = sorted((subject, finding.other))
        if finding.relation is Relation.REVISION and all(number in prints for number in both):
            both = [one.id for one in by_age(prints[number] for number in both)]
        return both[0], both[1]

    def _chain_ties(
        self, group: Group, order: Sequence[int], prints: Mapping[int, Fingerprint]
    ) -> Iterator[Tie]:
        """From each edition to the next, whether or not that pair was reported."""
        found = {frozenset((e.subject, f.other)): f for e in group.members for f in e.findings}
        for left, right in pairwise(order):
            difference = self._difference(left, right, prints)
            yield Tie(left, right, found.get(frozenset((left, right))), difference)

    def _difference(self, left: int, right: int, prints: Mapping[int, Fingerprint]) -> MarkedText | None:
        one, other = prints.get(left), prints.get(right)
        if one is None or other is None or not (one.text and other.text):
            return None
        return marked_text(one, other, most_pieces=self._most_pieces)

    def _facts(self, left: int, right: int, prints: Mapping[int, Fingerprint]) -> tuple[FactRow, ...]:
        one, other = prints.get(left), prints.get(right)
        return () if one is None or other is None else facts_of(one, other)

    def _choice(
        self,
        subject: int,
        finding: Finding,
        heads: Mapping[int, RawDocument],
        prints: Mapping[int, Fingerprint],
    ) -> Choice | None:
        """What the note suggests; by the same rules if there is no note yet."""
        if finding.relation not in COPIES:
            return None
        if finding.keeper is not None:
            loser = finding.other if finding.keeper == subject else subject
            return Choice(finding.keeper, loser, finding.keeper_reason)
        one, two = prints.get(subject), prints.get(finding.other)
        files = Files(readable=compared(one, two) if one and two else 0.0)
        return suggest(finding, heads[subject], heads[finding.other], self._ours, files)


def choice_of(ties: Sequence[Tie]) -> Choice | None:
    """The one document of a card to keep: suggested for most pairs and against fewest, and compared with most others."""
    choices = [tie.choice for tie in ties if tie.choice is not None]
    points = Counter(choice.keeper for choice in choices)
    points.subtract(choice.loser for choice in choices)
    degrees = Counter(number for tie in ties for number in (tie.left, tie.right))

    def rank(choice: Choice) -> tuple[int, int, int]:
        return points[choice.keeper], degrees[choice.keeper], -choice.keeper

    return max(choices, key=rank, default=None)


def _seen(waiting: Waiting, heads: Mapping[int, RawDocument]) -> Waiting | None:
    findings = tuple(finding for finding in waiting.findings if finding.other in heads)
    if waiting.subject not in heads or not findings:
        return None
    return Waiting(waiting.subject, findings)
