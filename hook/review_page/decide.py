"""What a person decides on the page: the tag that the person would set in Paperless, what is to be done for it, and undo.

A tag is set with the person's own token, so Paperless refuses what the person may not change. The decision is then
acted on as any other: by the worker of the service, or by the next run. If the service is killed, nothing is lost.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Final

from dedupe_core.explain.say import message
from hook.batching import batched
from hook.errors import DedupeError
from hook.index.ids import parse_id
from hook.language.translate import Translate
from hook.paperless.client import Paperless
from hook.review.journal import Do, Journal, Operation, Stage
from hook.review.kept.instructions import Instruction, Instructions
from hook.review.kept.refusals import Refusals
from hook.review.planner import Line
from hook.review.undo import NothingToUndoError, can_be_restored, forget_decisions, undo
from hook.review_page.overview import waiting_for
from hook.review_page.person import Person
from hook.review_page.plan import Action, Chosen, lines_of, wishes
from hook.review_page.sessions import Decided, PageSession
from hook.review_page.waiting import Shown, Waiting
from hook.session import Session

MOST_AT_ONCE: Final = 250  # documents per call
MOST_PLANNED: Final = 20  # findings of one decision that are planned before: some ten requests each
PATIENCE_S: Final = 5.0
POLL_S: Final = 0.05
_DECIDED: Final = message(
    "This finding has changed or was decided in the meantime. Nothing was written: look at it again."
)


class ChangedError(DedupeError):
    """What the person saw is not what is there now; nothing was written."""


class NotReadyError(ChangedError):
    """Something is in the way of a decision: `lines` say what. Nothing was written."""

    def __init__(self, text: str, lines: Sequence[Line]) -> None:
        super().__init__(text)
        self.lines = lines


class Deciding:
    """One request of a person. `session` is that of the service: it will carry out what is stored here."""

    def __init__(
        self,
        person: PageSession,
        session: Session,
        keys: Sequence[str],
        say: Translate,
        *,
        looks: bool = False,
    ) -> None:
        self._person, self._session, self._settings, self._say = person, session, session.settings, say
        self._keys, self._looks = keys, looks
        self._seen = Person(person.client, session.settings, session.archive.index)
        self._shown, self.members = self._found()

    def _found(self) -> tuple[Shown, list[Waiting]]:
        """The findings of these keys as they are now. Of a few, only their documents are asked for."""
        subjects = {number for key in self._keys if (number := parse_id(key.partition(":")[0]))}
        records = [self._session.findings.get(number) for number in sorted(subjects)]
        documents = {n for record in records for n in (record.subject, *(f.other for f in record.findings))}
        shown = self._seen.shown if len(subjects) > MOST_PLANNED else self._seen.shown_of(documents)
        waiting = {entry.key: entry for entry in waiting_for(self._session.archive, shown, lambda _: records)}
        if not self._keys or any(key not in waiting for key in self._keys):
            raise ChangedError(self._say(_DECIDED))
        return shown, [waiting[key] for key in dict.fromkeys(self._keys)]

    def lines(self, chosen: Chosen) -> list[Line]:
        may_change, by = self._person.client.may_change, self._person.username
        return lines_of(self._session, self.members, chosen, may_change, by, looks=self._looks)

    def same(self, chosen: Chosen) -> tuple[list[Instruction], list[Line]]:
        """What is to be stored, and the plan of it; NotReadyError if something is in the way. A bulk decision has no plan:
        what cannot be done is on the list of what was refused."""
        if len(self.members) > MOST_PLANNED:
            return list(wishes(self.members, chosen, self._settings, self._person.username)), []
        lines = self.lines(chosen)
        if not lines or not all(line.is_ready for line in lines):
            self._refuse_taken([line.told for line in lines])
            raise NotReadyError(self._say("Not yet: look at what is in the way."), lines)
        return [line.as_told() for line in lines], lines

    def other(self, action: Action) -> list[Instruction]:
        do = Do.SKIP if action is Action.SKIP else Do.DISMISS
        by = self._person.username
        return [Instruction(member.subject, member.documents[1:], do, by=by) for member in self.members]

    def write(self, told: Sequence[Instruction], notify: Callable[[int], None], words: str) -> None:
        """First what is to be done, then the tag; the worker is told last. If the service is killed in between, there is the
        tag with its instruction, or no tag and the finding still waits."""
        instructions = Instructions(self._session.archive.index)
        if (taken := instructions.claim(told, self._shown.decided)) is not None:
            raise self._taken(taken)
        documents = sorted({instruction.document for instruction in told})
        try:
            tags = self._tag(told)
        except BaseException:
            instructions.forget(*documents)
            raise
        pairs = tuple((instruction.document, other) for instruction in told for other in instruction.others)
        self._person.undoable.append(Decided(tags, tuple(documents), pairs, words))
        for document in documents:
            notify(document)

    def _refuse_taken(self, told: Sequence[Instruction]) -> None:
        """If what is in the way is the decision of somebody else, the message says so."""
        taken = Instructions(self._session.archive.index).contradicting(told, self._shown.decided)
        if taken is not None:
            raise self._taken(taken)
        if any(self._session.decisions.has(*pair) for instruction in told for pair in instruction.pairs):
            raise ChangedError(self._say(_DECIDED))

    def _taken(self, by: Instruction) -> ChangedError:
        words = message("{who} has just decided on #{n}. Nothing was written: load the page again.")
        return ChangedError(self._say(words, who=by.by or self._say("Somebody"), n=by.document))

    def _tag(self, told: Sequence[Instruction]) -> tuple[int, ...]:
        refusals = Refusals(self._session.archive.index)
        ids = self._seen.labels.ensure({instruction.tag(self._settings) for instruction in told})
        for instruction in told:
            for other in (instruction.document, *instruction.others):
                refusals.try_again(instruction.document, other)
        for name, tag in ids.items():
            documents = {each.document for each in told if each.tag(self._settings) == name}
            for some in batched(sorted(documents), MOST_AT_ONCE):
                self._person.client.modify_tags(some, add=[tag])
        return tuple(ids.values())


def undo_decision(
    person: PageSession,
    session: Session,
    pair: tuple[int, int] | None,
    notify: Callable[[int], None],
    say: Translate,
) -> str:
    """The decision on this pair, whoever made it; else the person's last one: the tag is removed, or what was done because of it
    is undone. `session` is that of the service, which did it. What the person may not change stays."""
    decided = _last(person, say) if pair is None else _stored(person, session, pair, say)
    with session.archive.index.writing_lock(session.deadline):
        touched = _take_back(decided, person.client, session, say)
    for number in touched:
        notify(number)
    _await_worker(session, touched)
    return say("Undone: {words}", words=decided.words)


def _last(person: PageSession, say: Translate) -> Decided:
    if not person.undoable:
        raise NothingToUndoError(say("There is nothing to undo."))
    return person.undoable.pop()


def _stored(person: PageSession, session: Session, pair: tuple[int, int], say: Translate) -> Decided:
    """If nothing was moved, the person must be allowed to change both documents."""
    if (decision := session.decisions.get(*pair)) is None:
        raise NothingToUndoError(say("There is nothing to undo."))
    if not decision.action and not all(map(person.client.may_change, pair)):
        raise NothingToUndoError(say("You may not change these documents."))
    return Decided((), (), (pair,), f"#{pair[0]}, #{pair[1]}")


def again(
    person: PageSession,
    session: Session,
    documents: Sequence[int],
    notify: Callable[[int], None],
    say: Translate,
) -> str:
    """For a decision that was refused: its tags are removed with the person's token, so the finding is a card again."""
    seen = Person(person.client, session.settings, session.archive.index)
    tags = seen.decision_tags
    heads = [head for head in seen.heads(documents).values() if not tags.isdisjoint(head.tags)]
    person.client.modify_tags([head.id for head in heads], remove=tags)
    Instructions(session.archive.index).forget(*documents)
    refusals = Refusals(session.archive.index)
    for number in documents:
        for two in documents:
            refusals.try_again(number, two)
        notify(number)
    return say("{names}: decide again", names=", ".join(f"#{number}" for number in documents))


def _await_worker(session: Session, documents: Sequence[int]) -> None:
    """Only the worker examines: it may have read a document before the tag was removed, and two that examine the same
    document would undo each other's writes. The person waits a moment, so that the next page shows the finding."""
    for _ in range(int(PATIENCE_S / POLL_S)):
        if set(documents).isdisjoint(session.queue.numbers()):
            return
        time.sleep(POLL_S)


def _take_back(last: Decided, client: Paperless, session: Session, say: Translate) -> list[int]:
    """The documents to examine. First the tags that nobody has acted on yet: one call."""
    heads = list(client.documents_by_id(last.subjects, fields=("id", "tags")))
    tagged = [head.id for head in heads if set(last.tags) & set(head.tags)]
    client.modify_tags(tagged, remove=last.tags)
    Instructions(session.archive.index).forget(*last.subjects)
    touched: list[int] = []
    for operation in _operations(last, session):
        _require_rights(operation, client, session, say)
        touched += undo(session, operation.loser, lambda line: None)
    decisions = [session.decisions.get(*pair) for pair in last.pairs]
    touched += forget_decisions(session, list(filter(None, decisions)), client)
    return list(dict.fromkeys(touched or last.subjects))


def _operations(last: Decided, session: Session) -> list[Operation]:
    """Documents that were moved because of this decision; the newest operation of each pair."""
    done = [entry for entry in Journal(session.archive.index) if entry.stage is not Stage.ROLLED_BACK]
    newest = {frozenset(operation.both): operation for operation in done}
    pairs = dict.fromkeys(map(frozenset, last.pairs))
    return [newest[pair] for pair in pairs if pair in newest]


def _require_rights(operation: Operation, client: Paperless, session: Session, say: Translate) -> None:
    """The service undoes it with its own token, so it asks first whether this person may."""
    kept, loser = operation.kept, operation.loser
    is_there = client.may_change(loser) or client.trashed_document(loser) is not None
    if not is_there and not can_be_restored(session, loser):
        raise NothingToUndoError(say("#{n} is not in the trash any more.", n=loser))
    if not client.may_change(kept) or not is_there:
        raise NothingToUndoError(say("You may not change these documents."))
