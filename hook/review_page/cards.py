"""A card of the review page: documents, how they relate, what speaks for it and against, and what can be decided.

Made from what the index has stored and from what Paperless shows the person. Nothing is written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from dedupe_core.explain.marked_text import MarkedText, marked_text
from dedupe_core.fingerprint.age import by_age
from dedupe_core.model import Facts, Fingerprint, Relation
from hook.findings.examine import compared
from hook.findings.findings import Finding
from hook.findings.keeper import COPIES, Choice, Files, Ours, suggest
from hook.paperless.values import RawDocument
from hook.review_page.waiting import Group, Waiting, is_chain

if TYPE_CHECKING:
    from hook.examination.archive import Archive

MOST_FACTS: Final = 40  # of a pair: more are not read
FACT_CHARACTERS: Final = 40


@dataclass(frozen=True, slots=True)
class FactRow:
    """One date, amount or reference; a side that lacks it is empty."""

    kind: str
    left: str
    right: str

    @property
    def agrees(self) -> bool:
        return bool(self.left and self.right)


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
    """Belongs to the thread that opened the archive. `heads` are the documents that Paperless shows the person; `most_pieces`
    bounds the text of a difference."""

    def __init__(
        self, archive: Archive, ours: Ours, heads: Mapping[int, RawDocument], *, most_pieces: int = 400
    ) -> None:
        self._ours, self._heads, self._most_pieces = ours, heads, most_pieces
        self._print = cache(archive.fingerprint_of)

    def card(self, group: Group) -> Card | None:
        """None if Paperless shows the person none of the pairs any more."""
        members = [one for entry in group.members if (one := self._seen(entry)) is not None]
        if not members:
            return None
        group = Group(tuple(members))
        order = self._by_age(group.documents) if is_chain(group) else sorted(group.documents)
        chain = is_chain(group) and len(order) > 2
        ties = tuple(self._chain_ties(group, order) if chain else self._ties(group))
        return Card(group, tuple(self._heads[number] for number in order), ties, chain, choice_of(ties))

    def _seen(self, waiting: Waiting) -> Waiting | None:
        findings = tuple(finding for finding in waiting.findings if finding.other in self._heads)
        if waiting.subject not in self._heads or not findings:
            return None
        return Waiting(waiting.subject, findings)

    def _by_age(self, documents: Iterable[int]) -> list[int]:
        """The oldest edition first; the lowest number, which was there first, if the index does not know all of them."""
        numbers = sorted(documents)
        known = [print_ for number in numbers if (print_ := self._print(number)) is not None]
        return [edition.id for edition in by_age(known)] if len(known) == len(numbers) else numbers

    def _ties(self, group: Group) -> Iterator[Tie]:
        for entry in group.members:
            for finding in entry.findings:
                both = sorted((entry.subject, finding.other))
                left, right = self._by_age(both) if finding.relation is Relation.REVISION else both
                choice = self._choice(entry.subject, finding)
                if finding.relation is Relation.TRANSLATED:
                    yield Tie(left, right, finding, facts=self._facts(left, right), choice=choice)
                else:
                    yield Tie(left, right, finding, self._difference(left, right), choice=choice)

    def _chain_ties(self, group: Group, order: Sequence[int]) -> Iterator[Tie]:
        """From each edition to the next, whether or not that pair was reported."""
        findings = {frozenset((e.subject, f.other)): f for e in group.members for f in e.findings}
        for left, right in pairwise(order):
            yield Tie(left, right, findings.get(frozenset((left, right))), self._difference(left, right))

    def _difference(self, left: int, right: int) -> MarkedText | None:
        one, other = self._print(left), self._print(right)
        if one is None or other is None or not (one.text and other.text):
            return None
        return marked_text(one, other, most_pieces=self._most_pieces)

    def _facts(self, left: int, right: int) -> tuple[FactRow, ...]:
        one, other = self._print(left), self._print(right)
        return () if one is None or other is None else facts_of(one, other)

    def _choice(self, subject: int, finding: Finding) -> Choice | None:
        """What the note suggests; by the same rules if there is no note yet."""
        if finding.relation not in COPIES:
            return None
        if finding.keeper is not None:
            loser = finding.other if finding.keeper == subject else subject
            return Choice(finding.keeper, loser, finding.keeper_reason)
        one, two = self._print(subject), self._print(finding.other)
        files = Files(readable=compared(one, two) if one and two else 0.0)
        return suggest(finding, self._heads[subject], self._heads[finding.other], self._ours, files)


def choice_of(ties: Sequence[Tie]) -> Choice | None:
    """The one document of a card to keep: suggested for most pairs and against fewest, and compared with most others."""
    choices = [tie.choice for tie in ties if tie.choice is not None]
    points = Counter(choice.keeper for choice in choices)
    points.subtract(choice.loser for choice in choices)
    degrees = Counter(number for tie in ties for number in (tie.left, tie.right))

    def rank(choice: Choice) -> tuple[int, int, int]:
        return points[choice.keeper], degrees[choice.keeper], -choice.keeper

    return max(choices, key=rank, default=None)


# The facts of two documents side by side: what a person compares where the texts have no words in common


def facts_of(left: Fingerprint, right: Fingerprint) -> tuple[FactRow, ...]:
    """By kind: those of both first, in the order in which they are printed."""
    rows = [
        row
        for (kind, here), (_, there) in zip(_kinds(left.facts), _kinds(right.facts), strict=True)
        for row in _rows(kind, here, there)
    ]
    return tuple(sorted(rows, key=lambda row: not row.agrees)[:MOST_FACTS])


def _rows(kind: str, left: Sequence[str], right: Sequence[str]) -> Iterator[FactRow]:
    for value in left:
        yield FactRow(kind, value, value if value in right else "")
    yield from (FactRow(kind, "", value) for value in right if value not in left)


def _kinds(facts: Facts) -> list[tuple[str, list[str]]]:
    amounts = [f"{amount // 100}.{amount % 100:02d}" for amount in facts.amounts]
    kinds = (("Date", facts.dates), ("Amount", amounts), ("Reference", facts.references))
    return [
        (kind, list(dict.fromkeys(value[:FACT_CHARACTERS] for value in values))) for kind, values in kinds
    ]
