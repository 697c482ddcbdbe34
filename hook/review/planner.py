"""What a decision will do to a pair of documents: for the run that does it, and for the review page, which shows it before.

Everything here only reads.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace

from dedupe_core.model import Relation
from hook.errors import NotFoundError
from hook.findings.keeper import COPIES
from hook.language.translate import Phrase
from hook.paperless.values import RawDocument
from hook.review.asked import asked, decision_tags, refuse_contradiction, refuse_withdrawn
from hook.review.journal import Do, ImpossibleError, Operation
from hook.review.kept.instructions import Instruction
from hook.review.merge_rules import (
    choose_kept,
    difference_in_words,
    difference_key,
    newer_of,
    refuse_changed,
    refuse_differences,
    refuse_owners,
    same_print,
    text_hash,
)
from hook.review.resolve import Pair
from hook.review.same_text.differences import Difference
from hook.review.versions import attach_step
from hook.session import Session
from hook.settings.model import Settings
from hook.settings.types import OnConfirm


@dataclass(frozen=True, slots=True)
class Place:
    """Where the texts differ: to be looked at before anything is moved, unless `is_same`, the print on both pages."""

    key: str
    words: Phrase
    is_same: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """What a person wants, and what will become of the documents: without a loser all stay, with a reason it is impossible."""

    told: Instruction
    kept: int | None = None
    loser: int | None = None
    places: tuple[Place, ...] = ()
    reason: Phrase | None = None

    @property
    def open(self) -> tuple[Place, ...]:
        """Places that nobody has looked at yet."""
        if everything(self.places) in self.told.looked:
            return ()
        return tuple(p for p in self.places if not p.is_same and p.key not in self.told.looked)

    @property
    def is_ready(self) -> bool:
        return self.reason is None and not self.open

    def as_told(self) -> Instruction:
        """The tag goes on the document that is moved: who may not change that one, may not move it."""
        if self.loser is None or self.kept is None:
            return self.told
        looked = frozenset(place.key for place in self.places)
        return replace(self.told, document=self.loser, others=(self.kept,), keep=self.kept, looked=looked)


def everything(places: Iterable[Place]) -> str:
    """One key for all of these places: "I looked: same"."""
    return hashlib.sha256(" ".join(sorted(place.key for place in places)).encode("ascii")).hexdigest()[:32]


def default_of(relation: Relation, settings: Settings) -> Do:
    """What confirming a finding does, by the settings: `trash` alone moves only copies."""
    wanted = settings.confirm_for(relation)
    if wanted is OnConfirm.MAKE_VERSION:
        return Do.VERSION
    is_moved = wanted is OnConfirm.REPLACE or (wanted is OnConfirm.TRASH and relation in COPIES)
    return Do.TRASH if is_moved else Do.KEEP


def foresee(session: Session, pair: Pair, told: Instruction, *, looks: bool = False) -> Line:
    """As `planned_operation` would do it. With `looks`, the pages are looked at where the texts differ."""
    try:
        operation, both, differences = _planned(session, pair, told.do, told)
    except ImpossibleError as error:
        return Line(told, reason=error.phrase)
    kept, loser = operation.kept, operation.loser
    same = same_print(session, *both, differences) if looks and differences else frozenset()
    places = tuple(
        Place(difference_key(each, kept, loser), difference_in_words(each, kept, loser), each in same)
        for each in differences
    )
    return Line(told, kept, loser, places)


def planned_operation(
    session: Session, document: RawDocument, pair: Pair, do: Do, told: Instruction | None = None
) -> Operation:
    """The tag on `document` asks for it. Raises ImpossibleError, also for a difference that the person has not looked at
    and that is not printed alike on both pages."""
    operation, both, differences = _planned(session, pair, do, told, document)
    kept, loser = operation.kept, operation.loser
    looked = told.looked if told else frozenset()
    left = [each for each in differences if difference_key(each, kept, loser) not in looked]
    if left:
        same = same_print(session, *both, left)
        left = [each for each in left if each not in same]
    refuse_differences(left, kept, loser, session.settings.tag_keep)
    return operation


def _planned(
    session: Session, pair: Pair, do: Do, told: Instruction | None, document: RawDocument | None = None
) -> tuple[Operation, tuple[RawDocument, RawDocument], list[Difference]]:
    """With the one to keep and the other, and where their texts differ."""
    kept, loser, differences = _chosen(session, pair, do, told)
    both = (kept, loser)
    steps = (attach_step(session.client, kept, loser),) if do is Do.VERSION else ()
    hashes = {str(each.id): text_hash(each) for each in both}
    operation = Operation(0, do, kept.id, loser.id, pair.subject, hashes, {}, steps=steps)
    decided_on = {each.id for each in both if decision_tags(session, each)}
    if told is not None:
        decided_on.add(loser.id)  # the page sets the tag there
    refuse_owners(session.writer.with_shares(kept), session.writer.with_shares(loser), decided_on)
    present = asked(session, both)
    before = {**present, **(asked(session, [document]) if document else {})}
    refuse_withdrawn(session, replace(operation, asked=before), both)
    operation = replace(operation, asked=present)
    refuse_contradiction(session, operation)
    return operation, both, differences


def _chosen(
    session: Session, pair: Pair, do: Do, told: Instruction | None
) -> tuple[RawDocument, RawDocument, list[Difference]]:
    """Both are read again, with their texts. A version is made of the newer file, and its text does not matter."""
    try:
        subject, other = map(session.client.document, (pair.subject, pair.finding.other))
    except NotFoundError as error:
        raise ImpossibleError("one of them was deleted") from error
    refuse_changed(pair.record, pair.finding, subject, other)
    if do is Do.VERSION:
        older, newer = sorted((subject, other), key=lambda each: (each.added, each.id))
        return older, newer, []
    replaces = session.settings.confirm_for(pair.finding.relation) is OnConfirm.REPLACE
    prefer = newer_of(session, subject, other) if replaces else None
    return choose_kept(
        session, pair.finding, subject, other, prefer=prefer, chosen=told.keep if told else None
    )
