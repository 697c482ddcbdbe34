"""What only an index on a server has: round trips, hosts that come and go, leases, and what `check` warns of."""

from __future__ import annotations

import threading
import time
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from dedupe_core.model import Document
from dedupe_core.policy import DEFAULT as POLICY
from dedupe_core.recipe import DEFAULT as RECIPE_VALUES
from hook.deadline import Deadline
from hook.errors import AlreadyRunningError, FormatMismatch, IndexBusy, IndexFault, SettingsError
from hook.examination.archive import Archive
from hook.locks import polling
from hook.settings.address import Address, parse_address
from tests.hook.index.index_kit import RECIPE, found, keys_of, put, random_keys
from tests.hook.index.shared import servers
from tests.hook.index.shared.conftest import open_shared

pytest.importorskip("redis", reason="the extra `redis` is not installed: the shared index was not tested")

from hook.commands.check.index_server import risks
from hook.index.shared import lease as leases
from hook.index.shared.index import SharedIndex
from hook.index.shared.layout import Names, State
from hook.index.shared.members import FULL_MARK, Hashed
from hook.index.shared.server import Server

LETTER = (
    "Dear Sir, the meter 4711882 was read on 12.03.2024 and shows 8123 kWh, which is 212 more than last year."
)


def test_an_examination_takes_three_round_trips(address: Address, tmp_path: Path) -> None:
    """Record, keys and look-up, neighbours: however many keys and neighbours there are."""
    with Archive.open(tmp_path, RECIPE_VALUES, POLICY, address=address) as archive:
        for number in range(1, 6):
            archive.examine_and_store(Document(number, LETTER + f" Number {number}."))
        assert isinstance(archive.index, SharedIndex)
        before = archive.index.server.round_trips
        assert len(archive.examine_and_store(Document(9, LETTER)).verdicts) == 5
        assert archive.index.server.round_trips - before <= 3


def test_of_two_documents_that_come_in_at_once_one_sees_the_other(address: Address, tmp_path: Path) -> None:
    """Keys are added before they are looked up, and the record is there before its keys."""
    seen: dict[tuple[int, int], set[int]] = {}

    def take(worker: int, barrier: threading.Barrier) -> None:
        with open_shared(address, tmp_path) as index:
            for turn in range(40):
                keys = random_keys(turn, 30)
                barrier.wait()
                number = 2 * turn + worker
                ids = index.lookup_and_put(number, keys, keys.tobytes())[1].ids
                seen[turn, worker] = set(index.get_many(set(ids.tolist()))) - {number}

    barrier = threading.Barrier(2)
    threads = [threading.Thread(target=take, args=(worker, barrier)) for worker in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(seen[turn, 0] or seen[turn, 1] for turn in range(40))


def test_a_rebuild_keeps_what_is_beside_the_documents(address: Address, tmp_path: Path) -> None:
    """Documents and keys go, decisions stay, and processes with the old recipe are stopped."""
    with open_shared(address, tmp_path) as old:
        put(old, 1, random_keys(1))
        old.set_meta("backfill", b"page 3")
        old.namespace("decisions").put(b"1:2", b"dismissed")
        with SharedIndex.rebuild(address, tmp_path, "another", keys_of) as index:
            assert (len(index), found(index, random_keys(1))) == (0, set())
            assert index.namespace("decisions").get(b"1:2") == b"dismissed"
            assert index.get_meta("backfill") == b"page 3"
        with pytest.raises(IndexFault, match="another"):
            put(old, 2, random_keys(2))
        assert not list(old.server.scan(Names(address.prefix).generation(1)))


def test_a_rebuild_is_refused_while_a_backfill_runs(address: Address, tmp_path: Path) -> None:
    """Otherwise the documents that the other one has stored would be gone."""
    with open_shared(address, tmp_path) as index:
        put(index, 1, random_keys(1))
        with index.run_lock(), pytest.raises(AlreadyRunningError):
            SharedIndex.rebuild(address, tmp_path, "another", keys_of)
        assert list(index.ids()) == [1]


def test_a_server_that_is_down_is_named_and_comes_back(tmp_path: Path) -> None:
    """The error says what to check and never the password; after a restart the same index works again."""
    port = servers.free_port()
    place = parse_address(f"redis://user:geheim@127.0.0.1:{port}/0")
    with pytest.raises(IndexFault, match="does not answer") as refused:
        Server(place, 0.2, sleep=lambda seconds: None).one("PING")
    assert "geheim" not in str(refused.value) + repr(place)
    address = parse_address(f"redis://127.0.0.1:{port}")
    options = ("--appendonly", "yes")
    with servers.server(tmp_path / "data", port, *options):
        index = open_shared(address, tmp_path / "local")
        put(index, 1, random_keys(1))
    with closing(index), servers.server(tmp_path / "data", port, *options):
        assert len(found(index, random_keys(1))) == 100
        put(index, 2, random_keys(2))
        assert index.check().sound


def test_a_lease_that_expired_stops_its_holder(address: Address, tmp_path: Path) -> None:
    """A host that was cut off writes nothing more; the next holder has a larger number."""
    numbers = []
    with open_shared(address, tmp_path) as index:
        with pytest.raises(IndexFault, match="expired"), index.writing_lock(Deadline.never()):
            (lease,) = index._leases
            numbers.append(lease.fence)
            index.server.one("DEL", lease.key)
            lease.expires_at = time.monotonic()
            with pytest.raises(IndexFault, match="expired"):
                index.namespace("findings").put(b"1", b"x")
        with index.writing_lock(Deadline.never()):
            numbers.append(index._leases[0].fence)
        assert index.namespace("findings").get(b"1") is None
    assert numbers[0] < numbers[1]


def test_a_lease_is_renewed_and_only_its_holder_releases_it(address: Address) -> None:
    """It outlives its own length; another's stays."""
    key, server = address.prefix.encode() + b":lock:test", Server(address, 5.0)
    refuse = polling("a server", 0.0)
    with leases.leased(lambda: Server(address, 5.0), key, refuse, leases.LEASE_S) as held:
        held.expires_at = 0.0
        assert leases.renew(server, held)
        held.confirm()
        assert 0 < server.one("PTTL", key) <= 1000 * leases.LEASE_S
        with (
            pytest.raises(IndexBusy),
            leases.leased(lambda: Server(address, 5.0), key, refuse, leases.LEASE_S),
        ):
            pass
        server.one("SET", key, "another")
        assert not leases.renew(server, held)
        with pytest.raises(IndexFault, match="expired"):
            held.confirm()
        held.expires_at = time.monotonic() + 60
    assert server.one("GET", key) == b"another"
    server.close()


def test_eviction_and_missing_persistence_are_risks(tmp_path: Path) -> None:
    """Decisions are stored there: both are reported, and neither for a server that keeps what it is given."""
    for number, (options, expected) in enumerate(
        [
            (("--maxmemory-policy", "allkeys-lru", "--appendonly", "yes"), ["allkeys-lru"]),
            ((), ["memory only"]),
            (("--appendonly", "yes"), []),
            (("--save", "60 1"), []),
        ]
    ):
        port = servers.free_port()
        with servers.server(tmp_path / str(number), port, *options):
            found_risks = list(risks(Server(parse_address(f"redis://127.0.0.1:{port}"), 1.0)))
        assert len(found_risks) == len(expected)
        assert all(word in risk.text for word, risk in zip(expected, found_risks, strict=True))


@pytest.mark.parametrize(
    "url",
    ["http://host", "redis://", "redis://host/x", "redis+sentinel://host", "redis+cluster://host", "redis://host?color=1",
     "redis+other://host", "redis://host:port/0"],
)  # fmt: skip
def test_a_wrong_address_is_refused(url: str) -> None:
    """The error shows how to write it, and never what was written: it may have a password."""
    with pytest.raises(SettingsError, match="rediss://"):
        parse_address(url)


def test_addresses_of_each_kind() -> None:
    """TLS, account, database, Sentinel, prefix."""
    server = parse_address("rediss://me:p%40ss@host/3?prefix=x&ca=/ca.pem")
    assert (server.tls, server.user, server.password) == (True, "me", "p@ss")
    assert (server.database, server.prefix, server.ca_file) == (3, "x", "/ca.pem")
    watched = parse_address("redis+sentinel://:secret@a,b:1/2?service=main")
    assert (watched.kind, watched.service, watched.database) == ("sentinel", "main", 2)
    assert watched.hosts == (("a", 26379), ("b", 1))
    assert str(watched) == "redis+sentinel://a:26379,b:1/2"


def test_the_size_of_an_index_is_that_of_its_own_keys(redis_port: int, tmp_path: Path) -> None:
    sizes = []
    for prefix, count in (("size-one", 40), ("size-two", 80)):
        place = parse_address(f"redis://127.0.0.1:{redis_port}?prefix={prefix}")
        with open_shared(place, tmp_path) as index:
            for number in range(1, count + 1):
                put(index, number, random_keys(number))
            sizes.append(index.size_bytes() or 0)
    assert sizes[0] > 40 * 800  # a record of 100 keys of 8 bytes
    assert 1.5 < sizes[1] / sizes[0] < 2.5


def test_an_index_of_another_format_is_rebuilt_and_keeps_what_was_decided(
    address: Address, tmp_path: Path
) -> None:
    with open_shared(address, tmp_path) as index:
        put(index, 1, random_keys(1))
        index.namespace("decisions").put(b"1:2", b"dismissed")
        index.server.one("SET", index.names.state, b'{"format": 1, "generation": 1, "level": 12}')
    with pytest.raises(FormatMismatch, match=r"format 1.*`paperless-dedupe backfill`"):
        open_shared(address, tmp_path)
    with SharedIndex.rebuild(address, tmp_path, RECIPE, keys_of) as index:
        assert (len(index), index.state.generation) == (0, 2)
        assert index.namespace("decisions").get(b"1:2") == b"dismissed"


# The numbers of an index on a server, as figures: hosts with other ones would not find each other's entries


def test_page_and_member_of_an_entry() -> None:
    """262,144 pages; 31 bits of the key, then the document. A host that is cut off holds a lease for 30 s."""
    key = Hashed.of(np.array([0xFEDC_BA98_7654_3210], np.uint64))
    assert (key.pages(), key.members(5)) == ([87_251], [4_403_899_825_678_974_981])
    assert State("a recipe").format == 2
    assert FULL_MARK == 4_294_967_295  # an id that no document has
    assert leases.LEASE_S == 30.0


def test_a_server_is_asked_six_times_in_three_seconds() -> None:
    """A failover takes some seconds; each pause is about twice the last."""
    waits: list[float] = []
    address = parse_address(f"redis://127.0.0.1:{servers.free_port()}/0?prefix=none")
    with pytest.raises(IndexFault, match="does not answer"):
        Server(address, 1.0, sleep=waits.append).one("PING")
    assert len(waits) == 5
    assert 2.4 < sum(waits) < 3.8
