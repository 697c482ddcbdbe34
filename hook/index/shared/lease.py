"""Locks between hosts: a lease that expires by itself, renewed while it is held, with a number that only grows."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from hook.errors import IndexFault
from hook.index.shared.server import Server
from hook.locks import Wait

LEASE_S: Final = 30.0  # a host that is cut off blocks the others no longer than this
# Only the holder may renew or release.
_RENEW: Final = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) end return 0"
_RELEASE: Final = (
    "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0"
)


@dataclass
class Lease:
    """Held until `expires_at` by our own clock, which began before the server's: never longer than there."""

    key: bytes
    fence: int
    seconds: float
    expires_at: float
    ended: threading.Event = field(default_factory=threading.Event)

    def confirm(self) -> None:
        """Raises if another host may hold it by now: this process was stopped or cut off for too long."""
        if time.monotonic() >= self.expires_at:
            raise IndexFault(
                "this process was cut off from the index for so long that its lock expired: nothing more is written, "
                "and the next run continues"
            )


@contextmanager
def leased(make_server: Callable[[], Server], key: bytes, wait: Wait, seconds: float) -> Iterator[Lease]:
    """`wait` is called while another has it. The renewing thread has a connection of its own."""
    server = make_server()
    lease = _taken(server, key, wait, seconds)
    renewing = threading.Thread(target=_renew, args=(make_server, lease), name="lease", daemon=True)
    renewing.start()
    try:
        yield lease
        lease.confirm()
    finally:
        lease.ended.set()
        renewing.join(1.0)
        try:
            server.run([("EVAL", _RELEASE, 1, key, lease.fence)])
        except IndexFault:
            pass  # it expires by itself
        finally:
            server.close()


def _taken(server: Server, key: bytes, wait: Wait, seconds: float) -> Lease:
    """The number is drawn first: of two holders the later one has the larger number."""
    fence = int(server.one("INCR", key + b":fence"))
    while True:
        started = time.monotonic()
        taken = server.one("SET", key, fence, "NX", "PX", int(seconds * 1000))
        if taken or server.one("GET", key) == b"%d" % fence:  # the answer to the first attempt was lost
            return Lease(key, fence, seconds, started + seconds)
        wait()


def _renew(make_server: Callable[[], Server], lease: Lease) -> None:
    server = make_server()
    try:
        while not lease.ended.wait(lease.seconds / 4):
            try:
                if not renew(server, lease):
                    return
            except IndexFault:
                continue  # tried again; `confirm` notices when it is too late
    finally:
        server.close()


def renew(server: Server, lease: Lease) -> bool:
    """False if another has it by now, or nobody."""
    started = time.monotonic()
    renewed = bool(server.one("EVAL", _RENEW, 1, lease.key, lease.fence, int(lease.seconds * 1000)))
    lease.expires_at = started + lease.seconds if renewed else float("-inf")
    return renewed
