"""What a shared index has beside its documents: meta values, namespaces, and the locks between hosts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

from hook.batching import batched
from hook.deadline import Deadline
from hook.errors import AlreadyRunningError, index_fault
from hook.index.ids import number_key
from hook.index.shared.layout import Names
from hook.index.shared.lease import LEASE_S, Lease, leased
from hook.index.shared.server import Command, Server
from hook.locks import polling, run_lock, writing_lock
from hook.private_files import make_private

_HEAD: Final = 8
_AT_ONCE: Final = 500


class SharedNamespace:
    """Bytes by key beside the documents: keys that begin with the same 8 bytes are fields of one hash.

    The first 8 bytes are a document id in every namespace of ours, so there is one hash a document. A set names the hashes of a
    namespace; a name whose hash is gone is harmless. `write` sends commands, and raises if this process may not write any more.
    """

    def __init__(self, server: Server, prefix: bytes, name: str, write: Callable[..., list[Any]]) -> None:
        self._server, self._write = server, write
        self._prefix = prefix + b":n:" + name.encode()  # the name of the set as well

    def get(self, key: bytes) -> bytes | None:
        value: bytes | None = self._server.one("HGET", self._hash(key[:_HEAD]), key)
        return value

    def put(self, key: bytes, value: bytes) -> None:
        """The name of the hash first: a kill in between leaves a name without a hash."""
        head = key[:_HEAD]
        self._write(("SADD", self._prefix, head))
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
        heads = sorted(self._server.one("SMEMBERS", self._prefix))
        for some in batched((head for head in heads if head.startswith(prefix)), _AT_ONCE):
            yield from self._fields(some, prefix)

    def __len__(self) -> int:
        heads = self._server.one("SMEMBERS", self._prefix)
        return sum(
            sum(self._server.run([("HLEN", self._hash(head)) for head in some]))
            for some in batched(heads, _AT_ONCE)
        )

    def _fields(self, heads: list[bytes], prefix: bytes) -> Iterator[tuple[bytes, bytes]]:
        for answer in self._server.run([("HGETALL", self._hash(head)) for head in heads]):
            fields = (
                answer.items() if isinstance(answer, dict) else zip(answer[::2], answer[1::2], strict=True)
            )
            yield from sorted((key, value) for key, value in fields if key.startswith(prefix))

    @property
    def _sequence(self) -> bytes:
        return self._prefix + b":sequence"

    def _hash(self, head: bytes) -> bytes:
        return self._prefix + b"\0" + head


class SharedValues:
    """`directory` is local: there are the locks between processes of this host."""

    def __init__(self, server: Server, names: Names, directory: Path) -> None:
        self.server, self.names, self._directory = server, names, directory
        self._leases: list[Lease] = []

    def get_meta(self, name: str) -> bytes | None:
        value: bytes | None = self.server.one("GET", self.names.meta(name))
        return value

    def set_meta(self, name: str, value: bytes) -> None:
        self.write(("SET", self.names.meta(name), value))

    def namespace(self, name: str) -> SharedNamespace:
        return SharedNamespace(self.server, self.names.prefix, name, self.write)

    @contextmanager
    def run_lock(self) -> Iterator[None]:
        """Of this host first, then of all hosts."""

        def refuse() -> None:
            raise AlreadyRunningError(
                "another backfill or sync is running: try again when it has ended, or, if it was killed, "
                f"in {LEASE_S:g} s"
            )

        with run_lock(self._directory), self._leased("run", refuse):
            yield

    @contextmanager
    def writing_lock(self, deadline: Deadline) -> Iterator[None]:
        with writing_lock(self._directory, deadline):
            limit_s = min(2 * LEASE_S, deadline.remaining())
            with self._leased("writing", polling(self.server.address, limit_s)):
                yield

    def write(self, *commands: Command) -> list[Any]:
        """Of a holder of locks, refused by the server as soon as another host may hold one of them.

        Documents and their keys are stored without: adding and removing them commutes.
        """
        self.confirm()
        held = {lease.key: b"%d" % lease.fence for lease in self._leases}
        return self.server.run_while(held, commands) if held else self.server.run(commands)

    def confirm(self) -> None:
        """Raises if a lock of ours may have gone to another host."""
        for lease in self._leases:
            lease.confirm()

    @contextmanager
    def _leased(self, name: str, wait: Callable[[], None]) -> Iterator[None]:
        with ExitStack() as stack:
            lease = stack.enter_context(leased(self.another_server, self.names.lock(name), wait, LEASE_S))
            self._leases.append(lease)
            stack.callback(self._leases.remove, lease)
            yield

    def another_server(self) -> Server:
        return Server(self.server.address, 5.0)


def prepare(directory: Path) -> None:
    """Private, as if the index were there: it has the queue."""
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        make_private(directory, os.geteuid())
    except OSError as error:
        raise index_fault(error, directory) from error
