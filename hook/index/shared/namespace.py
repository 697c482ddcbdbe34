"""Bytes by key beside the documents, in Redis: keys that begin with the same 8 bytes are fields of one hash.

The first 8 bytes are a document id in every namespace of ours, so there is one hash a document, and a cluster spreads
them. A set names the hashes of a namespace; a name whose hash is gone is harmless.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from hook.batching import batched
from hook.index.ids import number_key
from hook.index.shared.server import Server

_HEAD: Final = 8
_AT_ONCE: Final = 500


class SharedNamespace:
    """`write` sends commands, and raises if this process may not write any more."""

    def __init__(self, server: Server, prefix: bytes, name: str, write: Callable[..., list[Any]]) -> None:
        if not name or "\0" in name:
            raise ValueError(f"{name!r} cannot be the name of a namespace")
        self._server, self._write = server, write
        self._prefix = prefix + b":n:" + name.encode()

    def get(self, key: bytes) -> bytes | None:
        value: bytes | None = self._server.one("HGET", self._hash(key[:_HEAD]), key)
        return value

    def put(self, key: bytes, value: bytes) -> None:
        """The name of the hash first: a kill in between leaves a name without a hash."""
        head = key[:_HEAD]
        self._write(("SADD", self._heads, head))
        self._write(("HSET", self._hash(head), key, value))

    def delete(self, key: bytes) -> bool:
        return bool(self._write(("HDEL", self._hash(key[:_HEAD]), key))[0])

    def append(self, value: bytes) -> int:
        """Stores the value under `number_key` of the next sequence number, which is never used again."""
        sequence = int(self._server.one("INCR", self._sequence))
        self.put(number_key(sequence), value)
        return sequence

    def items(self, prefix: bytes = b"") -> Iterator[tuple[bytes, bytes]]:
        if len(prefix) >= _HEAD:
            yield from self._fields([prefix[:_HEAD]], prefix)
            return
        heads = sorted(self._server.one("SMEMBERS", self._heads))
        for some in batched((head for head in heads if head.startswith(prefix)), _AT_ONCE):
            yield from self._fields(some, prefix)

    def __len__(self) -> int:
        heads = self._server.one("SMEMBERS", self._heads)
        return sum(
            sum(self._server.run([("HLEN", self._hash(head)) for head in some]))
            for some in batched(heads, _AT_ONCE)
        )

    def _fields(self, heads: list[bytes], prefix: bytes) -> Iterator[tuple[bytes, bytes]]:
        for answer in self._server.run([("HGETALL", self._hash(head)) for head in heads]):
            found = (
                answer.items() if isinstance(answer, dict) else zip(answer[::2], answer[1::2], strict=True)
            )
            yield from sorted((key, value) for key, value in found if key.startswith(prefix))

    @property
    def sequence(self) -> int:
        return int(self._server.one("GET", self._sequence) or 0)

    def set_sequence(self, number: int) -> None:
        self._server.one("SET", self._sequence, number)

    @property
    def _heads(self) -> bytes:
        return self._prefix

    @property
    def _sequence(self) -> bytes:
        return self._prefix + b":sequence"

    def _hash(self, head: bytes) -> bytes:
        return self._prefix + b"\0" + head
