"""What `check` and errors say of an index on a server that has lost or refused something."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("redis", reason="the extra `redis` is not installed: the shared index was not tested")

import redis

from hook.commands.check.index_server import risks
from hook.errors import IndexFault, IndexFull
from hook.index.shared.server import Server
from hook.settings.address import Address, parse_address
from tests.e2e.archive_kit import Desk, fill
from tests.hook.index.shared import servers

DOCUMENTS = 5


@pytest.mark.parametrize("kind", ["k", "d"])
def test_what_was_evicted_is_noticed_without_full(desk: Desk, address: Address, kind: str) -> None:
    """Every look-up key gone: no duplicate would be found, and nothing would say so. Or every record gone."""
    desk.settings["DEDUPE_INDEX_URL"] = address.url
    fill(desk.fake, DOCUMENTS)

    def index_line(*options: str) -> tuple[str, str, str]:
        line = desk.check(*options)["index"]
        return line["level"], line["text"], line["fix"]

    desk.backfill()
    assert index_line()[0] == "ok"
    with redis.Redis(port=address.hosts[0][1]) as client:
        gone = list(client.scan_iter(f"{address.prefix}:*:{kind}:*"))
        assert client.delete(*gone) == len(gone) >= DOCUMENTS
    level, text, fix = index_line()
    assert (level, f"{DOCUMENTS} documents of the {DOCUMENTS}" in text) == ("fail", True)
    assert "check --repair" in fix
    assert index_line("--repair")[0] == "warn"
    desk.backfill()
    assert index_line()[0] == "ok"


def test_a_server_without_memory_is_not_a_full_disk(tmp_path: Path) -> None:
    """Nor does anybody know that nothing is lost: a server that evicts may have done so before it refuses. Any other refusal has a
    next step, too."""
    port = servers.free_port()
    with servers.server(tmp_path, port, "--maxmemory", "1mb"):
        server = Server(parse_address(f"redis://127.0.0.1:{port}"), 1.0)
        with pytest.raises(IndexFull) as refused:
            server.run([("SET", "a", b"x" * 2_000_000), ("SET", "b", b"x" * 2_000_000)])
        words = str(refused.value)
        assert "maxmemory" in words
        assert not [
            word for word in ("disk", "quota", "director", "nothing that was stored") if word in words
        ]
        with pytest.raises(IndexFault, match="log of the server"):
            server.one("NO-SUCH-COMMAND")


def test_evicted_keys_are_counted(tmp_path: Path) -> None:
    port = servers.free_port()
    options = ("--maxmemory", "2mb", "--maxmemory-policy", "allkeys-lru", "--appendonly", "yes")
    with servers.server(tmp_path, port, *options):
        server = Server(parse_address(f"redis://127.0.0.1:{port}"), 5.0)
        for number in range(100):
            server.one("SET", f"key-{number}", b"x" * 50_000)
        found = list(risks(server))
    (risk,) = [one for one in found if "has evicted" in one.text]
    count = re.search(r"has evicted (\d+) keys", risk.text)
    assert count
    assert int(count[1]) > 0
    assert "noeviction" in risk.fix
