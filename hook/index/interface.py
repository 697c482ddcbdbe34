"""What the rest of the product may ask of an index, whatever store it is in: a directory or a Redis server."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from hook.deadline import Deadline

if TYPE_CHECKING:
    from hook.index.verify import Report

Keys = NDArray[np.uint64]
KeysOf = Callable[[bytes], Keys]
MAX_KEYS = 2**16 - 1  # `Hits.key_index` has 16 bits
BUCKET_CAP = 64  # documents per key: 3,000 letters of one template take 64 entries, not 3,000
BUCKET_SLACK = 16  # allowed above the cap before the lowest ids are dropped: once in 16 documents


@dataclass(frozen=True, slots=True)
class Hits:
    """The documents that have the keys asked for: `ids[i]` is in the bucket of key number `key_index[i]`."""

    ids: NDArray[np.uint32]
    key_index: NDArray[np.uint16]
    sizes: NDArray[np.uint16]  # per key: entries in its bucket; the fewer, the more significant a hit

    @property
    def saturated(self) -> NDArray[np.bool_]:
        """Per key: the bucket is full, and older documents may have been dropped from it."""
        return self.sizes >= BUCKET_CAP


class Closing(ABC):
    """Closed at the end of its `with` block."""

    @abstractmethod
    def close(self) -> None: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class KeyValue(Protocol):
    """Bytes by key, in key order, apart from the documents: they survive a rebuild of the index."""

    def get(self, key: bytes) -> bytes | None: ...
    def put(self, key: bytes, value: bytes) -> None: ...
    def delete(self, key: bytes) -> bool: ...
    def append(self, value: bytes) -> int: ...
    def items(self, prefix: bytes = b"") -> Iterator[tuple[bytes, bytes]]: ...
    def __len__(self) -> int: ...


class DocumentIndex(Protocol):
    """Documents by id and by key. Belongs to the thread that opened it.

    `batch` is one transaction where the store has them. `exclusive` is not to be nested: what is read inside is not changed
    by others before it is written. `lookup_and_put` returns the record that was there before; of two documents that come in at
    once, at least one sees the other.
    """

    keys_of: KeysOf  # of a record: replacing, removing and checking need no second copy of them

    def close(self) -> None: ...
    def batch(self, *, durable: bool = False) -> AbstractContextManager[None]: ...
    @property
    def in_batch(self) -> bool: ...
    def exclusive(self, *, durable: bool = False) -> AbstractContextManager[None]: ...
    def lookup_and_put(self, document_id: int, keys: Keys, record: bytes) -> tuple[bytes | None, Hits]: ...
    def remove(self, document_id: int) -> bool: ...
    def get(self, document_id: int) -> bytes | None: ...
    def get_many(self, document_ids: Iterable[int]) -> dict[int, bytes]: ...
    def lookup(self, keys: Keys) -> Hits: ...
    def ids(self) -> Iterator[int]: ...
    def __contains__(self, document_id: int) -> bool: ...
    def __len__(self) -> int: ...
    def get_meta(self, name: str) -> bytes | None: ...
    def set_meta(self, name: str, value: bytes) -> None: ...
    def namespace(self, name: str) -> KeyValue: ...
    def size_bytes(self) -> int | None: ...
    def was_replaced(self) -> bool: ...
    def check(self, *, repair: bool = False) -> Report: ...
    def run_lock(self) -> AbstractContextManager[None]: ...
    def writing_lock(self, deadline: Deadline) -> AbstractContextManager[None]: ...
