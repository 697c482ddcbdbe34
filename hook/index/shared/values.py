"""What a shared index has beside its documents: meta values, namespaces, and the locks between hosts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from hook.deadline import Deadline
from hook.errors import AlreadyRunningError, index_fault
from hook.index.shared.layout import Names
from hook.index.shared.lease import LEASE_S, Lease, leased
from hook.index.shared.namespace import SharedNamespace
from hook.index.shared.server import Command, Server
from hook.locks import polling, run_lock, writing_lock
from hook.private_files import make_private


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

    def beside_documents(self) -> Iterator[tuple[bytes, bytes]]:
        meta, spaces = self.names.meta(""), self.names.prefix + b":n:"
        for key in sorted(set(self.server.scan(meta + b"*"))):
            yield b"meta:" + key[len(meta) :], self.server.one("GET", key) or b""
        names = {key[len(spaces) :].split(b"\0")[0] for key in self.server.scan(spaces + b"*")}
        for name in sorted({one.removesuffix(b":sequence") for one in names}):
            space = self.namespace(name.decode())
            if space.sequence:
                yield b"sequence:" + name, space.sequence.to_bytes(8, "big")
            for key, value in space.items():
                yield name + b"\0" + key, value

    def restore(self, name: bytes, value: bytes) -> None:
        space, zero, key = name.partition(b"\0")
        if zero:
            self.namespace(space.decode()).put(key, value)
        elif name.startswith(b"sequence:"):
            self.namespace(name.removeprefix(b"sequence:").decode()).set_sequence(
                int.from_bytes(value, "big")
            )
        else:
            self.set_meta(name.removeprefix(b"meta:").decode(), value)

    def discard(self, name: bytes) -> None:
        """One of `beside_documents`."""
        space, zero, key = name.partition(b"\0")
        if zero:
            self.namespace(space.decode()).delete(key)
        else:
            self.server.one("DEL", self.names.meta(name.removeprefix(b"meta:").decode()))

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
            lease = stack.enter_context(leased(self.another_server, self.names.lock(name), wait))
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
