"""What a decision will do to a pair of documents: for the run that does it, and for the review page, which shows it before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hook.errors import NotFoundError
from hook.language.translate import Phrase
from hook.paperless.values import RawDocument
from hook.review.asked import asked, refuse_contradiction, refuse_withdrawn
from hook.review.journal import Goal, ImpossibleError, Operation
from hook.review.kept.instructions import Do, Instruction
from hook.review.merge_rules import (
    Cleared,
    difference_in_words,
    difference_key,
    is_trashable,
    newer_of,
    refuse_changed,
    refuse_owners,
    same_print,
    trash_operation,
)
from hook.review.resolve import Pair, Resolver
from hook.review.same_text.differences import Difference
from hook.review.versions import version_operation
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
        goal, places = self.goal("", pair, told), list[Place]()
        if goal is None:
            return Foreseen()

        def listed(
            kept: RawDocument, loser: RawDocument, found: Sequence[Difference]
        ) -> frozenset[Difference]:
            same = same_print(self._session, kept, loser, found) if looks else frozenset()
            both = (kept.id, loser.id)
            places.extend(
                Place(difference_key(one, *both), difference_in_words(one, *both), one in same)
                for one in found
            )
            return frozenset(found)

        try:
            operation = self._planned(pair, goal, told, listed)
        except ImpossibleError as error:
            return Foreseen(goal, reason=error.phrase)
        return Foreseen(goal, operation.kept, operation.loser, tuple(places))

    def operation(
        self, document: RawDocument, pair: Pair, goal: Goal, told: Instruction | None = None
    ) -> Operation:
        """The tag on `document` asks for it. Raises ImpossibleError."""
        return self._planned(pair, goal, told, None if told is None else self._accepted(told), document)

    def _planned(
        self,
        pair: Pair,
        goal: Goal,
        told: Instruction | None,
        cleared: Cleared | None,
        document: RawDocument | None = None,
    ) -> Operation:
        """Both documents are read again, with their texts."""
        try:
            subject, other = map(self._client.document, (pair.subject, pair.finding.other))
        except NotFoundError as error:
            raise ImpossibleError("one of them was deleted") from error
        refuse_changed(pair.record, pair.finding, subject, other)
        if goal is Goal.TRASH:
            replaces = self.wanted(pair) is OnConfirm.REPLACE
            prefer = newer_of(self._session, subject, other) if replaces else None
            chosen = told.keep if told else None
            operation = trash_operation(
                self._session, pair.finding, subject, other, prefer=prefer, chosen=chosen, cleared=cleared
            )
        else:
            operation = version_operation(self._client, subject, other)
        both = {document.id: document for document in (subject, other)}
        decided_on = {one.id for one in both.values() if self._resolver.decision_tags(one)}
        if told is not None:
            decided_on.add(operation.loser)  # the page sets the tag there
        kept, loser = (self._session.writer.with_shares(both[n]) for n in (operation.kept, operation.loser))
        refuse_owners(kept, loser, decided_on)
        seen = asked(self._session, both.values())
        before = {**seen, **(asked(self._session, [document]) if document else {})}
        refuse_withdrawn(self._session, replace(operation, asked=before), both.values())
        operation = replace(operation, asked=seen)
        refuse_contradiction(self._session, operation)
        return operation

    def _accepted(self, told: Instruction) -> Cleared:
        """What the person has looked at; of the rest, what is printed alike on both pages."""

        def cleared(
            kept: RawDocument, loser: RawDocument, found: Sequence[Difference]
        ) -> frozenset[Difference]:
            seen = {one for one in found if difference_key(one, kept.id, loser.id) in told.looked}
            rest = [one for one in found if one not in seen]
            return frozenset(seen) | (same_print(self._session, kept, loser, rest) if rest else frozenset())

        return cleared
