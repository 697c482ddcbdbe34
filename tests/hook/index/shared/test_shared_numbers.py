"""The numbers of an index on a server, as figures: hosts with other ones would not find each other's entries."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("redis", reason="the extra `redis` is not installed: the shared index was not tested")

from hook.index.shared import lease
from hook.index.shared.growth import GRACE_S
from hook.index.shared.layout import State
from hook.index.shared.members import FULL_MARK, PAGE_LOAD, Hashed, divided, next_level
from hook.index.shared.server import IndexUnreachable, Server
from hook.settings.address import parse_address
from tests.hook.index.shared import servers

KEY = Hashed.of(np.array([0xFEDC_BA98_7654_3210], np.uint64))


def test_page_and_member_of_an_entry() -> None:
    """4,096 pages at first; 31 bits of the key, then the document. A divided page leads to the same place as the key."""
    (page,), (member,) = KEY.pages(12), KEY.members(5)
    assert (page, member) == (1363, 2_806_999_507_210_862_597)
    assert [divided(page, member, 12, 13)] == KEY.pages(13)
    assert [divided(KEY.pages(13)[0], member, 13, 14)] == KEY.pages(14)
    assert (State("a recipe").level, State("a recipe").format) == (12, 1)
    assert [next_level(level) for level in (12, 31, 32)] == [13, 32, 32]
    assert FULL_MARK == 4_294_967_295  # an id that no document has


def test_pages_are_divided_and_locks_expire_in_time() -> None:
    """Of pages with 64 entries on average, one in a million has 128, and the compact encoding ends at 512. A process that
    knows the old pages may be in a command of 10 s; a host that is cut off holds a lease for 30 s."""
    assert PAGE_LOAD == 64
    assert GRACE_S > 10.0
    assert lease.LEASE_S == 30.0


def test_a_server_is_asked_six_times_in_three_seconds() -> None:
    """A failover takes some seconds; each pause is about twice the last."""
    waits: list[float] = []
    address = parse_address(f"redis://127.0.0.1:{servers.free_port()}/0?prefix=none")
    with pytest.raises(IndexUnreachable):
        Server(address, 1.0, sleep=waits.append).one("PING")
    assert len(waits) == 5
    assert 2.4 < sum(waits) < 3.8
