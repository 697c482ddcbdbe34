"""Acts on the decisions that users make by tag, and resumes what an earlier run has begun.

A decision is about the findings on the document; on a document without findings, about those of other documents
that name it. Where documents are moved, it is about the first finding only: our note suggested which one to keep
for that one.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from dedupe_core.explain.say import message
from hook.errors import NotFoundError, described, stops_run
from hook.findings.decisions import Kind, now
from hook.language.translate import Phrase, translator
from hook.paperless.values import HEAD_FIELDS, RawDocument
from hook.review.asked import decision_tags
from hook.review.journal import MOVES, Do, ImpossibleError, Operation, Stage, StepKind
from hook.review.kept.instructions import Instruction, Instructions
from hook.review.kept.refusals import Refusals, refuse, state_now
from hook.review.merge import Merge
from hook.review.planner import default_of, planned_operation
from hook.review.resolve import (
    Pair,
    confirm,
    decision_on,
    dismiss,
    finish,
    live,
    pairs_between,
    pairs_on,
    shows_strange_finding,
)
from hook.review.versions import POLL_S
from hook.session import Session

log = logging.getLogger(__name__)

_CONTRADICTION: Final = message("this document has two decision tags: remove one of them")
_NOTHING: Final = message("there is no finding to decide on. Remove the tag from #{n}")
_NOT_OURS: Final = message(
    "this index has no finding on #{n}: its marks were written by another index. Run `paperless-dedupe backfill`, then remove the tag "
    "and set it again"
)
_GOALS: Final = {
    Do.TRASH: message("move one of them to the trash"),
    Do.VERSION: message("make one a version of the other"),
}


class Review:
    """One run. The log gets a line for each thing that is done or not done."""

    def __init__(self, session: Session, *, sleep: Callable[[float], None] = time.sleep) -> None:
        self._session, self._client, self._settings = session, session.client, session.settings
        self._sleep = sleep
        self._merge = Merge(session)
        self._journal = self._merge.journal
        self._refusals = Refusals(session.archive.index)
        self._instructions = Instructions(session.archive.index)
        self._say = translator(session.settings.language)

    def apply_decisions(
        self,
        documents: Iterable[int],
        has_time: Callable[[], bool] = lambda: True,
        *,
        patience_s: float = 0.0,
    ) -> bool:
        """The open operations, then the decisions on these documents (see poll.py). False if some are left.

        Errors are logged; the next run tries again.
        """
        work = [(entry.loser, partial(self._resume, entry.number)) for entry in self._journal.open()]
        work += [(document, partial(self.decide, document)) for document in documents]
        for document, attempt in work:
            if not has_time() or not self._attempt(document, attempt):
                return False
        self._await_files(patience_s)
        return True

    def decide(self, document_id: int) -> None:
        """One document, if there is a decision tag on it."""
        with self._session.archive.index.writing_lock(self._session.deadline):
            self._session.labels.renew()
            try:
                document = self._client.document(document_id, fields=HEAD_FIELDS)
            except NotFoundError:
                return
            if any(document_id in entry.both for entry in self._journal.open()):
                return  # an operation is under way
            self._act(document, decision_tags(self._session, document))

    def _attempt(self, document: int, work: Callable[[], None]) -> bool:
        """False if nothing more can be done in this run."""
        try:
            work()
        except Exception as error:  # one document must not stop the decisions on others
            log.warning("#%d: the decision is kept for the next run: %s", document, described(error))
            return not stops_run(error)
        return True

    def _await_files(self, patience_s: float) -> None:
        """Without the writing lock: the hook for the file that arrives needs it."""
        while patience_s > 0 and (begun := [o for o in self._journal.open() if o.has(StepKind.ATTACH)]):
            self._sleep(POLL_S)
            patience_s -= POLL_S
            for entry in begun:
                if not self._attempt(entry.loser, partial(self._resume, entry.number, quietly=True)):
                    return

    # Dispatch

    def _act(self, document: RawDocument, decisions: Sequence[str]) -> None:
        if not decisions:
            return
        if self._is_refused(document.id, document.id):
            return  # it was said; and if there was nothing to decide on, a finding made since is not what the user meant
        if len(decisions) > 1:
            self._refuse_undecidable(document, _CONTRADICTION)
            return
        told = self._told(document.id, decisions[0])
        number = document.id
        pairs = pairs_between(self._session, number, told.others) if told else pairs_on(self._session, number)
        if not pairs:
            if not finish(self._session, document):
                self._refuse_without_finding(document)
        elif decisions[0] == self._settings.tag_not_duplicate:
            dismiss(self._session, document, pairs, told.by if told else "")
            self._done(document, pairs, "dismissed, not reported again")
        else:
            self._confirm(document, decisions[0], live(self._session, pairs) or pairs, told)

    def _confirm(
        self, document: RawDocument, decision: str, pairs: Sequence[Pair], told: Instruction | None
    ) -> None:
        default = [default_of(pair.finding.relation, self._settings) for pair in pairs]
        do = told.do if told else Do.VERSION if decision == self._settings.tag_make_version else default[0]
        if do in MOVES:
            self._begin(document, pairs[0], do, told)
            return
        keeps = [pair for pair, own in zip(pairs, default, strict=True) if told or own is Do.KEEP]
        confirm(self._session, document, keeps, told.by if told else "")
        self._done(document, keeps, "confirmed, both are kept")

    def _done(self, document: RawDocument, pairs: Iterable[Pair], words: str) -> None:
        for pair in pairs:
            log.info("%s: %s", pair, words)
        self._instructions.forget(document.id)

    def _told(self, document: int, decision: str) -> Instruction | None:
        """What the review page was told with this decision; not if a person has set another tag since."""
        told = self._instructions.get(document)
        return told if told and told.tag(self._settings) == decision else None

    # Documents that are moved

    def _begin(self, document: RawDocument, pair: Pair, do: Do, told: Instruction | None) -> None:
        if self._is_refused(*pair.both):
            return
        try:
            operation = planned_operation(self._session, document, pair, do, told)
        except ImpossibleError as error:
            self._refuse(document, pair, do, error.phrase)
            return
        by, looked = (told.by, len(told.looked)) if told else ("", 0)
        decision = decision_on(self._session, pair, Kind.CONFIRMED, do.value, by, looked)
        begun = replace(operation, decision=decision.to_json(), started_at=now())
        self._ended(self._merge.begin(begun))

    def _refuse(self, document: RawDocument, pair: Pair, do: Do, reason: Phrase) -> None:
        """Nothing was begun: a note says why, and no tag is changed."""
        say, both = self._say, pair.both
        (other,) = {*both} - {document.id}
        refuse(
            *(self._session, both, say(_GOALS[do]), reason.said(say)),
            on=document.id,
            names=say("#{n} and #{m}", n=both[0], m=both[1]),
            is_for_all=self._session.writer.everyone_sees(document.id, other),
        )
        self._session.examine_later(pair.subject, "a decision on it was refused")
        log.warning("%s: not done: %s", pair, reason)

    def _refuse_without_finding(self, document: RawDocument) -> None:
        """The user sees a finding that another index has written, or none at all: the decision is not swallowed."""
        is_shown = shows_strange_finding(self._session, document)
        if is_shown and document.id not in self._session.archive.index:
            log.warning("#%d: the decision waits until this index has examined the document", document.id)
        else:
            self._refuse_undecidable(document, _NOT_OURS if is_shown else _NOTHING)

    def _refuse_undecidable(self, document: RawDocument, text: str) -> None:
        reason = Phrase(text, {"n": document.id})
        both = (document.id, document.id)
        refuse(self._session, both, "", reason.said(self._say), on=document.id)
        log.warning("#%d: not done: %s", document.id, reason)

    def _is_refused(self, one: int, two: int) -> bool:
        known = self._refusals.get(one, two)
        return known is not None and known.state == state_now(self._session, one, two)

    def _resume(self, number: int, *, quietly: bool = False) -> None:
        with self._session.archive.index.writing_lock(self._session.deadline):
            operation = self._journal.get(number)
            if operation is not None and operation.is_open:
                self._session.labels.renew()
                ended = self._merge.resume(operation)
                if not (quietly and ended.is_open):
                    self._ended(ended)

    def _ended(self, operation: Operation) -> None:
        kept, loser = operation.kept, operation.loser
        if operation.stage is Stage.DONE:
            self._instructions.forget(kept, loser)
            done = "was moved to the trash" if operation.doing is Do.TRASH else "is now a version of it"
            log.info("#%d is kept, #%d %s", kept, loser, done)
        elif operation.stage is Stage.ROLLED_BACK:
            log.warning("#%d and #%d are as before: %s", kept, loser, operation.refused or "undone")
        else:
            log.info("#%d: Paperless is attaching its file to #%d; the next run continues", loser, kept)
