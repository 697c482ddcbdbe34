"""The numbers of an index on a server, as figures: hosts with other ones would not find each other's entries."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("redis", reason="the extra `redis` is not installed: the shared index was not tested")

from hook.errors import IndexFault
from hook.index.shared import lease
from hook.index.shared.layout import State
from hook.index.shared.members import FULL_MARK, Hashed
from hook.index.shared.server import Server
from hook.settings.address import parse_address
from tests.hook.index.shared import servers

KEY = Hashed.of(np.array([0xFEDC_BA98_7654_3210], np.uint64))


def test_page_and_member_of_an_entry() -> None:
    """262,144 pages; 31 bits of the key, then the document. A host that is cut off holds a lease for 30 s."""
    assert (KEY.pages(), KEY.members(5)) == ([87_251], [4_403_899_825_678_974_981])
    assert State("a recipe").format == 2
    assert FULL_MARK == 4_294_967_295  # an id that no document has
    assert lease.LEASE_S == 30.0


def test_a_server_is_asked_six_times_in_three_seconds() -> None:
    """A failover takes some seconds; each pause is about twice the last."""
    waits: list[float] = []
    address = parse_address(f"redis://127.0.0.1:{servers.free_port()}/0?prefix=none")
    with pytest.raises(IndexFault, match="does not answer"):
        Server(address, 1.0, sleep=waits.append).one("PING")
    assert len(waits) == 5
    assert 2.4 < sum(waits) < 3.8
