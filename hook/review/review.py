"""Picks up what people have decided by tag, and what an earlier run began and did not end.

A decision is about the findings that the document shows; on a document that shows none, about those of others
that name it. Where documents are moved, it is about the first finding only: that is the one of which our note
has said what would be kept.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from hook.deadline import Deadline
from hook.errors import IndexFault, NotFoundError, PaperlessError, described
from hook.findings.apply import GENERAL
from hook.findings.decisions import Kind, now
from hook.findings.examine import Examiner
from hook.locks import writing_lock
from hook.paperless.values import HEAD_FIELDS, RawDocument
from hook.queue import Queue
from hook.review.journal import Doing, Journal, Operation, Stage, Step
from hook.review.merge import Merge
from hook.review.merge_rules import is_trashable, newer_of, refuse_changed, refuse_owners, trash_operation
from hook.review.resolve import Deciding, Pair
from hook.review.steps import ATTACH, UNTAG, ImpossibleError, say
from hook.review.versions import LOOK_AGAIN_S, Attaching, attach_step, ordered, version_operation
from hook.settings.types import OnConfirm

log = logging.getLogger(__name__)

_CONTRADICTION: Final = "Not done: there are two decisions on this document. Leave the one that is meant."
_WHAT: Final = {
    Doing.TRASH: "moving one of them to the trash",
    Doing.VERSION: "making one a version of the other",
}


class Review:
    """One run. `tell` and `warn` get a line for each thing that is done or not done."""

    def __init__(
        self,
        examiner: Examiner,
        queue: Queue,
        *,
        deadline: Deadline | None = None,
        sleep: Callable[[float], None] = time.sleep,
        tell: Callable[[str], None] = log.info,
        warn: Callable[[str], None] = log.warning,
    ) -> None:
        self._examiner, self._queue, self._tell, self._warn = examiner, queue, tell, warn
        self._client, self._settings = examiner.client, examiner.settings
        self._deadline, self._sleep = deadline or Deadline.never(), sleep
        self.journal = Journal(examiner.archive.index)
        self.deciding = Deciding(examiner, queue, tell)
        attaching = Attaching(examiner.client, self.journal)
        self.merge = Merge(examiner, queue, attaching.do, attaching.back)

    def pick_up(
        self,
        documents: Iterable[int],
        has_time: Callable[[], bool] = lambda: True,
        *,
        patience_s: float = 0.0,
    ) -> None:
        """What is open in the journal, then the decisions on these documents; see decided.py.

        What goes wrong is logged; the next run tries again.
        """
        work = [(entry.loser, partial(self._resume, entry.number)) for entry in self.journal.open()]
        work += [(document, partial(self.decide, document)) for document in documents]
        for document, attempt in work:
            if not has_time() or not self._attempt(document, attempt):
                return
        self._await_files(patience_s)

    def decide(self, document_id: int) -> None:
        """One document, if there is a decision on it; also for an event of Paperless."""
        with writing_lock(self._settings.index_dir, self._deadline):
            self._examiner.labels.renew()
            try:
                document = self._client.document(document_id, fields=HEAD_FIELDS)
            except NotFoundError:
                return
            if any(document_id in (entry.kept, entry.loser) for entry in self.journal.open()):
                return  # under way
            self._carry_out(document, self.deciding.tags_on(document))

    def _attempt(self, document: int, work: Callable[[], None]) -> bool:
        """False if nothing more can be done in this run."""
        try:
            work()
        except (*GENERAL, IndexFault) as error:
            self._warn(f"#{document}: the decision is kept for the next run: {error}")
            return False
        except PaperlessError as error:
            self._warn(f"#{document}: the decision is kept for the next run: {error}")
        except Exception as error:  # one document must not stop the decisions on others
            self._warn(f"#{document}: the decision is kept for the next run: {described(error)}")
        return True

    def _await_files(self, patience_s: float) -> None:
        """Without the writing lock: the hook for the file that comes in needs it."""
        while patience_s > 0 and (begun := [o for o in self.journal.open() if o.has(ATTACH)]):
            self._sleep(LOOK_AGAIN_S)
            patience_s -= LOOK_AGAIN_S
            for entry in begun:
                if not self._attempt(entry.loser, partial(self._resume, entry.number, quietly=True)):
                    return

    # Dispatch

    def _carry_out(self, document: RawDocument, decisions: Sequence[str]) -> None:
        if not decisions:
            return
        if len(decisions) > 1:
            say(self._client, document.id, _CONTRADICTION)
            self._warn(f"#{document.id} has {' and '.join(decisions)}: leave the one that is meant")
            return
        pairs = self.deciding.pairs(document.id)
        if not pairs:
            if not self.deciding.tidy(document):
                self._warn(f"#{document.id}: there is nothing to decide on, so the tag was taken off")
        elif decisions[0] == self._settings.tag_not_duplicate:
            self.deciding.dismiss(document, pairs)
        elif (doing := self._doing(decisions[0], pairs[0])) is not None:
            self._begin(document, pairs[0], doing)
        else:
            keeps = [pair for pair in pairs if self._wanted(pair) is OnConfirm.KEEP]
            self.deciding.confirm(document, keeps if pairs[0] in keeps else pairs[:1])

    def _doing(self, decision: str, pair: Pair) -> Doing | None:
        """What is to be done to the two documents; None if both stay as they are."""
        wanted = self._wanted(pair)
        if decision == self._settings.tag_make_version or wanted is OnConfirm.MAKE_VERSION:
            return Doing.VERSION
        moves = wanted is OnConfirm.REPLACE or (wanted is OnConfirm.TRASH and is_trashable(pair.finding))
        return Doing.TRASH if moves else None

    def _wanted(self, pair: Pair) -> OnConfirm:
        return self._settings.confirm_for(pair.finding.relation)

    # Documents that are moved

    def _begin(self, document: RawDocument, pair: Pair, doing: Doing) -> None:
        try:
            operation = self._operation(pair, doing, document.id)
        except ImpossibleError as error:
            self._refuse(document, pair, doing, str(error))
            return
        decision = self.deciding.decision(pair, Kind.CONFIRMED, doing.value)
        steps = (self._untagging(operation), *operation.steps)
        begun = replace(operation, decision=decision.to_json(), started_at=now(), steps=steps)
        self._report(self.merge.go_on(self.journal.begin(begun)))

    def _operation(self, pair: Pair, doing: Doing, decided_on: int) -> Operation:
        """Both are read again, texts and all."""
        try:
            subject, other = map(self._client.document, (pair.subject, pair.finding.other))
        except NotFoundError as error:
            raise ImpossibleError("one of them is no longer there") from error
        refuse_changed(pair.record, pair.finding, subject, other)
        if doing is Doing.TRASH:
            replaces = self._wanted(pair) is OnConfirm.REPLACE
            prefer = newer_of(self._examiner, subject, other) if replaces else None
            operation = trash_operation(self._examiner, pair.finding, subject, other, prefer=prefer)
        else:
            older, newer = ordered(subject, other)
            step = attach_step(self._client, older, newer)
            operation = version_operation(step, older, newer, subject.id)
        both = {document.id: document for document in (subject, other)}
        refuse_owners(both[operation.kept], both[operation.loser], decided_on)
        return operation

    def _untagging(self, operation: Operation) -> Step:
        """First of all: from now on the journal carries the decision, and a restored document does not."""
        tags, settings = self._examiner.labels.known().tags, self._settings
        names = (settings.tag_confirm, settings.tag_make_version, settings.tag_keep)
        both = [operation.kept, operation.loser]
        served = [tags[name] for name in names if name in tags]
        return Step(UNTAG, operation.loser, {"tags": served, "documents": both})

    def _refuse(self, document: RawDocument, pair: Pair, doing: Doing, reason: str) -> None:
        """Nothing was begun: a note says why, and the tag goes, so that it is not tried for ever."""
        say(self._client, document.id, f"Not done: {_WHAT[doing]} ({pair}). {reason}.")
        self._queue.add(pair.subject, "a decision on it was refused")
        self._client.modify_tags([document.id], remove=self.deciding.tag_ids(document))
        self._warn(f"{pair}: not done: {reason}")

    def _resume(self, number: int, *, quietly: bool = False) -> None:
        with writing_lock(self._settings.index_dir, self._deadline):
            operation = self.journal.get(number)
            if operation is not None and operation.is_open:
                self._examiner.labels.renew()
                ended = self.merge.go_on(operation)
                if not (quietly and ended.is_open):
                    self._report(ended)

    def _report(self, operation: Operation) -> None:
        kept, loser = operation.kept, operation.loser
        if operation.stage is Stage.DONE:
            done = "moved to the trash" if operation.doing is Doing.TRASH else "a version of it now"
            self._tell(f"#{kept} is kept, #{loser} is {done}")
        elif operation.stage is Stage.TAKEN_BACK:
            self._warn(f"#{kept} and #{loser} are as they were: {operation.refused or 'undone'}")
        else:
            self._tell(f"#{loser}: Paperless is attaching its file to #{kept}; the next run goes on")
