"""The persisted index: documents by id, and by the keys under which similar documents are found.

A look-up reads one page row per key, however many documents there are. Documents are opaque records. `keys_of`
computes the keys of a record again, so replacing, removing and checking need no second copy of them.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Self

import numpy as np

from hook.deadline import Deadline
from hook.errors import IndexDamaged, IndexFault
from hook.index.ids import MAX_ID
from hook.index.interface import MAX_KEYS, Closing, Hits, Keys
from hook.index.key_table import VACATED, hash_keys
from hook.index.layout import (
    DOCUMENT_ROWS,
    OTHER_ROWS,
    PAGE_ROWS,
    STATE_ROW,
    Work,
    find_state,
    read_state,
    reset,
)
from hook.index.pages import Words
from hook.index.store import Namespace, Store
from hook.locks import run_lock, writing_lock

if TYPE_CHECKING:
    from hook.index.damage import Readers, Salvaged
    from hook.index.verify import Report

KeysOf = Callable[[bytes], Keys]


class Index(Closing):
    """Belongs to the thread that opened it; any number of processes may have the same one open."""

    def __init__(self, store: Store, recipe_id: str, keys_of: KeysOf) -> None:
        """Use `open` or `rebuild`."""
        self._store = store
        self._recipe_id = recipe_id
        self._keys_of = keys_of
        self._work: Work | None = None

    @classmethod
    def open(
        cls, directory: Path, recipe_id: str, *, keys_of: KeysOf, create: bool = True, timeout_s: float = 10.0
    ) -> Self:
        store = Store(directory, create=create, timeout_s=timeout_s)
        with _closed_on_error(store):
            if find_state(store) is None:
                _begin(store, recipe_id)
            read_state(store, recipe_id)
        return cls(store, recipe_id, keys_of)

    @classmethod
    def rebuild(
        cls,
        directory: Path,
        recipe_id: str,
        *,
        keys_of: KeysOf,
        filled: Path | None = None,
        readers: "Readers | None" = None,
        timeout_s: float = 10.0,
    ) -> Self:
        """Opens the index with the documents of the one in the directory `filled` instead of its own, whatever its
        recipe or state; without it, with none. One transaction: others see the old documents or the new ones.
        Meta values and namespaces stay; of a damaged file, those that can be read."""
        try:
            store = _replaced(directory, recipe_id, filled, timeout_s)
        except IndexDamaged:
            from hook.index.damage import salvage

            salvage(directory, recipe_id, None, readers or {}, timeout_s=timeout_s)
            store = _replaced(directory, recipe_id, filled, timeout_s)
        return cls(store, recipe_id, keys_of)

    @classmethod
    def repair_file(
        cls, directory: Path, recipe_id: str, *, keys_of: KeysOf, readers: "Readers", timeout_s: float = 10.0
    ) -> "Salvaged":
        """Replaces a database that SQLite cannot use with one that has all that can be read of it."""
        from hook.index.damage import salvage

        return salvage(
            directory, recipe_id, lambda record: _distinct(keys_of(record)), readers, timeout_s=timeout_s
        )

    def close(self) -> None:
        self._store.close()

    @contextmanager
    def batch(self, *, durable: bool = False) -> Iterator[None]:
        """All changes inside are one transaction, which holds the write lock: at most some 100 documents.

        Look-ups inside see what the batch has put. Each page is read and written once per batch.
        """
        if self._work is not None:
            yield
            return
        with self._store.transaction(durable=durable):
            self._work = Work(self._store, self._recipe_id)
            try:
                yield
                if self._work.broken:
                    raise IndexFault(
                        "a change of this batch failed, so the whole batch was rolled back: run the command again"
                    )
                self._work.flush()
            finally:
                self._work = None

    @property
    def in_batch(self) -> bool:
        """True inside `batch`: other processes wait for the write lock."""
        return self._work is not None

    def alone(self, *, durable: bool = False) -> AbstractContextManager[None]:
        """What is read inside is not changed by others before it is written: a batch holds the write lock."""
        return self.batch(durable=durable)

    def exchange(self, document_id: int, keys: Keys, record: bytes) -> tuple[bytes | None, Hits]:
        """Looks up the keys and stores the document, in one transaction; the record that was there before."""
        with self.batch():
            before, hits = self.get(document_id), self.lookup(keys)
            if before != record:
                self._put(document_id, keys, record, before)
        return before, hits

    def expect(self, keys: Keys) -> None:
        """In a batch, the keys of its documents: each page of theirs is unpacked and packed once."""
        if self._work is not None:
            self._work.table.expect(hash_keys(keys))

    def put(self, document_id: int, keys: Keys, record: bytes) -> None:
        """Stores the document or replaces it, atomically."""
        with self.batch():
            self._put(document_id, keys, record, self.get(document_id))

    def _put(self, document_id: int, keys: Keys, record: bytes, before: bytes | None) -> None:
        rowid = _row_of(document_id)
        hashes = _distinct(keys)
        with self._change() as work:
            if before is None:
                work.table.insert(document_id + 1, hashes)
                self._store.insert([(rowid, document_id, record)])
                work.document_count += 1
            else:
                known = self._hashes_of(document_id, before)
                work.table.discard(document_id + 1, np.setdiff1d(known, hashes, assume_unique=True))
                work.table.insert(document_id + 1, np.setdiff1d(hashes, known, assume_unique=True))
                self._store.update([(rowid, document_id, record)])

    def remove(self, document_id: int) -> bool:
        rowid = _row_of(document_id)
        with self._change() as work:
            record = self.get(document_id)
            if record is None:
                return False
            work.table.discard(document_id + 1, self._hashes_of(document_id, record))
            self._store.delete_rows(rowid, rowid + 1)
            work.document_count -= 1
        return True

    def get(self, document_id: int) -> bytes | None:
        return self.get_many([document_id]).get(document_id)

    def get_many(self, document_ids: Iterable[int]) -> dict[int, bytes]:
        rows = self._store.read([_row_of(document_id) for document_id in document_ids])
        return {rowid - DOCUMENT_ROWS: record for rowid, record in rows.items()}

    def changes_by_others(self) -> int:
        """Another number whenever another process has changed the index."""
        return self._store.changes_by_others()

    def was_replaced(self) -> bool:
        """True if another index is in our place, such as a recovered one: open it again."""
        return self._store.was_replaced()

    def __contains__(self, document_id: int) -> bool:
        return self.get(document_id) is not None

    def __len__(self) -> int:
        now = self._work or read_state(self._store, self._recipe_id)
        return now.document_count

    def ids(self) -> Iterator[int]:
        """All document ids in order, read some at a time."""
        for key in self._store.keys(0, MAX_ID + 1):
            assert isinstance(key, int)  # the range has no other keys
            yield key

    def lookup(self, keys: Keys) -> Hits:
        if len(keys) > MAX_KEYS:
            raise ValueError(f"{len(keys)} keys; at most {MAX_KEYS} are looked up at once")
        hashes = hash_keys(keys)
        with self._store.snapshot():
            found = (self._work or Work(self._store, self._recipe_id)).table.find(hashes)
        slots, asked = found.slots, found.asked
        if not slots.all():
            taken = slots != VACATED
            slots, asked = slots[taken], asked[taken]
        return Hits(
            ids=slots - np.uint32(1),
            key_index=asked.astype(np.uint16),
            sizes=np.minimum(found.sizes, MAX_KEYS).astype(np.uint16),
        )

    def get_meta(self, name: str) -> bytes | None:
        return self._store.get(f"meta:{name}")

    def set_meta(self, name: str, value: bytes) -> None:
        with self._store.transaction():
            self._store.set(f"meta:{name}", value)

    def namespace(self, name: str) -> Namespace:
        return Namespace(self._store, name)

    def check(self, *, repair: bool = False, readers: "Readers | None" = None) -> "Report":
        """Verifies the file, the counters, every value and every entry; with `repair`, corrects what it can."""
        from hook.index.verify import check  # the hook never needs it

        return check(self._store, self._recipe_id, self._hashes, repair=repair, readers=readers)

    def maintain(self) -> None:
        """Nothing: the table grows with each insert."""

    def run_lock(self) -> AbstractContextManager[None]:
        return run_lock(self._store.directory)

    def writing_lock(self, deadline: Deadline) -> AbstractContextManager[None]:
        return writing_lock(self._store.directory, deadline)

    def beside_documents(self) -> Iterator[tuple[bytes, bytes]]:
        """Meta values as `meta:NAME`, namespaces as `NAMESPACE 0 KEY`, their sequences as `sequence:NAME`."""
        for first in ("meta:", "sequence:"):
            for name, value in self._store.items(first, first + "\uffff"):
                yield str(name).encode(), value
        for name, value in self._store.items(b"", b"\xff" * 8):
            assert isinstance(name, bytes)  # SQLite sorts by type first, so the range has no other keys
            yield name, value

    def restore(self, name: bytes, value: bytes) -> None:
        with self._store.transaction(durable=True):
            self._store.set(name if b"\0" in name else name.decode(), value)

    @contextmanager
    def _change(self) -> Iterator[Work]:
        with self.batch():
            assert self._work is not None
            try:
                yield self._work
            except BaseException:
                self._work.broken = True
                raise

    def _hashes(self, record: bytes) -> Words:
        return _distinct(self._keys_of(record))

    def _hashes_of(self, document_id: int, record: bytes) -> Words:
        try:
            return self._hashes(record)
        except Exception as error:  # whatever a damaged record makes the decoder raise
            raise IndexDamaged(
                self._store.directory, f"the record of document {document_id} cannot be read"
            ) from error


def _row_of(document_id: int) -> int:
    if not 0 <= document_id <= MAX_ID:
        raise ValueError(f"document id {document_id} is not in 0..{MAX_ID}")
    return DOCUMENT_ROWS + int(document_id)  # `Hits.ids` has numpy integers of 32 bits


def _distinct(keys: Keys) -> Words:
    hashes = hash_keys(keys)
    return hashes if len(set(hashes.tolist())) == len(hashes) else np.unique(hashes)


def _begin(store: Store, recipe_id: str) -> None:
    """Writes the first row of a new index, unless another process has just done so."""
    with store.transaction():
        if find_state(store) is None:
            reset(store, recipe_id)


def _replaced(directory: Path, recipe_id: str, filled: Path | None, timeout_s: float) -> Store:
    """The store with other documents. Raises IndexDamaged before anything is changed."""
    store = Store(directory, create=True, timeout_s=timeout_s)
    with _closed_on_error(store):
        if problems := store.file_problems():
            raise IndexDamaged(directory, problems[0])
        with store.attached(filled), store.transaction(durable=True):
            reset(store, recipe_id)
            if filled is not None:
                store.delete_rows(STATE_ROW, STATE_ROW + 1)
                store.adopt(PAGE_ROWS, OTHER_ROWS + 1)
                read_state(store, recipe_id)
    return store


@contextmanager
def _closed_on_error(store: Store) -> Iterator[None]:
    try:
        yield
    except BaseException:
        store.close()
        raise
