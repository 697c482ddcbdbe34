"""Checks the index: present, sound, writable, complete; and whether any work is waiting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import closing
from itertools import islice
from typing import Final

from dedupe_core.recipe import Recipe
from hook.backfill.pending_work import PendingWork
from hook.backfill.rebuild import recover
from hook.commands.check.line import Line, fail, ok, warn
from hook.errors import IndexDamaged, IndexFault, IndexMissing, SettingsError
from hook.examination.archive import Archive
from hook.findings.wording import many
from hook.index.damage import QUARANTINE, Salvaged
from hook.index.index import Index
from hook.index.interface import DocumentIndex
from hook.index.verify import Report
from hook.queue import Queue
from hook.session import open_archive, parameters_of
from hook.settings.model import Settings

OWNER: Final = "Give it to the user that runs Paperless (`chown -R`)."
BACKFILL: Final = "Run `paperless-dedupe backfill`: it adds what is missing."
REPAIR: Final = "Repair it with `paperless-dedupe check --repair`."
SAMPLE: Final = 50  # records read by the quick check


def index_lines(settings: Settings, in_paperless: int | None, *, full: bool, repair: bool) -> list[Line]:
    """`in_paperless`: the number of documents that the token's user sees, if known."""
    try:
        recipe = parameters_of(settings).recipe
    except SettingsError as error:
        return [fail("recipe", str(error), "docs/tuning.md lists all parameters with their ranges.")]
    try:
        try:
            return _lines(settings, recipe, in_paperless, full=full, repair=repair)
        except IndexDamaged:
            if not repair or settings.index_url is not None:
                raise
            salvaged = Archive.repair_file(settings.index_dir, recipe)
            rest = _lines(settings, recipe, in_paperless, full=True, repair=True)
            return [_salvaged(settings, salvaged), *rest]
    except IndexMissing as error:
        return [warn("index", str(error))]
    except IndexFault as error:
        return [fail("index", str(error))]


def _lines(
    settings: Settings, recipe: Recipe, in_paperless: int | None, *, full: bool, repair: bool
) -> list[Line]:
    with open_archive(settings, create=False) as archive:
        return [
            _soundness(archive, recipe.id, full=full, repair=repair),
            _writable(archive),
            *_shared(archive.index),
            _completeness(archive, in_paperless),
            *_waiting(archive, settings),
        ]


def _soundness(archive: Archive, recipe_id: str, *, full: bool, repair: bool) -> Line:
    if full or repair:
        report = archive.index.check(repair=repair)
        if report.repaired:
            recover(archive.index, lost_values=bool(report.unreadable_values))
        return _thorough(report)
    numbers = list(islice(archive.index.ids(), SAMPLE))
    if lost := _lost_of(archive, numbers):
        text = f"{many(len(lost), 'document')} of the {len(numbers)} that were looked up cannot be found by all of their keys"
        return fail("index", text, REPAIR)
    count = many(len(archive.index), "document")
    return ok("index", f"{count}, recipe {recipe_id}; --full verifies every entry")


def _lost_of(archive: Archive, numbers: Iterable[int]) -> list[int]:
    """Looked at twice: another process may have replaced or removed one just now."""
    lost = [number for number in numbers if not _is_found(archive, number)]
    listed = set(islice(archive.index.ids(), SAMPLE)) if lost else set()
    return [number for number in lost if number in listed and not _is_found(archive, number)]


def _is_found(archive: Archive, number: int) -> bool:
    """By each of its keys, but for those of buckets that have dropped documents."""
    record = archive.index.get(number)
    if record is None:
        return False
    hits = archive.index.lookup(archive.index.keys_of(record))
    is_found = hits.saturated
    is_found[hits.key_index[hits.ids == number]] = True
    return bool(is_found.all())


def _salvaged(settings: Settings, saved: Salvaged) -> Line:
    with open_archive(settings, create=False) as archive:
        recover(archive.index, lost_values=True)
    text = f"the index file was damaged: {many(saved.documents, 'document')} and {saved.values} other entries were saved"
    if saved.quarantined:
        text += f"; unreadable, and kept in {QUARANTINE}: {_counts(saved.quarantined)}"
    return warn("index-file", text, BACKFILL)


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} of {name}" for name, count in sorted(counts.items()))


def _thorough(report: Report) -> Line:
    if report.sound:
        return ok("index", f"{many(report.document_count, 'document')}, every value and every entry verified")
    damage = {
        "unreadable documents": len(report.unreadable_ids),
        f"unreadable values ({_counts(Counter(report.unreadable_values))})": len(report.unreadable_values),
        "lost entries": report.lost_entries,
        "stray entries": report.stray_entries,
        "problems in the file": len(report.file_problems),
    }
    text = ", ".join(f"{count} {what}" for what, count in damage.items() if count)
    if not report.repaired:
        return fail("index", f"the index is damaged: {text}", REPAIR)
    kept = f"; unreadable values are kept in {QUARANTINE}" if report.unreadable_values else ""
    advice = BACKFILL if report.unreadable_ids or report.unreadable_values else ""
    return warn("index", f"the index was damaged and has been repaired: {text}{kept}", advice)


def _shared(index: DocumentIndex) -> list[Line]:
    """Of an index on a server: whether it may lose what is stored there."""
    if isinstance(index, Index):
        return []
    from hook.commands.check.index_server import risks
    from hook.index.shared.index import SharedIndex

    assert isinstance(index, SharedIndex)
    text = f"{index.server.address} keeps what it is given: no eviction, and persistence is on"
    return list(risks(index.server)) or [ok("index-server", text)]


def _writable(archive: Archive) -> Line:
    with archive.batch():
        pass  # takes the write lock and releases it
    return ok("index-writable", "the index can be written")


def _completeness(archive: Archive, in_paperless: int | None) -> Line:
    count = len(archive.index)
    if in_paperless is None or count == in_paperless:
        return ok("index-complete", f"{many(count, 'document')} indexed")
    text = f"{many(count, 'document')} indexed, Paperless has {in_paperless}"
    command = "backfill" if count < in_paperless else "backfill --sync"
    return warn("index-complete", text, f"Run `paperless-dedupe {command}`.")


def _waiting(archive: Archive, settings: Settings) -> list[Line]:
    with closing(Queue(settings.index_dir)) as queue:
        try:
            events = queue.events()
        except OSError as error:
            return [fail("queue", f"{queue.directory} cannot be read ({error.strerror})", OWNER)]
    pending = len(PendingWork(archive.index))
    lines = []
    if events:
        last = max(events, key=lambda event: event.attempts)
        why = f"; #{last.document_id}: {last.reason}" if last.reason else ""
        advice = "The next hook run examines them; `paperless-dedupe backfill --sync` does it now."
        lines.append(warn("queue", f"{many(len(events), 'document')} to be examined{why}", advice))
    if pending:
        text = f"{many(pending, 'document')} of a run that only looked, or was interrupted"
        lines.append(warn("unsettled", text, "`paperless-dedupe backfill` writes what was found."))
    return lines or [ok("queue", "no work is waiting")]
