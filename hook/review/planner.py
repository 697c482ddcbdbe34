"""What a decision will do to a pair of documents: for the run that does it, and for the review page, which shows it before."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hook.errors import NotFoundError
from hook.language.translate import Phrase
from hook.paperless.values import RawDocument
from hook.review.asked import asked, refuse_contradiction, refuse_withdrawn
from hook.review.journal import Goal, ImpossibleError, Operation
from hook.review.kept.instructions import Do, Instruction
from hook.review.merge_rules import (
    choose_kept,
    difference_in_words,
    difference_key,
    is_trashable,
    newer_of,
    refuse_changed,
    refuse_differences,
    refuse_owners,
    same_print,
    text_hash,
)
from hook.review.resolve import Pair, Resolver
from hook.review.same_text.differences import Difference
from hook.review.versions import attach_step
from hook.session import Session
from hook.settings.types import OnConfirm


@dataclass(frozen=True, slots=True)
class Place:
    """Where the texts differ: to be looked at before anything is moved, unless `is_same`, the print on both pages."""

    key: str
    words: Phrase
    is_same: bool = False


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What a decision on a pair will do. All stay if there is no goal; with a reason it is impossible."""

    goal: Goal | None = None
    kept: int | None = None
    loser: int | None = None
    places: tuple[Place, ...] = ()
    reason: Phrase | None = None


class Planner:
    """Only reads."""

    def __init__(self, session: Session, resolver: Resolver) -> None:
        self._session, self._client, self._settings = session, session.client, session.settings
        self._resolver = resolver

    def wanted(self, pair: Pair) -> OnConfirm:
        return self._settings.confirm_for(pair.finding.relation)

    def goal(self, decision: str, pair: Pair, told: Instruction | None = None) -> Goal | None:
        """What to do with the two documents; None if both stay as they are."""
        if told is not None:
            return {Do.TRASH: Goal.TRASH, Do.VERSION: Goal.VERSION}.get(told.do)
        wanted = self.wanted(pair)
        if decision == self._settings.tag_make_version or wanted is OnConfirm.MAKE_VERSION:
            return Goal.VERSION
        moves = wanted is OnConfirm.REPLACE or (wanted is OnConfirm.TRASH and is_trashable(pair.finding))
        return Goal.TRASH if moves else None

    def foresee(self, pair: Pair, told: Instruction, *, looks: bool = False) -> Foreseen:
        """As `operation` would do it. With `looks`, the pages are looked at where the texts differ."""
        if (goal := self.goal("", pair, told)) is None:
            return Foreseen()
        try:
            operation, both, differences = self._planned(pair, goal, told)
        except ImpossibleError as error:
            return Foreseen(goal, reason=error.phrase)
        kept, loser = operation.kept, operation.loser
        same = same_print(self._session, *both, differences) if looks and differences else frozenset()
        places = tuple(
            Place(difference_key(each, kept, loser), difference_in_words(each, kept, loser), each in same)
            for each in differences
        )
        return Foreseen(goal, kept, loser, places)

    def operation(
        self, document: RawDocument, pair: Pair, goal: Goal, told: Instruction | None = None
    ) -> Operation:
        """The tag on `document` asks for it. Raises ImpossibleError, also for a difference that the person has not looked at
        and that is not printed alike on both pages."""
        operation, both, differences = self._planned(pair, goal, told, document)
        kept, loser = operation.kept, operation.loser
        looked = told.looked if told else frozenset()
        left = [each for each in differences if difference_key(each, kept, loser) not in looked]
        if left:
            same = same_print(self._session, *both, left)
            left = [each for each in left if each not in same]
        refuse_differences(left, kept, loser, self._settings.tag_keep)
        return operation

    def _planned(
        self, pair: Pair, goal: Goal, told: Instruction | None, document: RawDocument | None = None
    ) -> tuple[Operation, tuple[RawDocument, RawDocument], list[Difference]]:
        """With the one to keep and the other, and where their texts differ."""
        kept, loser, differences = self._chosen(pair, goal, told)
        both = (kept, loser)
        steps = (attach_step(self._client, kept, loser),) if goal is Goal.VERSION else ()
        hashes = {str(each.id): text_hash(each) for each in both}
        operation = Operation(0, goal, kept.id, loser.id, pair.subject, hashes, {}, steps=steps)
        decided_on = {each.id for each in both if self._resolver.decision_tags(each)}
        if told is not None:
            decided_on.add(loser.id)  # the page sets the tag there
        with_shares = self._session.writer.with_shares
        refuse_owners(with_shares(kept), with_shares(loser), decided_on)
        present = asked(self._session, both)
        before = {**present, **(asked(self._session, [document]) if document else {})}
        refuse_withdrawn(self._session, replace(operation, asked=before), both)
        operation = replace(operation, asked=present)
        refuse_contradiction(self._session, operation)
        return operation, both, differences

    def _chosen(
        self, pair: Pair, goal: Goal, told: Instruction | None
    ) -> tuple[RawDocument, RawDocument, list[Difference]]:
        """Both are read again, with their texts. A version is made of the newer file, and its text does not matter."""
        try:
            subject, other = map(self._client.document, (pair.subject, pair.finding.other))
        except NotFoundError as error:
            raise ImpossibleError("one of them was deleted") from error
        refuse_changed(pair.record, pair.finding, subject, other)
        if goal is Goal.VERSION:
            older, newer = sorted((subject, other), key=lambda each: (each.added, each.id))
            return older, newer, []
        replaces = self.wanted(pair) is OnConfirm.REPLACE
        prefer = newer_of(self._session, subject, other) if replaces else None
        chosen = told.keep if told else None
        return choose_kept(self._session, pair.finding, subject, other, prefer=prefer, chosen=chosen)
