"""What one request of the page needs: the findings that wait for a person, counters, and the cards of one page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from dedupe_core.model import Relation
from hook.findings.decisions import Decisions, Kind
from hook.findings.findings import Findings, Record
from hook.language.translate import Translate
from hook.review.journal import Journal
from hook.review.kept.instructions import Do, Instructions
from hook.review.kept.refusals import Refusal, Refusals
from hook.review_page.cards import Card, CardMaker, Names
from hook.review_page.exchange import Asked
from hook.review_page.person import Person
from hook.review_page.plan import default_of
from hook.review_page.waiting import Group, Shown, Waiting, counts, groups_of, matches, waiting_of

if TYPE_CHECKING:
    from hook.examination.archive import Archive
    from hook.settings.model import Settings

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
    """`moving`: how many documents would go to the trash if every finding was confirmed."""

    examined: int
    total: int
    waiting: int
    by_relation: Mapping[Relation, int]
    confirmed: int
    dismissed: int
    moving: int
    identical: int
    names: Names
    settings: Settings
    cards: tuple[Card, ...]
    found: int  # cards that match the filter
    page: int
    not_done: tuple[Refusal, ...] = ()

    @property
    def pages(self) -> int:
        return max(1, -(-self.found // CARDS))


def stored_records(archive: Archive) -> Iterable[Record]:
    return (record for record in Findings(archive.index) if record.findings)


def waiting_for(archive: Archive, shown: Shown, records: Records) -> list[Waiting]:
    """What was decided on the page and waits for the worker, is being carried out, or was refused, waits for no person on a card.
    An operation removes the tags before the trash, and the decision is stored after it."""
    decided = {decision.pair for decision in Decisions(archive.index)}
    decided |= {operation.pair for operation in Journal(archive.index).open()}
    for told in Instructions(archive.index):
        if told.document in shown.decided:
            decided |= {(min(pair), max(pair)) for pair in told.pairs}
    return waiting_of(records(archive), shown, lambda one, two: (min(one, two), max(one, two)) in decided)


def overview(
    archive: Archive,
    person: Person,
    asked: Asked,
    say: Translate,
    *,
    later: Sequence[str] = (),
    records: Records = stored_records,
) -> Overview:
    shown, names = person.shown, person.names()
    kinds = Counter(
        decision.kind for decision in Decisions(archive.index) if set(decision.pair) & shown.visible
    )
    waiting = waiting_for(archive, shown, records)
    theirs = None if asked.correspondent is None else person.of_correspondent(asked.correspondent)
    wanted = [entry for entry in waiting if matches(entry, asked.relation, asked.least, theirs)]
    groups = _ordered(groups_of(wanted), later)
    page = min(asked.page, max(1, -(-len(groups) // CARDS)))
    settings = person.settings
    return Overview(
        sum(1 for number in archive.index.ids() if number in shown.visible),
        len(shown.visible),
        sum(len(entry.findings) for entry in waiting),
        counts(waiting),
        kinds[Kind.CONFIRMED],
        kinds[Kind.DISMISSED],
        sum(default_of(entry.findings[0].relation, settings) is Do.TRASH for entry in waiting),
        len(identical(waiting)),
        names,
        settings,
        tuple(cards_of(archive, person, groups[(page - 1) * CARDS : page * CARDS], names)),
        len(groups),
        page,
        tuple(not_done(archive, shown, say)),
    )


def cards_of(
    archive: Archive, person: Person, groups: Sequence[Group], names: Names, *, most_pieces: int = 400
) -> list[Card]:
    """Without what Paperless does not show the person at this moment."""
    heads = person.heads(number for group in groups for number in group.documents)
    maker = CardMaker(archive, names.ours, heads, most_pieces=most_pieces)
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


def _ordered(groups: Sequence[Group], later: Sequence[str]) -> list[Group]:
    """What was put off comes last, in the order in which it was."""
    place = {key: number for number, key in enumerate(later, 1)}
    return sorted(groups, key=lambda group: place.get(group.key, 0))
