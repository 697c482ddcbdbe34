"""What one request of the page needs: the findings that wait for a person, counters, and the cards of one page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from dedupe_core.model import Relation
from hook.examination.archive import Archive
from hook.findings.decisions import Decisions, Kind
from hook.findings.findings import Finding, Findings, Record
from hook.language.translate import Translate
from hook.paperless.values import HEAD_FIELDS, RawDocument
from hook.review.journal import Journal
from hook.review.kept.instructions import Instructions
from hook.review.kept.refusals import Refusal, Refusals
from hook.review_page.cards import Card, CardMaker, Names
from hook.review_page.exchange import Asked
from hook.review_page.person import Person
from hook.review_page.waiting import Group, Shown, Waiting, counts, groups_of, matches, waiting_of
from hook.session import Session
from hook.settings.model import Settings

SCHEMA: Final = 1
CARDS: Final = 10  # a page

Records = Callable[["Archive"], Iterable[Record]]


@dataclass(frozen=True, slots=True)
class Status:
    """What the service does at this moment. `problem` is empty if all is well."""

    queued: int = 0
    given_up: int = 0
    last_sync: str = ""
    problem: str = ""
    report_only: bool = False


@dataclass(frozen=True, slots=True)
class Overview:
    examined: int
    total: int
    waiting: int
    by_relation: Mapping[Relation, int]
    confirmed: int
    dismissed: int
    identical: int
    names: Names
    settings: Settings
    cards: tuple[Card, ...]
    matching: int  # cards, by the filter
    page: int
    not_done: tuple[Refusal, ...] = ()

    @property
    def pages(self) -> int:
        return max(1, -(-self.matching // CARDS))


def stored_records(archive: Archive) -> Iterable[Record]:
    return (record for record in Findings(archive.index) if record.findings)


def waiting_for(archive: Archive, shown: Shown, records: Records) -> list[Waiting]:
    """What was decided on the page and waits for the worker, is being carried out, or was refused, waits for no person on a card.
    An operation removes the tags before the trash, and the decision is stored after it."""
    decided = {frozenset(decision.pair) for decision in Decisions(archive.index)}
    decided |= {frozenset(operation.both) for operation in Journal(archive.index).open()}
    for told in Instructions(archive.index):
        if told.document in shown.decided:
            decided |= told.pairs
    return waiting_of(records(archive), shown, decided)


def overview(
    archive: Archive,
    person: Person,
    asked: Asked,
    say: Translate,
    records: Records = stored_records,
) -> Overview:
    shown, names = person.shown, person.names()
    kinds = Counter(
        decision.kind for decision in Decisions(archive.index) if set(decision.pair) & shown.visible
    )
    waiting = waiting_for(archive, shown, records)
    theirs = None if asked.correspondent is None else person.of_correspondent(asked.correspondent)
    groups = groups_of(entry for entry in waiting if matches(entry, asked.relation, theirs))
    page = min(asked.page, max(1, -(-len(groups) // CARDS)))
    return Overview(
        sum(1 for number in archive.index.ids() if number in shown.visible),
        len(shown.visible),
        sum(len(entry.findings) for entry in waiting),
        counts(waiting),
        kinds[Kind.CONFIRMED],
        kinds[Kind.DISMISSED],
        len(identical(waiting)),
        names,
        person.settings,
        tuple(cards_of(archive, person, groups[(page - 1) * CARDS : page * CARDS])),
        len(groups),
        page,
        tuple(not_done(archive, shown, say)),
    )


def cards_of(
    archive: Archive, person: Person, groups: Sequence[Group], *, most_pieces: int = 400
) -> list[Card]:
    """Without what Paperless does not show the person at this moment."""
    heads = person.heads(number for group in groups for number in group.documents)
    maker = CardMaker(archive, person.ours, heads, most_pieces=most_pieces)
    return [card for card in map(maker.card, groups) if card is not None]


def not_done(archive: Archive, shown: Shown, say: Translate) -> list[Refusal]:
    """Refused while the tag is there; and, without a state, what was begun while Paperless failed: it is tried again without
    anybody's doing."""
    refused = [
        refusal
        for refusal in Refusals(archive.index)
        if set(refusal.pair) <= shown.visible and set(refusal.pair) & shown.decided
    ]
    failed = say("Paperless failed: it is tried again")
    return refused + [
        Refusal((operation.kept, operation.loser), "", reason=failed, at=operation.started_at)
        for operation in Journal(archive.index).open()
        if operation.failures and operation.kept in shown.visible
    ]


def identical(waiting: Iterable[Waiting]) -> list[Waiting]:
    """Those of which every finding is the same text or file."""
    return [entry for entry in waiting if all(f.relation is Relation.IDENTICAL for f in entry.findings)]


# For `pending`, `groups` and the API: the findings that wait for a decision, one a pair, as plain values


@dataclass(frozen=True, slots=True)
class Undecided:
    """A finding that the user has not decided on; `written` if Paperless shows it."""

    subject: RawDocument
    other: RawDocument
    finding: Finding
    written: bool = True

    def to_json(self) -> dict[str, Any]:
        finding = self.finding
        return {
            "schema": SCHEMA,
            "subject": self.subject.id,
            "other": self.other.id,
            "relation": finding.relation.value,
            "confidence": finding.confidence,
            "reason": finding.reason,
            "subject_title": self.subject.title,
            "other_title": self.other.title,
            "keeper": finding.keeper,
            "keeper_reason": finding.keeper_reason,
            "written": self.written,
        }


def undecided(session: Session, records: Records) -> list[Undecided]:
    """All of them, the strongest first."""
    return with_titles(session, waiting_pairs(session, records))


def waiting_pairs(session: Session, records: Records) -> list[tuple[int, Finding]]:
    """As the review page lists them: without documents that are deleted or have a decision tag, and without those from
    which the user removed our tags."""
    shown = Person(session.client, session.settings, session.archive.index).shown
    pairs = [
        (waiting.subject, finding)
        for waiting in waiting_for(session.archive, shown, records)
        for finding in waiting.findings
    ]
    return sorted(pairs, key=lambda pair: (-pair[1].confidence, pair[0], pair[1].other))


def with_titles(session: Session, pairs: Iterable[tuple[int, Finding]]) -> list[Undecided]:
    """Without documents that were deleted a moment ago."""
    pairs = list(pairs)
    named = sorted({number for subject, finding in pairs for number in (subject, finding.other)})
    heads = {head.id: head for head in session.client.documents_by_id(named, fields=HEAD_FIELDS)}
    stored = map(session.findings.get, {subject for subject, _ in pairs})
    written = {(record.subject, finding.other) for record in stored for finding in record.findings}
    return [
        Undecided(heads[subject], heads[finding.other], finding, (subject, finding.other) in written)
        for subject, finding in pairs
        if subject in heads and finding.other in heads
    ]
