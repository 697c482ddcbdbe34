"""A card of the review page: documents, how they relate, what speaks for it and against, and what can be decided.

Made from what the index has stored and from what Paperless shows the person. Nothing is written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from dedupe_core.explain.marked_text import MarkedText, marked_text
from dedupe_core.explain.words import Tone, sentences, tone
from dedupe_core.fingerprint.age import by_age
from dedupe_core.model import Fingerprint, Relation
from hook.findings.examine import compared
from hook.findings.findings import Finding
from hook.findings.keeper import COPIES, Choice, Files, Ours, suggest
from hook.language.translate import Translate
from hook.log import plain
from hook.paperless.values import RawDocument
from hook.review_page.effects import Action, effect_of
from hook.review_page.facts import FactRow, facts_of
from hook.review_page.waiting import Group, Waiting, is_chain

if TYPE_CHECKING:
    from hook.examination.archive import Archive
    from hook.settings.model import Settings

MOST_CHIPS: Final = 10
CHIP_CHARACTERS: Final = 120
TITLE_CHARACTERS: Final = 160


@dataclass(frozen=True, slots=True)
class Chip:
    """One statement of the reason."""

    text: str
    tone: Tone


@dataclass(frozen=True, slots=True)
class Paper:
    """A document as it is shown. `tags` are without ours."""

    id: int
    title: str
    url: str
    created: str = ""
    added: str = ""
    correspondent: str = ""
    asn: int | None = None
    tags: tuple[str, ...] = ()
    pages: int | None = None
    may_change: bool = True


@dataclass(frozen=True, slots=True)
class Tie:
    """Two documents of a card: `left` is the older one or the one that was there first."""

    left: int
    right: int
    relation: Relation
    confidence: float | None
    chips: tuple[Chip, ...]
    difference: MarkedText | None
    facts: tuple[FactRow, ...] = ()  # of a translation: its words are others
    keeper: int | None = None
    keeper_reason: str = ""


@dataclass(frozen=True, slots=True)
class Choices:
    """What can be decided on one document with findings, and what each button does."""

    key: str
    subject: int
    others: tuple[int, ...]
    effects: Mapping[Action, str]


@dataclass(frozen=True, slots=True)
class Card:
    key: str
    papers: tuple[Paper, ...]
    ties: tuple[Tie, ...]
    choices: tuple[Choices, ...]
    is_chain: bool = False
    keeper: int | None = None  # one for the whole card
    keeper_reason: str = ""

    @property
    def first(self) -> Tie:
        """The surest pair: the heading speaks of it."""
        return max(self.ties, key=lambda tie: tie.confidence or 0.0)

    @property
    def may_decide(self) -> bool:
        """True if the person may change one of the documents."""
        return any(paper.may_change for paper in self.papers)

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

    def __init__(
        self, archive: Archive, settings: Settings, names: Names, say: Translate, *, most_pieces: int = 400
    ) -> None:
        self._archive, self._settings, self._names, self._say = archive, settings, names, say
        self._most_pieces = most_pieces

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
        return Card(
            group.key,
            tuple(self._paper(heads[number]) for number in order),
            ties,
            tuple(self._choices(one) for one in group.members),
            chain,
            *keeper_of(ties),
        )

    def _prints(self, documents: Sequence[int]) -> dict[int, Fingerprint]:
        known = map(self._archive.fingerprint_of, documents)
        return {one.id: one for one in known if one is not None}

    def _order(self, group: Group, prints: Mapping[int, Fingerprint]) -> list[int]:
        """Editions by age; else the lowest number first, which is the one that was there first."""
        if is_chain(group) and all(number in prints for number in group.documents):
            return [one.id for one in by_age(prints[number] for number in group.documents)]
        return sorted(group.documents)

    def _paper(self, head: RawDocument) -> Paper:
        tags = [
            self._names.tags[tag]
            for tag in head.tags
            if tag in self._names.tags and tag not in self._names.ours.tags
        ]
        correspondent = (
            "" if head.correspondent is None else self._names.correspondents.get(head.correspondent, "")
        )
        return Paper(
            head.id,
            plain(head.title, TITLE_CHARACTERS) or f"#{head.id}",
            self._settings.document_url(head.id),
            head.created[:10],
            head.added[:10],
            plain(correspondent, TITLE_CHARACTERS),
            head.archive_serial_number,
            tuple(plain(name, TITLE_CHARACTERS) for name in tags),
            head.page_count,
            head.may_change is not False,
        )

    def _ties(
        self, group: Group, heads: Mapping[int, RawDocument], prints: Mapping[int, Fingerprint]
    ) -> Iterator[Tie]:
        for entry in group.members:
            for finding in entry.findings:
                left, right = self._sides(entry.subject, finding, prints)
                is_translated = finding.relation is Relation.TRANSLATED
                choice = self._choice(entry.subject, finding, heads, prints)
                yield Tie(
                    left,
                    right,
                    finding.relation,
                    finding.confidence,
                    self._chips(finding),
                    None if is_translated else self._difference(left, right, prints),
                    self._facts(left, right, prints) if is_translated else (),
                    choice.keeper if choice else None,
                    choice.reason if choice else "",
                )

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
            finding = found.get(frozenset((left, right)))
            chips = self._chips(finding) if finding else ()
            confidence = finding.confidence if finding else None
            yield Tie(
                left, right, Relation.REVISION, confidence, chips, self._difference(left, right, prints)
            )

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
        return suggest(finding, heads[subject], heads[finding.other], self._names.ours, files)

    def _choices(self, waiting: Waiting) -> Choices:
        effects = {action: effect_of(action, waiting, self._settings, self._say) for action in Action}
        return Choices(waiting.key, waiting.subject, waiting.documents[1:], effects)

    def _chips(self, finding: Finding) -> tuple[Chip, ...]:
        said = sentences(finding.statements, self._say)[:MOST_CHIPS]
        return tuple(Chip(plain(words, CHIP_CHARACTERS), tone(statement)) for statement, words in said)


def keeper_of(ties: Sequence[Tie]) -> tuple[int | None, str]:
    """The one document of a card to keep: suggested for most pairs and against fewest, and compared with most others."""
    kept = [tie for tie in ties if tie.keeper is not None]
    if not kept:
        return None, ""
    points = Counter(tie.keeper for tie in kept)
    points.subtract(tie.right if tie.keeper == tie.left else tie.left for tie in kept)
    degrees = Counter(number for tie in ties for number in (tie.left, tie.right))
    suggested = {tie.keeper: tie.keeper_reason for tie in reversed(kept)}
    best = max(suggested, key=lambda number: (points[number], degrees[number or 0], -(number or 0)))
    return best, suggested[best]


def _seen(waiting: Waiting, heads: Mapping[int, RawDocument]) -> Waiting | None:
    findings = tuple(finding for finding in waiting.findings if finding.other in heads)
    if waiting.subject not in heads or not findings:
        return None
    return Waiting(waiting.subject, findings)
