"""A run over the whole archive: which documents, in which order, and how it goes on after a kill."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from itertools import islice
from typing import Final

from hook.backfill.batches import BATCH, Batches
from hook.backfill.fetch import Fetcher, prefetched
from hook.backfill.progress import progress
from hook.backfill.report import Report
from hook.errors import PaperlessError
from hook.findings.examine import Examiner
from hook.findings.plan import Examined
from hook.index.index import Index
from hook.paperless.values import RawDocument
from hook.queue import Queue
from hook.review.poll import pick_up
from hook.session import Session
from hook.work import Worklist

ATTACHING_S: Final = 60.0  # to wait for a file that Paperless makes a version of a document
AHEAD: Final = 100  # documents fetched before they are needed
_META: Final = "backfill"


@dataclass(frozen=True, slots=True)
class Options:
    dry_run: bool = False
    index_only: bool = False
    again: bool = False
    since: date | None = None
    limit: int | None = None
    quiet: bool = True


class Place:
    """How far a backfill has come, kept in the index: what lies before it need not even be fetched."""

    def __init__(self, index: Index, *, again: bool) -> None:
        self._index, self._again = index, again

    def last(self) -> int:
        """The last document that a run of this kind, not ended yet, has covered; -1 if there is none."""
        raw = self._index.get_meta(_META)
        known = json.loads(raw) if raw else {}
        return int(known["last"]) if known and known["again"] is self._again else -1

    def reached(self, document_id: int) -> None:
        self._index.set_meta(_META, json.dumps({"last": document_id, "again": self._again}).encode("ascii"))

    def end(self) -> None:
        self._index.set_meta(_META, b"")


class ArchiveRun:
    """What backfill and sync have in common: a stream of documents, debts of earlier runs, the queue."""

    def __init__(self, at: Session, options: Options, report: Report) -> None:
        self.at, self.options, self.report = at, options, report
        self.client, self.index = at.client, at.archive.index
        self.queue = Queue(at.settings.index_dir)
        self.examiner = Examiner(at.archive, at.client, at.settings, at.warn)
        self.batches = Batches(
            self.examiner,
            self.queue,
            report,
            again=options.again,
            dry_run=options.dry_run,
            index_only=options.index_only,
        )

    def close(self) -> None:
        self.queue.close()

    def backfill(self) -> None:
        place = Place(self.index, again=self.options.again)
        waiting = [] if self._is_trial else [event.document_id for event in self.queue.due()]
        self.review()
        if not self.options.index_only:
            self.batches.pay_debts()
        self.examine(self._left(place), place)
        if not self.options.index_only:
            self.examine_owed()
            self.work_off(waiting)
        if not self.is_cut_short:
            place.end()

    def review(self) -> None:
        """What people have decided by tag; first, so that a decided pair is not told of in this run."""
        if not self._is_trial:
            pick_up(self.examiner, self.queue, fresh=True, patience_s=ATTACHING_S)

    def survey(self) -> tuple[list[int], str]:
        """The ids of all documents, and when the last change was made, by Paperless's clock."""
        by_change = self.client.document_ids(ordering="-modified")
        newest = next(self.client.documents_by_id(by_change[:1], fields=("id", "modified")), None)
        return sorted(by_change), newest.modified if newest else ""

    def examine(self, ids: list[int], place: Place | None = None, *, quiet: bool = False) -> None:
        """Fetching and hashing at the same time; `place` is moved with each transaction."""
        quiet = quiet or self.options.quiet or not ids
        source = Fetcher(self.client, self._unreadable).documents(ids)
        with (
            progress(len(ids), "examining", quiet=quiet) as shown,
            prefetched(source, AHEAD) as documents,
        ):
            self.batches.take(
                documents,
                limit=self.options.limit,
                committed=place.reached if place else lambda document_id: None,
                advance=shown.advance,
            )

    def examine_owed(self) -> None:
        """Documents that others pointed to, each once: a finding on them may be due, or hold no longer."""
        visited: set[int] = set()
        while not self.is_cut_short:
            owed = (number for number in self.batches.unsettled.examinations() if number not in visited)
            ids = list(islice(owed, BATCH))
            if not ids:
                return
            visited.update(ids)
            there = set(self.client.document_ids(id__in=ids))
            self.forget(number for number in ids if number not in there)
            self.examine([number for number in ids if number in there], quiet=True)

    def forget(self, gone: Iterable[int]) -> None:
        """Documents that are no longer to be seen; what was found with them is looked at again."""
        for number in gone:
            with self.at.archive.batch():
                known = number in self.index
                self.batches.unsettled.owe_examination(self.examiner.forget(number))
                self.batches.unsettled.examined(number)
                self.batches.unsettled.written([number])
            self._take_back_from_others(number)
            if known:
                self.report.forget(number)

    def _take_back_from_others(self, gone: int) -> None:
        """Tags that other documents have because of one that is gone (DEDUPE_TAG_OTHER)."""
        record = self.examiner.findings.get(gone)
        own = frozenset((document, tag) for document, tag in record.tagged if document == gone)
        if own != record.tagged:
            self.batches.write([Examined(RawDocument(gone))])
            if not self.options.dry_run:
                self.examiner.findings.put([replace(record, findings=(), tagged=own)])

    def work_off(self, waiting: Iterable[int]) -> None:
        """Events that hooks could not finish: in order of need, after everything that is done in batches."""
        if self._is_trial:
            return
        worklist = Worklist(self.examiner, self.queue)
        for number in waiting:
            event = self.queue.resume(number)
            if event is not None and not worklist.work(event, patience_s=0.0):
                return

    @property
    def _is_trial(self) -> bool:
        return self.options.dry_run or self.options.index_only

    @property
    def is_cut_short(self) -> bool:
        return self.options.limit is not None and self.report.examined >= self.options.limit

    def _left(self, place: Place) -> list[int]:
        """Those that an earlier run, which did not come to its end, has not covered."""
        since = {"added__gte": self.options.since} if self.options.since else {}
        ids, last = self.client.document_ids(**since), place.last()
        if last < 0:
            return ids
        covered = {number for number in self.index.ids() if number <= last}
        covered.difference_update(self.batches.unsettled.examinations())
        left = [number for number in ids if number not in covered]
        self.report.skipped["examined before"] += len(ids) - len(left)
        return left

    def _unreadable(self, document_id: int, error: PaperlessError) -> None:
        self.report.skip(document_id, "could not be fetched", str(error))
