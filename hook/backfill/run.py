"""A run over all documents: which ones, in which order, and how it continues after a kill."""

from __future__ import annotations

import json
import logging
from collections.abc import Collection, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from itertools import islice
from typing import Final

from hook.backfill.batches import BATCH, Batches, Options
from hook.backfill.fetch import fetch
from hook.backfill.progress import progress
from hook.backfill.report import Report
from hook.errors import EmbeddingError, PaperlessError
from hook.examination.codec import read_json
from hook.findings.plan import ExaminationResult
from hook.index.interface import DocumentIndex
from hook.paperless.values import RawDocument
from hook.parallel.pool import pool
from hook.review.kept.kept_decisions import keep_decisions
from hook.review.poll import apply_decisions
from hook.review.undo import notice_restored
from hook.session import Session
from hook.work import EventRunner

ATTACHING_S: Final = 60.0  # to wait for a file that Paperless attaches as a version
_META: Final = "backfill"
_FAILURES_IN_A_ROW: Final = 3  # then the server or the model is at fault, not the document

log = logging.getLogger(__name__)


class Place:
    """How far a backfill has come, stored in the index: what is before it is not even fetched."""

    def __init__(self, index: DocumentIndex, *, again: bool) -> None:
        self._index, self._again = index, again

    def last(self) -> int:
        """The last document that an interrupted run of this kind has covered; -1 if there is none."""
        raw = self._index.get_meta(_META)
        known = read_json(raw, dict) if raw else {}
        return int(known["last"]) if known and known["again"] is self._again else -1

    def reached(self, document_id: int) -> None:
        self._index.set_meta(_META, json.dumps({"last": document_id, "again": self._again}).encode("ascii"))

    def end(self) -> None:
        self._index.set_meta(_META, b"")


class BackfillRun:
    """What backfill and sync share: a stream of documents, work that earlier runs left, the queue."""

    def __init__(self, session: Session, options: Options, report: Report) -> None:
        self.session, self.options, self.report = session, options, report
        self.client, self.index = session.client, session.archive.index
        self.batches = Batches(session, report, options)

    def backfill(self) -> None:
        place = Place(self.index, again=self.options.again)
        queued = [] if self._is_trial else self.queued()
        self.review()
        self.write_pending()
        self.examine(self._left(place), place)
        if not self.options.index_only:
            self.examine_pending()
            self.take(queued)
            self.embed()
            self.look()
        if not self.is_cut_short:
            place.end()

    def embed(self, limit: int | None = None) -> None:
        """Makes the vectors that are missing, if the semantic tier is on, and examines these documents with them. Each is stored at
        once, so a killed run continues; a document that cannot be embedded is reported and left for the next run."""
        tier, failures = self.session.semantic, 0
        if tier is None:
            return
        if tier.start_anew_if_other_model():
            model = tier.vectors.model
            self.session.warn(
                f"the vectors in the index were of another model and are made again with {model}"
            )
        for document in islice(tier.missing(), limit):
            try:
                tier.vector_of(document)
            except EmbeddingError as error:
                self.report.skip(document.id, "not embedded", str(error))
                failures += 1
                if failures >= _FAILURES_IN_A_ROW:
                    break
                continue
            failures = 0
            self.batches.pending.add_examinations([document.id])
        self.examine_pending()

    def look(self) -> None:
        """At the pages of pairs with doubts that nobody has looked at; each is kept at once, so a killed run continues."""
        session = self.session
        if not self.options.ink or session.inspector is None:
            return
        from hook.ink.looking import look_at
        from hook.ink.pictures.looking import look_at_picture

        desk = session.inspector, self.client, session.archive
        for record in list(session.findings):
            if look_at(*desk, record.subject, record.findings):
                self.batches.pending.add_examinations([record.subject])
        for number in list(session.archive.index.ids()):
            owner = session.archive.known(number).owner
            if look_at_picture(*desk, number, session.examiner.is_comparable(owner)):
                self.batches.pending.add_examinations([number])
        self.examine_pending()

    def queued(self) -> list[int]:
        """The documents in the queue that are due. Read before the run, which adds others."""
        return [event.document_id for event in self.session.queue.due()]

    def write_pending(self) -> None:
        """What an earlier run has judged and not written."""
        if not (self.options.index_only or self.options.examine_only):
            self.batches.write_pending()

    def review(self) -> None:
        """Decisions first, so a pair that the user decided on is not reported in this run."""
        self.session.labels.known()  # stops here if this Paperless is used with another index
        if not self._is_trial:
            keep_decisions(self.session)
            before = len(self.session.decisions)
            apply_decisions(self.session, fresh=True, patience_s=ATTACHING_S)
            self.report.decided += len(self.session.decisions) - before

    def notice_restored(self, there: Collection[int]) -> None:
        """Before they are examined: a pair that was decided is not reported."""
        if not self._is_trial:
            notice_restored(self.session, there, log.info)

    def survey(self) -> tuple[list[int], str]:
        """The ids of all documents, and the time of the last change, by Paperless's clock."""
        by_change = self.client.document_ids(ordering="-modified")
        newest = next(self.client.documents_by_id(by_change[:1], fields=("id", "modified")), None)
        return sorted(by_change), newest.modified if newest else ""

    def examine(self, ids: list[int], place: Place | None = None, *, quiet: bool = False) -> None:
        """Fetches and hashes at the same time; `place` is moved with each transaction."""
        quiet = quiet or self.options.quiet or not ids
        with (
            progress(len(ids), "examining", quiet=quiet) as advance,
            closing(fetch(self.client, ids, self._unreadable)) as documents,
            self._workers(len(ids)),
        ):
            self.batches.take(
                documents,
                committed=place.reached if place else lambda document_id: None,
                advance=advance,
            )

    @contextmanager
    def _workers(self, count: int) -> Iterator[None]:
        """Worker processes, where they are worth their start."""
        if self.options.jobs < 2 or count < self.options.worth_workers or self.options.index_only:
            yield
            return
        with pool(self.session.archive, self.options.jobs) as self.batches.pool:
            try:
                yield
            finally:
                self.batches.pool = None

    def examine_pending(self) -> None:
        """Documents that others led to, each once: there may be a finding on them, or one that no longer holds."""
        visited: set[int] = set()
        while not self.is_cut_short:
            pending = (number for number in self.batches.pending.examinations() if number not in visited)
            ids = list(islice(pending, BATCH))
            if not ids:
                return
            visited.update(ids)
            there = set(self.client.document_ids(id__in=ids))
            self.forget(number for number in ids if number not in there)
            self.examine([number for number in ids if number in there], quiet=True)

    def forget(self, gone: Iterable[int]) -> None:
        """Documents that were deleted; those that have a finding on them are examined again.

        Our marks on other documents have to be removed, so a run that writes nothing leaves it to the next one.
        """
        if self.options.examine_only:
            return
        for number in gone:
            with self.session.archive.batch():
                known = number in self.index
                self.batches.pending.add_examinations(self.session.examiner.forget(number))
                self.batches.pending.examined(number)
                self.batches.pending.written([number])
            self._unmark_others(number)
            if known:
                self.report.forget(number)

    def _unmark_others(self, gone: int) -> None:
        """Removes tags that other documents have because of a deleted one (DEDUPE_TAG_OTHER)."""
        record = self.session.findings.get(gone)
        own = frozenset((document, tag) for document, tag in record.tagged if document == gone)
        if own != record.tagged:
            self.batches.write([ExaminationResult(RawDocument(gone))])
            if not self.options.dry_run:
                self.session.findings.put([replace(record, findings=(), tagged=own)])

    def take(self, queued: Iterable[int]) -> None:
        """Events that hooks could not finish; after everything that is done in batches."""
        if self._is_trial:
            return
        runner = EventRunner(self.session)
        for number in queued:
            if not runner.resume(number):
                return

    @property
    def _is_trial(self) -> bool:
        return self.options.dry_run or self.options.index_only or self.options.examine_only

    @property
    def is_cut_short(self) -> bool:
        return self.options.limit is not None and self.report.examined >= self.options.limit

    def _left(self, place: Place) -> list[int]:
        """Those that an interrupted run has not covered."""
        since = {"added__gte": self.options.since} if self.options.since else {}
        ids, last = self.client.document_ids(**since), place.last()
        if last < 0:
            return ids
        covered = {number for number in self.index.ids() if number <= last}
        covered.difference_update(self.batches.pending.examinations())
        left = [number for number in ids if number not in covered]
        self.report.skipped["examined before"] += len(ids) - len(left)
        return left

    def _unreadable(self, document_id: int, error: PaperlessError) -> None:
        self.report.skip(document_id, "could not be fetched", str(error))
