"""The index in a directory: documents, which are opaque records, by id and by the keys under which similar ones are found."""

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

import numpy as np

from hook.deadline import Deadline
from hook.errors import FormatMismatch, IndexDamaged, IndexFault, RecipeMismatch
from hook.index import postings
from hook.index.ids import MAX_ID, valid_id
from hook.index.interface import Closing, Hits, Keys, KeysOf
from hook.index.postings import Buckets, Hashes
from hook.index.store import DOCUMENTS, Namespace, Store
from hook.locks import run_lock, writing_lock

if TYPE_CHECKING:
    from hook.index.verify import Report

COUNT: Final = "SELECT COUNT(*) FROM Cache WHERE key BETWEEN 0 AND ?"
# What must be known before anything else in the index can be read: its format and its recipe.
FORMAT: Final = 3
STATE: Final = "state"


class Index(Closing):
    """Belongs to the thread that opened it; any number of processes may have the same one open."""

    def __init__(self, store: Store, recipe_id: str, keys_of: KeysOf) -> None:
        """Use `open` or `rebuild`."""
        self._store = store
        self._recipe_id = recipe_id
        self.keys_of = keys_of
        self._is_broken = False  # a change failed half-way: the transaction must not be committed

    @classmethod
    def open(
        cls, directory: Path, recipe_id: str, keys_of: KeysOf, *, create: bool = True, timeout_s: float = 10.0
    ) -> Self:
        store = Store(directory, create=create, timeout_s=timeout_s)
        with _closed_on_error(store):
            if find_recipe(store) is None:
                _begin(store, recipe_id)
            expect_recipe(store, recipe_id)
        return cls(store, recipe_id, keys_of)

    @classmethod
    def rebuild(
        cls,
        directory: Path,
        recipe_id: str,
        keys_of: KeysOf,
        *,
        filled: Path | None = None,
        timeout_s: float = 10.0,
    ) -> Self:
        """Opens the index with the documents of the one in the directory `filled` instead of its own, whatever its
        recipe or state; without it, with none. One transaction: others see the old documents or the new ones.
        Meta values and namespaces stay; of a damaged file, those that can be read."""
        try:
            store = _replaced(directory, recipe_id, filled, timeout_s)
        except IndexDamaged:
            from hook.index.damage import salvage

            salvage(directory, recipe_id, None, timeout_s=timeout_s)
            store = _replaced(directory, recipe_id, filled, timeout_s)
        return cls(store, recipe_id, keys_of)

    def close(self) -> None:
        self._store.close()

    @contextmanager
    def batch(self, *, durable: bool = False) -> Iterator[None]:
        """All changes inside are one transaction, which holds the write lock: at most some 100 documents.

        Look-ups inside see what the batch has put.
        """
        if self._store.in_transaction:
            yield
            return
        with self._store.transaction(durable=durable):
            self._is_broken = False
            expect_recipe(self._store, self._recipe_id)
            yield
            if self._is_broken:
                raise IndexFault(
                    "a change of this batch failed, so the whole batch was rolled back: run the command again"
                )

    @property
    def in_batch(self) -> bool:
        """True inside `batch`: other processes wait for the write lock."""
        return self._store.in_transaction

    def exclusive(self, *, durable: bool = False) -> AbstractContextManager[None]:
        """What is read inside is not changed by others before it is written: a batch holds the write lock."""
        return self.batch(durable=durable)

    def lookup_and_put(self, document_id: int, keys: Keys, record: bytes) -> tuple[bytes | None, Hits]:
        hashes = postings.hash_keys(keys)
        with self.batch():
            before, buckets = self.get(document_id), postings.read(self._store, hashes)
            if before != record:
                self._put(document_id, np.unique(hashes), record, before, buckets)
        return before, postings.find(buckets, hashes)

    def _put(
        self, document_id: int, hashes: Hashes, record: bytes, before: bytes | None, buckets: Buckets
    ) -> None:
        with self._change() as store:
            if before is not None:
                known = self._hashes_of(document_id, before)
                postings.discard(store, document_id, np.setdiff1d(known, hashes))
                hashes = np.setdiff1d(hashes, known)
            postings.add(store, document_id, hashes, buckets)
            store.set(valid_id(document_id), record)

    def remove(self, document_id: int) -> bool:
        with self._change() as store:
            record = self.get(document_id)
            if record is None:
                return False
            postings.discard(store, document_id, self._hashes_of(document_id, record))
            return store.delete(valid_id(document_id))

    def get(self, document_id: int) -> bytes | None:
        return self.get_many([document_id]).get(document_id)

    def get_many(self, document_ids: Iterable[int]) -> dict[int, bytes]:
        return self._store.get_many(map(valid_id, document_ids))

    def was_replaced(self) -> bool:
        """True if another file is in our place, such as a recovered one: open it again."""
        return self._store.was_replaced()

    def __contains__(self, document_id: int) -> bool:
        return self.get(document_id) is not None

    def __len__(self) -> int:
        return int(self._store.fetch(COUNT, (MAX_ID,))[0][0])

    def ids(self) -> Iterator[int]:
        for key in self._store.keys(0, MAX_ID + 1):
            assert isinstance(key, int)  # the range has no other keys
            yield key

    def size_bytes(self) -> int:
        """Of all files in its directory."""
        return sum(file.stat().st_size for file in self._store.directory.iterdir() if file.is_file())

    def lookup(self, keys: Keys) -> Hits:
        hashes, is_checked = postings.hash_keys(keys), self.in_batch  # a batch has looked at the recipe
        with self._store.snapshot():
            if not is_checked:
                expect_recipe(self._store, self._recipe_id)
            return postings.find(postings.read(self._store, hashes), hashes)

    def get_meta(self, name: str) -> bytes | None:
        return self._store.get(f"meta:{name}")

    def set_meta(self, name: str, value: bytes) -> None:
        with self._store.transaction():
            self._store.set(f"meta:{name}", value)

    def namespace(self, name: str) -> Namespace:
        return Namespace(self._store, name)

    def check(self, *, repair: bool = False) -> "Report":
        """Verifies the file, the counters, every value and every entry; with `repair`, corrects what it can."""
        from hook.index.verify import check  # the hook never needs it

        return check(self._store, self._recipe_id, self.keys_of, repair=repair)

    def run_lock(self) -> AbstractContextManager[None]:
        return run_lock(self._store.directory)

    def writing_lock(self, deadline: Deadline) -> AbstractContextManager[None]:
        return writing_lock(self._store.directory, deadline)

    @contextmanager
    def _change(self) -> Iterator[Store]:
        with self.batch():
            try:
                yield self._store
            except BaseException:
                self._is_broken = True
                raise

    def _hashes_of(self, document_id: int, record: bytes) -> Hashes:
        try:
            return postings.distinct(self.keys_of(record))
        except Exception as error:  # whatever a damaged record makes the decoder raise
            raise IndexDamaged(
                self._store.directory, f"the record of document {document_id} cannot be read"
            ) from error


def find_recipe(store: Store) -> str | None:
    """None for an empty database. Raises FormatMismatch for an index of another version."""
    row = store.get(STATE)
    if row is None:
        return None
    if (known := int.from_bytes(row[:2], "little")) != FORMAT:
        raise FormatMismatch(store.directory, known, FORMAT)
    return row[2:].decode(errors="replace")


def expect_recipe(store: Store, recipe_id: str) -> None:
    """Asked in every transaction: another process may have rebuilt the index with another recipe."""
    known = find_recipe(store)
    if known is None:
        raise IndexDamaged(store.directory, "its state is missing")
    if known != recipe_id:
        raise RecipeMismatch(store.directory, known, recipe_id)


def reset(store: Store, recipe_id: str) -> None:
    """Drops all documents and keys, also of another format; meta values and namespaces stay."""
    store.sql(f"DELETE FROM Cache WHERE {DOCUMENTS}")
    store.delete(STATE)
    postings.renew(store)
    store.set(STATE, FORMAT.to_bytes(2, "little") + recipe_id.encode())


def _begin(store: Store, recipe_id: str) -> None:
    """Writes the first row of a new index, unless another process has just done so."""
    with store.transaction():
        if find_recipe(store) is not None:
            return
        if not store.is_empty():
            raise IndexDamaged(store.directory, "its state is missing")
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
                store.adopt()
    return store


@contextmanager
def _closed_on_error(store: Store) -> Iterator[None]:
    try:
        yield
    except BaseException:
        store.close()
        raise
