"""Synchronises the index with Paperless: what is new, changed, re-OCRed, deleted or in the trash.

`modified` changes when we tag a document ourselves, and does not change when Paperless runs OCR again. So it only
selects the texts to compare, and once a week all of them are compared.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from hook.backfill.run import BackfillRun
from hook.errors import DedupeError, PaperlessError
from hook.examination.codec import read_json
from hook.findings.findings import Record
from hook.index.interface import DocumentIndex

FULL_EVERY_S: Final = 7 * 86_400.0
OVERLAP: Final = timedelta(minutes=10)  # a change that was committed late is older than the newest we saw
MANY: Final = 20  # so many deletions at once are accepted without --accept-deletions
# Vectors made by one sync: a minute; the first 40,000 are for `backfill --embeddings`
SYNC_LIMIT: Final = 200
_META: Final = "sync"


@dataclass(frozen=True, slots=True)
class Mark:
    """Where the last sync began: Paperless's time for what changed, ours for the last full comparison."""

    modified: str = ""
    full_at: float = 0.0

    @classmethod
    def of(cls, index: DocumentIndex) -> Mark:
        raw = index.get_meta(_META)
        return read_json(raw, lambda data: cls(**data)) if raw else cls()

    def keep(self, index: DocumentIndex) -> None:
        index.set_meta(_META, json.dumps(asdict(self)).encode("ascii"))

    def since(self) -> str:
        """The start of the period to ask for; in UTC, because Paperless answers in its own time zone."""
        moment = datetime.fromisoformat(self.modified) - OVERLAP
        return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def synchronise(
    run: BackfillRun,
    *,
    full: bool = False,
    accept_deletions: bool = False,
    clock: Callable[[], float] = time.time,
) -> None:
    mark, now = Mark.of(run.index), clock()
    full = full or not mark.modified or not 0 <= now - mark.full_at < FULL_EVERY_S
    run.review()
    queued = run.queued()
    run.write_pending()
    # Before Paperless is asked: what hooks add from now on may be missing in its answer, and is not deleted.
    indexed = list(run.index.ids())
    recorded = {record.subject for record in run.session.findings} if full else set[int]()
    there, newest = run.survey()
    _forget_gone(run, indexed, set(there), accept_deletions=accept_deletions)
    run.notice_restored(set(there))
    if run.session.settings.trash_same_file:  # before they are reported: one that is, is left to the person
        run.take(queued)
        queued = []
    run.examine(there if full else _changed(run, there, mark))
    run.examine_pending()
    run.take(queued)
    run.embed(SYNC_LIMIT)
    if full:
        _drop_old_records(run, recorded - set(there))
    if not run.is_cut_short:
        Mark(newest or mark.modified, now if full else mark.full_at).keep(run.index)


def _changed(run: BackfillRun, there: list[int], mark: Mark) -> list[int]:
    """What is not in the index yet, and what was modified since. Of these, the text decides."""
    known = set(run.index.ids())
    touched = run.client.document_ids(modified__gte=mark.since())
    return sorted({*touched, *(number for number in there if number not in known)})


def _forget_gone(run: BackfillRun, known: list[int], there: set[int], *, accept_deletions: bool) -> None:
    gone = [number for number in known if number not in there]
    # Another token, or an empty Paperless at that address, must not remove every finding.
    if len(gone) > MANY and 2 * len(gone) > len(known) and not accept_deletions:
        raise DedupeError(
            f"{len(gone)} of {len(known)} indexed documents are deleted or not visible to the token's user: if "
            "they were deleted, run this with --accept-deletions; else check DEDUPE_URL and the token"
        )
    run.forget(gone)


def _drop_old_records(run: BackfillRun, gone: set[int]) -> None:
    """Records of documents are kept while these are in the trash, since they may be restored."""
    if not gone or run.options.dry_run or run.options.examine_only:
        return
    try:
        trashed = {document.id for document in run.client.trash()}
    except PaperlessError:  # the token's user may not see the trash; the records do no harm
        return
    run.session.findings.put(Record(number) for number in gone - trashed)
