"""A card of the review page: documents, how they relate, what speaks for it and against, and what can be decided.

Made from what the index has stored and from what Paperless shows the person. Nothing is written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from dedupe_core.explain.marked_text import MarkedText, marked_text
from dedupe_core.fingerprint.age import by_age
from dedupe_core.model import Relation
from hook.examination.archive import Archive
from hook.findings.examine import compared
from hook.findings.findings import Finding
from hook.findings.keeper import COPIES, Choice, Files, Ours, suggest
from hook.paperless.values import RawDocument
from hook.review_page.waiting import Group, Waiting


@dataclass(frozen=True, slots=True)
class Tie:
    """Two documents of a card: `left` is the older one or the one that was there first. A translation has no `difference`: its
    words are others."""

    left: int
    right: int
    finding: Finding
    difference: MarkedText | None = None
    choice: Choice | None = None

    @property
    def both(self) -> frozenset[int]:
        return frozenset((self.left, self.right))


@dataclass(frozen=True, slots=True)
class Card:
    """`choice`: which document of the whole card to keep."""

    group: Group
    papers: tuple[RawDocument, ...]
    ties: tuple[Tie, ...]
    choice: Choice | None = None

    @property
    def first(self) -> Tie:
        """The surest pair: the heading speaks of it."""
        return max(self.ties, key=lambda tie: tie.finding.confidence)

    @property
    def head(self) -> int:
        """The document to keep; if none is suggested, the later one of the surest pair."""
        return self.choice.keeper if self.choice else self.first.right

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
    bounds the text of a difference; 0 for none."""

    def __init__(
        self, archive: Archive, ours: Ours, heads: Mapping[int, RawDocument], *, most_pieces: int = 400
    ) -> None:
        self._ours, self._heads, self._most_pieces = ours, heads, most_pieces
        self._print = cache(archive.fingerprint_of)

    def card(self, group: Group) -> Card | None:
        """None if Paperless shows the person none of the pairs any more."""
        group = Group(tuple(seen for entry in group.members if (seen := self._seen(entry)).findings))
        if not group.members:
            return None
        ties = tuple(self._ties(group))
        papers = tuple(self._heads[number] for number in sorted(group.documents))
        return Card(group, papers, ties, choice_of(ties))

    def _seen(self, waiting: Waiting) -> Waiting:
        findings = waiting.findings if waiting.subject in self._heads else ()
        return Waiting(
            waiting.subject, tuple(finding for finding in findings if finding.other in self._heads)
        )

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
                yield self._tie(left, right, finding, self._choice(entry.subject, finding))

    def _tie(self, left: int, right: int, finding: Finding, choice: Choice | None) -> Tie:
        one, other, difference = self._print(left), self._print(right), None
        is_shown = self._most_pieces > 0 and finding.relation is not Relation.TRANSLATED
        if is_shown and one and other and one.text and other.text:
            difference = marked_text(one, other, most_pieces=self._most_pieces)
        return Tie(left, right, finding, difference, choice)

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
