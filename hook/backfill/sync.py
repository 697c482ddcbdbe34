"""Brings the index in line with Paperless: what is new, changed, re-OCRed, deleted or in the trash.

`modified` moves when we tag a document ourselves and does not move when Paperless reads a scan again. So it
only says which texts to compare; and once a week, all are compared.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from hook.backfill.run import ArchiveRun
from hook.errors import DedupeError, PaperlessError
from hook.findings.findings import Record
from hook.index.index import Index

FULL_EVERY_S: Final = 7 * 86_400.0
OVERLAP: Final = timedelta(minutes=10)  # a change that was slow to be committed is older than what we saw
MANY: Final = 20  # so many documents may go at once without a question
_META: Final = "sync"


@dataclass(frozen=True, slots=True)
class Mark:
    """Where the last sync began: Paperless's time for what changed, ours for the last full comparison."""

    modified: str = ""
    full_at: float = 0.0

    @classmethod
    def of(cls, index: Index) -> Mark:
        raw = index.get_meta(_META)
        return cls(**json.loads(raw)) if raw else cls()

    def keep(self, index: Index) -> None:
        index.set_meta(_META, json.dumps(asdict(self)).encode("ascii"))

    def since(self) -> str:
        """From when on to ask Paperless; in UTC, because it writes the time of its own zone."""
        moment = datetime.fromisoformat(self.modified) - OVERLAP
        return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def synchronise(
    run: ArchiveRun,
    *,
    full: bool = False,
    accept_deletions: bool = False,
    clock: Callable[[], float] = time.time,
) -> None:
    mark, now = Mark.of(run.index), clock()
    full = full or not mark.modified or not 0 <= now - mark.full_at < FULL_EVERY_S
    run.review()
    waiting = [event.document_id for event in run.queue.due()]
    run.batches.pay_debts()
    there, newest = run.survey()
    _forget_gone(run, set(there), accept_deletions=accept_deletions)
    run.examine(there if full else _suspects(run, there, mark))
    run.examine_owed()
    run.work_off(waiting)
    if full:
        _drop_old_records(run, set(there))
    if not run.is_cut_short:
        Mark(newest or mark.modified, now if full else mark.full_at).keep(run.index)


def _suspects(run: ArchiveRun, there: list[int], mark: Mark) -> list[int]:
    """What is not in the index yet, and what was touched since; the text decides."""
    known = set(run.index.ids())
    touched = run.client.document_ids(modified__gte=mark.since())
    return sorted({*touched, *(number for number in there if number not in known)})


def _forget_gone(run: ArchiveRun, there: set[int], *, accept_deletions: bool) -> None:
    known = list(run.index.ids())
    gone = [number for number in known if number not in there]
    # Another token, or an empty Paperless at that address, must not take back every finding.
    if len(gone) > MANY and 2 * len(gone) > len(known) and not accept_deletions:
        raise DedupeError(
            f"{len(gone)} of {len(known)} indexed documents are gone or hidden from the token's user: if "
            "they really were deleted, run it with --accept-deletions; else check DEDUPE_URL and the token"
        )
    run.forget(gone)


def _drop_old_records(run: ArchiveRun, there: set[int]) -> None:
    """What we wrote on a document is remembered while it is in the trash, since it may be restored."""
    gone = {record.subject for record in run.examiner.findings} - there
    if not gone or run.options.dry_run:
        return
    try:
        trashed = {document.id for document in run.client.trash()}
    except PaperlessError:  # not everybody may see the trash; the records do no harm
        return
    run.examiner.findings.put(Record(number) for number in gone - trashed)
