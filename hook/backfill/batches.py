"""Examines documents in batches: one transaction of the index, then one round of writes into Paperless.

Findings that are judged and not written yet are stored in that transaction (pending_work.py). So the next run
continues after a kill, and the result is the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Final

from dedupe_core.text.normalise import content_hash, normalise
from hook.backfill.pending_work import PendingWork
from hook.backfill.report import Report
from hook.batching import batched, of_bounded_length
from hook.errors import IndexFault
from hook.examination.judging import Examination
from hook.findings.apply import Applied
from hook.findings.examine import document_of
from hook.findings.findings import Record
from hook.findings.plan import ExaminationResult
from hook.paperless.values import HEAD_FIELDS, RawDocument
from hook.parallel.pool import Pool, WorkerError
from hook.session import Session

BATCH: Final = 100  # documents: half a second in which a hook has to wait for the index
WORTH_WORKERS: Final = 300  # documents: a worker takes half a second to start
_BATCH_CHARS: Final = 2_000_000  # of their texts: two batches are in memory


@dataclass(frozen=True, slots=True)
class Options:
    """Of one run."""

    dry_run: bool = False  # plan, and write nothing
    index_only: bool = False  # store documents, and leave their examination for the next run
    examine_only: bool = False  # keep the findings, and leave their writes for the next run
    again: bool = False  # examine unchanged documents, too
    since: date | None = None
    limit: int | None = None
    quiet: bool = True
    jobs: int = 1
    worth_workers: int = WORTH_WORKERS
    ink: bool = False


class Batches:
    """One run."""

    def __init__(self, session: Session, report: Report, options: Options) -> None:
        self._session, self._report, self._options = session, report, options
        self._archive, self._findings = session.archive, session.findings
        self.pending = PendingWork(session.archive.index)
        self.pool: Pool | None = None

    def take(
        self,
        documents: Iterable[RawDocument],
        *,
        committed: Callable[[int], None] = lambda document_id: None,
        advance: Callable[[int], object] = lambda count: None,
    ) -> None:
        """Examines those that are new or changed. `committed` is called inside each transaction with the last
        id that it covers; `limit` counts what is examined, not what is skipped."""
        limit = self._options.limit
        most = BATCH if self.pool is None else 2 * BATCH  # that takes as long
        for batch in of_bounded_length(documents, _BATCH_CHARS, most):
            due = [raw for raw in batch if self._is_due(raw)]
            cut = due[: max(limit - self._report.examined, 0)] if limit is not None else due
            last = batch[-1].id if len(cut) == len(due) else (cut[-1].id if cut else None)
            self.write(self._examine(cut, last, committed))
            advance(len(batch))
            if len(cut) < len(due):
                return

    def write_pending(self) -> None:
        """The findings that an interrupted run has judged and not written."""
        for ids in batched(list(self.pending.writes()), BATCH):
            heads = list(self._session.client.documents_by_id(ids, fields=HEAD_FIELDS))
            self.pending.written(set(ids).difference(head.id for head in heads))
            self.write([self.pending.write_of(head) for head in heads])

    def write(self, examined: Sequence[ExaminationResult]) -> None:
        """Makes Paperless show the findings; a document for which it refuses a write goes to the queue."""
        due = [entry for entry in examined if self._has_marks(entry)]
        if not due:
            return
        before = {entry.document.id: self._findings.get(entry.document.id) for entry in due}
        if self._options.examine_only:  # what was judged stays pending: a later run writes it
            for entry in due:
                number = entry.document.id
                self._report.written(before[number], Record(number, entry.findings))
            return
        if self._options.dry_run:
            for plan in self._session.writer.plans(due):
                self._report.planned(plan, before[plan.subject])
            self.pending.written(before)
            return
        applied = self._session.writer.write(due)
        self._record(applied, before)
        if applied.stopped is not None:
            raise applied.stopped

    def _record(self, applied: Applied, before: dict[int, Record]) -> None:
        """If the run was stopped, what is kept stays pending; else the queue has it."""
        self._report.bulk_edits += applied.bulk_edits
        self._report.documents_written += len(applied.written)
        written = before.keys() - applied.kept.keys() if applied.stopped else before.keys()
        for document in sorted(written):
            self._report.written(before[document], self._findings.get(document))
        if applied.stopped is None:
            for document, reason in sorted(applied.kept.items()):
                self._session.examine_later(document, reason)
                self._report.keep(document, reason)
        self.pending.written(written)

    def _is_due(self, raw: RawDocument) -> bool:
        if self._options.again or not self._is_known(raw):
            return True
        self._report.skipped["examined before"] += 1
        return False

    def _is_known(self, raw: RawDocument) -> bool:
        """Indexed as it is now, and examined. The text decides: `modified` changes for many reasons."""
        known = self._archive.fingerprint_of(raw.id)
        if known is None or known.owner != raw.owner or (raw.checksum or known.checksum) != known.checksum:
            return False
        if self.pending.awaits_examination(raw.id):
            return False
        return known.content_hash == content_hash(raw.content, normalise(raw.content))

    def _examine(
        self, batch: Sequence[RawDocument], last: int | None, committed: Callable[[int], None]
    ) -> list[ExaminationResult]:
        """All in one transaction; if one of them makes that fail, each in its own."""
        try:
            with self._archive.batch():
                self._announce(batch)
                examined = [self._examine_one(raw, examination) for raw, examination in self._judged(batch)]
                if last is not None:
                    committed(last)
        except IndexFault:
            raise  # the disk is full, another process holds the lock: not the fault of a document
        except WorkerError:
            self.pool = None  # it was killed, or failed on a document: this process goes on alone
            return self._examine(batch, last, committed)
        except Exception:  # each is tried alone below, where its id is reported
            examined = [entry for raw in batch if (entry := self._alone(raw)) is not None]
            if last is not None:
                with self._archive.batch():
                    committed(last)
        self._count(examined)
        return examined

    def _announce(self, batch: Sequence[RawDocument]) -> None:
        """On a server there is no transaction: a run that is killed after it stored a document and before its findings
        would leave one that counts as examined. In 179 kills, one finding was never reported because of that."""
        if self._session.settings.index_url is not None:
            self.pending.add_examinations(raw.id for raw in batch)

    def _count(self, examined: Sequence[ExaminationResult]) -> None:
        self._report.examined += len(examined)
        if not self._options.index_only:
            skip = self._session.settings.tag_skip
            with_tag = sum(self._skip_tag in entry.document.tags for entry in examined)
            empty = sum(not entry.content_hash for entry in examined)
            self._report.skipped += Counter({f"with the tag {skip}": with_tag, "without any text": empty})

    @cached_property
    def _skip_tag(self) -> int | None:
        return self._session.labels.known().tags.get(self._session.settings.tag_skip)

    def _alone(self, raw: RawDocument) -> ExaminationResult | None:
        try:
            with self._archive.batch():
                return self._examine_one(raw)
        except IndexFault:
            raise
        except Exception as error:  # one bad document must not end the run; its text stays out of the log
            self._report.skip(raw.id, "could not be examined", type(error).__name__)
            return None

    def _judged(self, batch: Sequence[RawDocument]) -> Iterator[tuple[RawDocument, Examination | None]]:
        """On all cores, if there are workers."""
        if self._options.index_only or self.pool is None:
            return ((raw, None) for raw in batch)
        owners = self._session.examiner.comparable_owners
        documents = list(map(document_of, batch))
        return zip(batch, self.pool.examine(documents, owners=owners), strict=True)

    def _examine_one(self, raw: RawDocument, examination: Examination | None = None) -> ExaminationResult:
        if self._options.index_only:
            return self._remembered(raw)
        examined = self._session.examiner.examine(raw, examination)
        if self._has_marks(examined):
            self.pending.add_write(examined)
        self.pending.add_examinations(other for other in examined.reexamine if other != raw.id)
        self.pending.examined(raw.id)
        return examined

    def _remembered(self, raw: RawDocument) -> ExaminationResult:
        self._archive.remember(self._archive.fingerprint(document_of(raw)))
        self.pending.add_examinations([raw.id])
        return ExaminationResult(raw)

    def _has_marks(self, examined: ExaminationResult) -> bool:
        """True if the document has findings, or marks of ours from before."""
        return bool(examined.findings or self._findings.get(examined.document.id))
