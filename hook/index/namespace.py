"""Small durable key/value spaces beside the documents: queue, decisions, journal. They survive a rebuild."""

from collections.abc import Iterator

from hook.index.store import Store


class Namespace:
    """Bytes by key, in key order. A change is on the disk when the call returns, unless a batch is open:
    then it is committed, or taken back, with the batch."""

    def __init__(self, store: Store, name: str) -> None:
        if not name or "\0" in name:
            raise ValueError(f"{name!r} is no name for a namespace")
        self._store = store
        self._counter = f"sequence:{name}"
        self._prefix = name.encode() + b"\0"

    def get(self, key: bytes) -> bytes | None:
        return self._store.get(self._prefix + key)

    def put(self, key: bytes, value: bytes) -> None:
        with self._store.transaction(durable=True):
            self._store.set(self._prefix + key, value)

    def delete(self, key: bytes) -> bool:
        with self._store.transaction(durable=True):
            return self._store.delete(self._prefix + key)

    def append(self, value: bytes) -> int:
        """Stores the value under the next sequence number, which is never given out again."""
        with self._store.transaction(durable=True):
            sequence = int.from_bytes(self._store.get(self._counter) or b"", "big") + 1
            self._store.set(self._counter, sequence.to_bytes(8, "big"))
            self._store.set(self._prefix + sequence_key(sequence), value)
        return sequence

    def items(self, prefix: bytes = b"") -> Iterator[tuple[bytes, bytes]]:
        """Keys that begin with the prefix, in order, and their values; read some at a time."""
        first = self._prefix + prefix
        for key, value in self._store.items(first, _end_of(first)):
            assert isinstance(key, bytes)  # the range holds nothing else: SQLite sorts by type first
            yield key[len(self._prefix) :], value

    def __len__(self) -> int:
        return sum(1 for _ in self._store.keys(self._prefix, _end_of(self._prefix)))


def sequence_key(sequence: int) -> bytes:
    """The key of an appended value: they sort as they were appended."""
    return sequence.to_bytes(8, "big")


def _end_of(prefix: bytes) -> bytes:
    """The first key after all that begin with the prefix (which begins with a name, so is not all 0xff)."""
    kept = prefix.rstrip(b"\xff")
    return kept[:-1] + bytes([kept[-1] + 1])
