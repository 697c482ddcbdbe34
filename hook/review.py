"""Picks up what people have decided by tag, and what an earlier run began and did not end.

A decision is about the findings that the document shows; on a document that shows none, about those of others
that name it. `dedupe:confirm` and `dedupe:make-version` change or move documents for the first finding only:
that is the one of which our note has said what would be kept.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from dedupe_core.model import Observation
from hook.actions import GENERAL
from hook.archive import NotIndexed
from hook.choices import OnConfirm
from hook.confirm import is_trashable, refuse_changed, trash_operation
from hook.deadline import Deadline
from hook.decisions import Decision, Decisions, Kind, now
from hook.errors import NotFoundError, PaperlessError
from hook.examine import Examiner
from hook.findings import Finding, Record
from hook.index_errors import IndexFault
from hook.journal import Doing, Journal, Operation, Stage, Step
from hook.make_version import LOOK_AGAIN_S, Attaching, attach_step, ordered, version_operation
from hook.merge import Merge
from hook.queue import Queue
from hook.records import HEAD_FIELDS, RawDocument
from hook.settling import settle
from hook.steps import ATTACH, UNTAG, ImpossibleError, say
from hook.unexpected import described
from hook.writing_lock import writing_lock

log = logging.getLogger(__name__)

_CONTRADICTION: Final = (
    "Not done: there is more than one decision on this document. Leave the one that is meant."
)


@dataclass(frozen=True, slots=True)
class Pair:
    """A finding as it is kept: on the subject, about the other."""

    record: Record
    finding: Finding

    @property
    def subject(self) -> int:
        return self.record.subject


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
        self._deadline = deadline or Deadline.never()
        index = examiner.archive.index
        self.decisions, self.journal = Decisions(index), Journal(index)
        self._sleep = sleep
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
        work = [(o.loser, partial(self._resume, o.number)) for o in self.journal.open()]
        work += [(document, partial(self.decide, document)) for document in documents]
        for document, attempt in work:
            if not has_time() or not self._attempt(document, attempt):
                return
        self._await_files(patience_s)

    def _await_files(self, patience_s: float) -> None:
        """Without the writing lock: the hook for the file that comes in needs it."""
        while patience_s > 0 and (begun := [o for o in self.journal.open() if o.has(ATTACH)]):
            self._sleep(LOOK_AGAIN_S)
            patience_s -= LOOK_AGAIN_S
            for operation in begun:
                if not self._attempt(operation.loser, partial(self._resume, operation.number, quietly=True)):
                    return

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
            self._carry_out(document, self._decisions_on(document))

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

    # Dispatch

    def _decisions_on(self, document: RawDocument) -> list[str]:
        known = self._examiner.labels.known().tags
        names = (
            self._settings.tag_not_duplicate,
            self._settings.tag_confirm,
            self._settings.tag_make_version,
        )
        return [name for name in names if known.get(name) in document.tags]

    def _carry_out(self, document: RawDocument, decisions: Sequence[str]) -> None:
        if not decisions:
            return
        if len(decisions) > 1:
            say(self._client, document.id, _CONTRADICTION)
            self._warn(f"#{document.id} has {' and '.join(decisions)}: leave the one that is meant")
            return
        pairs = self._pairs(document.id)
        if not pairs:
            self._tidy(document)
        elif decisions[0] == self._settings.tag_not_duplicate:
            self._dismiss(document, pairs)
        elif decisions[0] == self._settings.tag_make_version:
            self._begin(document, pairs[0], Doing.VERSION)
        elif self._settings.on_confirm is OnConfirm.MAKE_VERSION:
            self._begin(document, pairs[0], Doing.VERSION)
        elif self._settings.on_confirm is OnConfirm.TRASH and is_trashable(pairs[0].finding):
            self._begin(document, pairs[0], Doing.TRASH)
        else:
            self._confirm(document, pairs if self._settings.on_confirm is OnConfirm.KEEP else pairs[:1])

    def _pairs(self, document: int) -> list[Pair]:
        """The surest first."""
        findings = self._examiner.findings
        own = findings.get(document)
        if own.findings:
            return [Pair(own, finding) for finding in own.findings]
        records = [findings.get(subject) for subject in findings.about(document)]
        pairs = [Pair(r, f) for r in records for f in r.findings if f.other == document]
        return sorted(pairs, key=lambda pair: (-pair.finding.confidence, pair.subject))

    # Without a change of documents

    def _dismiss(self, document: RawDocument, pairs: Sequence[Pair]) -> None:
        """Tags, note and link are taken back."""
        self.decisions.put(self._decision(pair, Kind.DISMISSED) for pair in pairs)
        for pair in pairs:
            self._tell(f"#{pair.subject} and #{pair.finding.other}: no duplicates, as you say")
        self._settle(document, pairs)

    def _confirm(self, document: RawDocument, pairs: Sequence[Pair]) -> None:
        """Only the tags change: note and link stay, and are no longer ours to take back."""
        self.decisions.put(self._decision(pair, Kind.CONFIRMED) for pair in pairs)
        findings = self._examiner.findings
        for pair in pairs:
            record = findings.get(pair.subject)
            rest = tuple(finding for finding in record.findings if finding.other != pair.finding.other)
            notes = record.notes if rest else ()
            links = record.links - {pair.finding.other}
            findings.put([replace(record, findings=rest, links=links, notes=notes)])
            self._tell(f"#{pair.subject} and #{pair.finding.other}: confirmed, both are kept")
        self._settle(document, pairs, add=(self._settings.tag_confirmed,))

    def _settle(self, document: RawDocument, pairs: Sequence[Pair], add: tuple[str, ...] = ()) -> None:
        for subject in sorted({pair.subject for pair in pairs}):
            decided = {pair.finding.other for pair in pairs if pair.subject == subject}
            record = self._examiner.findings.get(subject)
            rest = tuple(finding for finding in record.findings if finding.other not in decided)
            own = self._decision_tags(document) if subject == document.id else ()
            settle(self._examiner, self._queue, subject, rest, add=add, remove=own)
        if document.id not in {pair.subject for pair in pairs}:
            self._client.modify_tags([document.id], remove=self._decision_tags(document))

    def _tidy(self, document: RawDocument) -> None:
        """Nothing is shown (any more): either a run was killed just before its last write, or the tag was put
        on a document that has no finding."""
        settled = [entry for entry in self.decisions.about(document.id) if entry.kind is Kind.CONFIRMED]
        confirming = self._settings.tag_confirm in self._decisions_on(document)
        add = (self._settings.tag_confirmed,) if settled and confirming else ()
        tags = self._decision_tags(document)
        settle(self._examiner, self._queue, document.id, (), add=add, remove=tags)
        if not self.decisions.about(document.id):
            self._warn(f"#{document.id}: there is nothing to decide on, so the tag was taken off")

    # With a change of documents

    def _begin(self, document: RawDocument, pair: Pair, doing: Doing) -> None:
        try:
            operation = self._operation(pair, doing)
        except (ImpossibleError, NotFoundError) as error:
            self._refuse(document, pair, doing, str(error))
            return
        kind, action = Kind.CONFIRMED, doing.value
        decision = replace(self._decision(pair, kind), action=action)
        tags = self._examiner.labels.known().tags
        names = (self._settings.tag_confirm, self._settings.tag_make_version, self._settings.tag_keep)
        untag = Step(
            UNTAG,
            operation.loser,
            {
                "tags": [tags[name] for name in names if name in tags],
                "documents": [operation.kept, operation.loser],
            },
        )
        begun = self.journal.begin(
            replace(
                operation,
                decision=decision.to_json(),
                started_at=now(),
                steps=(untag, *operation.steps),
            )
        )
        self._report(self.merge.go_on(begun))

    def _operation(self, pair: Pair, doing: Doing) -> Operation:
        """Both are read again, texts and all."""
        try:
            subject = self._client.document(pair.subject)
            other = self._client.document(pair.finding.other)
        except NotFoundError as error:
            raise ImpossibleError("the other document is no longer there") from error
        refuse_changed(pair.record, pair.finding, subject, other)
        if doing is Doing.TRASH:
            return trash_operation(self._examiner, pair.finding, subject, other)
        older, newer = ordered(subject, other)
        return version_operation(attach_step(self._client, older, newer), older, newer, subject.id)

    def _refuse(self, document: RawDocument, pair: Pair, doing: Doing, reason: str) -> None:
        """Nothing was begun: a note says why, and the tag goes, so that it is not tried for ever."""
        words = (
            "moving one of them to the trash" if doing is Doing.TRASH else "making one a version of the other"
        )
        pairs = f"#{pair.subject} and #{pair.finding.other}"
        say(self._client, document.id, f"Not done: {words} ({pairs}). {reason}.")
        self._queue.add(pair.subject, "a decision on it was refused")
        self._client.modify_tags([document.id], remove=self._decision_tags(document))
        self._warn(f"{pairs}: not done: {reason}")

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
        elif operation.stage is Stage.TAKEN_BACK and operation.refused:
            self._warn(f"#{kept} and #{loser} are as they were: {operation.refused}")
        elif operation.stage is Stage.OPEN:
            self._tell(f"#{loser}: Paperless is attaching its file to #{kept}; the next run goes on")

    # What is remembered

    def _decision_tags(self, document: RawDocument) -> tuple[int, ...]:
        tags = self._examiner.labels.known().tags
        names = [*self._decisions_on(document), self._settings.tag_keep]
        return tuple(tag for name in names if (tag := tags.get(name)) in document.tags and tag is not None)

    def _decision(self, pair: Pair, kind: Kind) -> Decision:
        a, b = sorted((pair.subject, pair.finding.other))
        finding = pair.finding
        evidence = self._evidence(pair.subject, finding.other)
        return Decision(a, b, kind, finding.relation, finding.confidence, finding.reason, evidence, "", now())

    def _evidence(self, subject: int, other: int) -> tuple[Observation, ...]:
        try:
            return self._examiner.archive.explain(subject, other).evidence
        except NotIndexed:
            return ()
