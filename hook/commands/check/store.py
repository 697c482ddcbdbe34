"""Is the index there, sound, writable and complete, and does anything wait to be done?"""

from __future__ import annotations

from itertools import islice
from typing import Final

from hook.backfill.pending_work import Unsettled
from hook.commands.check.diagnosis import Line, fail, ok, warn
from hook.errors import IndexFault, IndexMissing
from hook.index.archive import Archive
from hook.index.verify import Report
from hook.queue import Queue
from hook.session import open_archive, recipe_of
from hook.settings.model import Settings

SAMPLE: Final = 50  # records that the quick check reads


def index_lines(settings: Settings, in_paperless: int | None, *, full: bool, repair: bool) -> list[Line]:
    """`in_paperless`: how many documents the token's user sees, if that could be asked."""
    try:
        with open_archive(settings, create=False) as archive:
            return [
                _soundness(archive, recipe_of(settings).id, full=full, repair=repair),
                _writable(archive),
                _completeness(archive, in_paperless),
                *_waiting(archive, settings),
            ]
    except IndexMissing as error:
        return [warn("index", str(error))]
    except IndexFault as error:
        return [fail("index", str(error))]


def _soundness(archive: Archive, recipe_id: str, *, full: bool, repair: bool) -> Line:
    if full or repair:
        return _thorough(archive.index.check(repair=repair))
    for number in islice(archive.index.ids(), SAMPLE):
        archive.fingerprint_of(number)  # raises what is wrong with it
    return ok("index", f"{len(archive.index)} documents, recipe {recipe_id}; --full looks closer")


def _thorough(report: Report) -> Line:
    if report.sound:
        return ok("index", f"{report.document_count} documents, every entry verified")
    found = {
        "documents that cannot be read": len(report.unreadable_ids),
        "lost entries": report.lost_entries,
        "stray entries": report.stray_entries,
        "damaged pages": report.damaged_pages,
        "wrong counters": int(report.wrong_counters),
        "problems of the file": len(report.file_problems),
    }
    text = ", ".join(f"{count} {what}" for what, count in found.items() if count)
    if not report.repaired:
        return fail(
            "index", f"the index is damaged: {text}", "Repair it with `paperless-dedupe check --repair`."
        )
    advice = "Run `paperless-dedupe backfill`: it adds what was lost." if report.unreadable_ids else ""
    return warn("index", f"the index was damaged and is repaired: {text}", advice)


def _writable(archive: Archive) -> Line:
    with archive.batch():
        pass  # takes the write lock and gives it back
    return ok("index-writable", "the index can be written")


def _completeness(archive: Archive, in_paperless: int | None) -> Line:
    count = len(archive.index)
    if in_paperless is None or count == in_paperless:
        return ok("index-complete", f"{count} documents are indexed")
    text = f"{count} documents are indexed, Paperless has {in_paperless}"
    command = "backfill" if count < in_paperless else "backfill --sync"
    return warn("index-complete", text, f"Run `paperless-dedupe {command}`.")


def _waiting(archive: Archive, settings: Settings) -> list[Line]:
    events, debts = Queue(settings.index_dir).events(), len(Unsettled(archive.index))
    lines = []
    if events:
        last = max(events, key=lambda event: event.attempts)
        why = f"; #{last.document_id}: {last.reason}" if last.reason else ""
        advice = "The next hook does it, or `paperless-dedupe backfill --sync` at once."
        lines.append(warn("queue", f"{len(events)} documents wait to be examined{why}", advice))
    if debts:
        advice = "Run `paperless-dedupe backfill` once more."
        lines.append(
            warn("unsettled", f"{debts} documents are left over from a backfill that was ended", advice)
        )
    return lines or [ok("queue", "nothing waits to be done")]
