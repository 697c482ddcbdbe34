"""Checks the index against itself: the file by SQLite, every value against its checksum, every key of every document against
the table of keys. Linear time, bounded memory.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from hook.errors import IndexDamaged
from hook.index import postings
from hook.index.damage import repair_values, unreadable_values
from hook.index.index import expect_recipe
from hook.index.interface import KeysOf
from hook.index.postings import Hashes
from hook.index.store import DOCUMENTS, Store

SELECT_DOCUMENTS = f"SELECT key, raw FROM Cache WHERE {DOCUMENTS} ORDER BY key"
DELETE_DOCUMENT = "DELETE FROM Cache WHERE key = ? AND raw = ?"


@dataclass(frozen=True, slots=True)
class Report:
    """What the index contains and what is wrong with it; after a repair, what was wrong before."""

    document_count: int
    unreadable_ids: tuple[int, ...] = ()  # documents with an unreadable record: repair drops them
    lost_entries: int = 0  # keys under which a look-up would miss a document
    stray_entries: int = 0  # entries without a document, or of a key that it does not have
    unreadable_values: tuple[str, ...] = ()  # the namespace of each: repair moves them to a file (damage.py)
    file_problems: tuple[str, ...] = ()  # SQLite's own messages
    repaired: bool = False

    @property
    def sound(self) -> bool:
        counts = (self.unreadable_ids, self.lost_entries, self.stray_entries)
        return not (any(counts) or self.unreadable_values or self.file_problems)


def check(store: Store, recipe_id: str, keys_of: KeysOf, *, repair: bool) -> Report:
    """Reads a snapshot, so other processes can write meanwhile; they are locked out only during a repair."""
    with store.snapshot():
        expect_recipe(store, recipe_id)
        report = _examine(store, keys_of)
    if report.sound or not repair:
        return report
    with store.transaction(durable=True):
        if report.file_problems:
            store.sql("REINDEX")
        _rebuild_postings(store, keys_of)
        repair_values(store)
        if problems := store.file_problems():
            raise IndexDamaged(store.directory, problems[0])
    return replace(report, repaired=True)


def _examine(store: Store, keys_of: KeysOf) -> Report:
    problems = tuple(store.file_problems())
    documents = own = lost = 0
    unreadable: list[int] = []
    for number, hashes in _documents(store, keys_of):
        if hashes is None:
            unreadable.append(number)
            continue
        documents += 1
        if not problems:  # else the table of keys may be what is damaged, and it is made anew
            missing, unexplained = postings.missing(store, number, hashes)
            own += len(hashes) - missing
            lost += unexplained
    entries = postings.count(store) if not problems else own
    values = tuple(unreadable_values(store))
    return Report(documents, tuple(unreadable), lost, entries - own, values, problems)


def _documents(store: Store, keys_of: KeysOf) -> Iterator[tuple[int, Hashes | None]]:
    """The hashes of each document; None if its record cannot be read."""
    for _, key, record, row in store.rows():
        if not isinstance(row[0], int | float):
            continue
        number = int(row[0])
        try:
            if record is None or key is None:
                raise ValueError("not plain bytes, or not as it was written")
            yield number, postings.distinct(keys_of(record))
        except Exception:  # whatever a damaged record makes the decoder raise; its id is reported
            yield number, None


def _rebuild_postings(store: Store, keys_of: KeysOf) -> None:
    """From the records, in the order of the ids: an overfull bucket keeps the newest. Unreadable documents go."""
    postings.renew(store)
    for number, raw in store.fetch(SELECT_DOCUMENTS):
        try:
            record = store.get(number) if raw == 1 else None
            if record is None:
                raise ValueError("not a row of ours")
            postings.add(store, number, postings.distinct(keys_of(record)))
        except (
            Exception
        ):  # whatever a damaged record makes the decoder raise; a backfill adds the document again
            store.sql(DELETE_DOCUMENT, (number, raw))
