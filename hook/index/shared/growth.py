"""Divides the pages of a shared index while others use it: copy, switch, and look once more."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from hook.batching import batched
from hook.errors import AlreadyRunningError
from hook.index.shared.lease import leased
from hook.index.shared.members import divided, next_level

if TYPE_CHECKING:
    from hook.index.shared.index import SharedIndex

GRACE_S: Final = (
    12.0  # longer than any command of a process that still knows the old state: its timeout is 10 s
)
_PAGES_AT_ONCE: Final = 500
_SAMPLED_PAGES: Final = 256  # of all pages: their mean is within a tenth of that of all


def mean_load(index: SharedIndex) -> float:
    """Of pages that are spread evenly; one round trip."""
    level = index.state.level
    step = max(1, (1 << level) // _SAMPLED_PAGES)
    pages = [index.names.page(index.state, level, number) for number in range(0, 1 << level, step)]
    return float(np.mean(index.server.run([("SCARD", page) for page in pages])))


def grow(
    index: SharedIndex, *, grace_s: float = GRACE_S, sleep: Callable[[float], None] = time.sleep
) -> bool:
    """While it works, both levels are read and entries are added to the new one. False if another host does it."""

    def refuse() -> None:
        raise AlreadyRunningError("another host divides the pages")

    try:
        with leased(index.another_server, index.names.lock("growth"), refuse) as lease:
            state = index.refresh()
            if not state.before:  # else a run that was killed has begun
                index.set_state(replace(state, before=state.level, level=next_level(state.level)))
            sleep(grace_s)
            while _move(index):
                lease.confirm()
            index.set_state(replace(index.state, before=0))
    except AlreadyRunningError:
        return False
    return True


def _move(index: SharedIndex) -> int:
    """Copies before it removes, so an entry is always on one of the two pages. How many pages it has moved."""
    state, moved = index.state, 0
    for keys in batched(index.server.scan(index.names.pages(state, state.before)), _PAGES_AT_ONCE):
        pages = index.server.run([("SMEMBERS", key) for key in keys])
        moves = [(key, list(page)) for key, page in zip(keys, pages, strict=True) if page]
        index.server.run([command for key, page in moves for command in _additions(index, key, page)])
        index.server.run([("SREM", key, *page) for key, page in moves])
        moved += len(moves)
    return moved


def _additions(index: SharedIndex, key: bytes, page: list[bytes]) -> list[tuple[object, ...]]:
    state = index.state
    number = int(key.rsplit(b":", 1)[1], 16)
    targets: dict[int, list[bytes]] = {}
    for member in page:
        targets.setdefault(divided(number, int(member), state.before, state.level), []).append(member)
    return [
        ("SADD", index.names.page(state, state.level, target), *members)
        for target, members in targets.items()
    ]
