"""Examines documents by the hundred: one transaction of the index, then one round of writes into Paperless.

What was judged but not yet written is noted in that transaction (unsettled.py), so that a run which is killed
is continued by the next one, and comes to the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final

from dedupe_core.text.normalise import content_hash, normalise
from hook.backfill.pending_work import Unsettled
from hook.backfill.report import Report
from hook.batching import batched
from hook.errors import IndexFault, index_fault
from hook.findings.examine import Examiner, document_of
from hook.findings.plan import Examined
from hook.paperless.values import HEAD_FIELDS, RawDocument
from hook.queue import Queue

BATCH: Final = 100  # documents: half a second in which a hook has to wait for the index


class Batches:
    """One run. `again`: examine what was examined before, too; `dry_run`: plan, and write nothing;
    `index_only`: remember documents, and owe their examination."""

    def __init__(
        self,
        examiner: Examiner,
        queue: Queue,
        report: Report,
        *,
        again: bool = False,
        dry_run: bool = False,
        index_only: bool = False,
    ) -> None:
        self.examiner, self.queue, self.report = examiner, queue, report
        self.unsettled = Unsettled(examiner.archive.index)
        self._again, self._dry_run, self._index_only = again, dry_run, index_only

    def take(
        self,
        documents: Iterable[RawDocument],
        *,
        limit: int | None = None,
        committed: Callable[[int], None] = lambda document_id: None,
        advance: Callable[[int], None] = lambda count: None,
    ) -> None:
        """Examines those that are new or changed. `committed` is called inside each transaction with the last
        id that it covers; `limit` counts what is examined, not what is passed over."""
        for batch in batched(documents, BATCH):
            due = [raw for raw in batch if self._is_due(raw)]
            cut = due[: max(limit - self.report.examined, 0)] if limit is not None else due
            last = batch[-1].id if len(cut) == len(due) else (cut[-1].id if cut else None)
            self.write(self._examine(cut, last, committed))
            advance(len(batch))
            if len(cut) < len(due):
                return

    def pay_debts(self) -> None:
        """Writes what a run that was ended has judged and not written."""
        for ids in batched(list(self.unsettled.writes()), BATCH):
            heads = list(self.examiner.client.documents_by_id(ids, fields=HEAD_FIELDS))
            self.unsettled.written(set(ids).difference(head.id for head in heads))
            self.write([self.unsettled.owed_write(head) for head in heads])

    def write(self, examined: Sequence[Examined]) -> None:
        """Brings Paperless in line; what it refuses for single documents goes to the queue."""
        due = [entry for entry in examined if self._is_noteworthy(entry)]
        if not due:
            return
        before = {entry.document.id: self.examiner.findings.get(entry.document.id) for entry in due}
        if self._dry_run:
            for plan in self.examiner.plans(due):
                self.report.planned(plan, before[plan.subject])
            self.unsettled.written(before)
            return
        applied = self.examiner.write(due)
        self.report.bulk_edits += applied.bulk_edits
        self.report.documents_written += len(applied.written)
        settled = before.keys() - applied.kept.keys() if applied.stopped else before.keys()
        for document in sorted(settled):
            self.report.written(before[document], self.examiner.findings.get(document))
        if applied.stopped is None:
            self._put_off(applied.kept)
        self.unsettled.written(settled)
        if applied.stopped is not None:
            raise applied.stopped

    def _put_off(self, kept: Mapping[int, str]) -> None:
        for document, reason in sorted(kept.items()):
            try:
                self.queue.add(document, reason)
            except OSError as error:
                raise index_fault(error, self.examiner.settings.index_dir) from error
            self.report.postpone(document, reason)

    def _is_due(self, raw: RawDocument) -> bool:
        if self._again or not self._is_known(raw):
            return True
        self.report.skipped["examined before"] += 1
        return False

    def _is_known(self, raw: RawDocument) -> bool:
        """Indexed as it is now, and examined: told by the text, because `modified` moves for many reasons."""
        known = self.examiner.archive.fingerprint_of(raw.id)
        if known is None or known.owner != raw.owner or (raw.checksum or known.checksum) != known.checksum:
            return False
        if self.unsettled.awaits_examination(raw.id):
            return False
        return known.content_hash == content_hash(raw.content, normalise(raw.content))

    def _examine(
        self, batch: Sequence[RawDocument], last: int | None, committed: Callable[[int], None]
    ) -> list[Examined]:
        """All in one transaction; if one of them makes that impossible, each in its own."""
        try:
            with self.examiner.archive.batch():
                examined = [self._one(raw) for raw in batch]
                if last is not None:
                    committed(last)
        except IndexFault:
            raise  # the disk is full, another process holds the lock: no document is to blame
        except Exception:  # each is tried alone below, where its id is told
            examined = [entry for raw in batch if (entry := self._alone(raw)) is not None]
            if last is not None:
                with self.examiner.archive.batch():
                    committed(last)
        self._count(examined)
        return examined

    def _count(self, examined: Sequence[Examined]) -> None:
        self.report.examined += len(examined)
        if not self._index_only:
            skip = self.examiner.settings.tag_skip
            left_alone = sum(self._skip_tag in entry.document.tags for entry in examined)
            silent = sum(not entry.content_hash for entry in examined)
            self.report.skipped += Counter(
                {f"with {skip}, left alone": left_alone, "without any text": silent}
            )

    @cached_property
    def _skip_tag(self) -> int | None:
        return self.examiner.labels.known().tags.get(self.examiner.settings.tag_skip)

    def _alone(self, raw: RawDocument) -> Examined | None:
        try:
            with self.examiner.archive.batch():
                return self._one(raw)
        except IndexFault:
            raise
        except Exception as error:  # one bad document must not end the run; its text stays out of the log
            self.report.skip(raw.id, "could not be examined", type(error).__name__)
            return None

    def _one(self, raw: RawDocument) -> Examined:
        if self._index_only:
            return self._remembered(raw)
        examined = self.examiner.document(raw)
        if self._is_noteworthy(examined):
            self.unsettled.owe_write(examined)
        self.unsettled.examined(raw.id)
        self.unsettled.owe_examination(other for other in examined.elsewhere if other != raw.id)
        return examined

    def _remembered(self, raw: RawDocument) -> Examined:
        archive = self.examiner.archive
        archive.remember(archive.fingerprint(document_of(raw)))
        self.unsettled.owe_examination([raw.id])
        return Examined(raw)

    def _is_noteworthy(self, examined: Examined) -> bool:
        return bool(examined.findings or self.examiner.findings.get(examined.document.id))
