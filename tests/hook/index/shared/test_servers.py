"""An index on the servers that people run: with TLS and an account, behind Sentinel; and locks that were lost."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from hook.deadline import Deadline
from hook.errors import IndexFault
from hook.settings.address import Address, parse_address
from tests.hook.index.index_kit import found, put, random_keys
from tests.hook.index.shared import servers
from tests.hook.index.shared.conftest import open_shared

pytest.importorskip("redis", reason="the extra `redis` is not installed: the shared index was not tested")

# As docs/redis.md says.
ACCOUNT = (
    "on >secret ~paperless-dedupe:* +@read +@write +@connection +@scripting +@transaction +info +config|get"
)


def test_what_a_late_holder_of_a_lock_writes_is_refused(address: Address, tmp_path: Path) -> None:
    """By the server, whatever the clock of the host says: another host has the lock meanwhile."""
    with open_shared(address, tmp_path) as index:
        findings = index.namespace("findings")
        with pytest.raises(IndexFault, match="lock"), index.writing_lock(Deadline.never()):
            findings.put(b"document1", b"first")
            (lease,) = index._leases
            index.server.one("SET", lease.key, lease.fence + 1)
            lease.expires_at = time.monotonic() + 3600
            for write in (
                lambda: findings.put(b"document1", b"second"),
                lambda: findings.delete(b"document1"),
                lambda: index.set_meta("backfill", b"late"),
            ):
                with pytest.raises(IndexFault, match="another host"):
                    write()
            lease.expires_at = 0.0
        assert findings.get(b"document1") == b"first"
        assert index.get_meta("backfill") is None


def test_a_renewed_lock_does_not_refuse_its_holder(address: Address, tmp_path: Path) -> None:
    """A renewal touches the key that a write watches: the write looks again."""
    with open_shared(address, tmp_path) as index, index.writing_lock(Deadline.never()):
        (lease,) = index._leases
        for number in range(20):
            index.server.one("PEXPIRE", lease.key, 30_000)
            index.namespace("findings").put(b"document1", b"%d" % number)
        assert index.namespace("findings").get(b"document1") == b"19"


def test_tls_with_an_account(tmp_path: Path) -> None:
    """The account of the documentation is enough; a wrong password and an unknown authority are refused, and named."""
    made, plain, port = servers.certificates(tmp_path), servers.free_port(), servers.free_port()
    options = ("--tls-port", str(port), "--tls-cert-file", str(made["server"]), "--tls-key-file",
               str(made["server_key"]), "--tls-ca-cert-file", str(made["ca"]), "--tls-auth-clients", "no",
               "--user", "dedupe", *ACCOUNT.split())  # fmt: skip
    where = f"127.0.0.1:{port}/1"
    with servers.server(tmp_path / "server", plain, *options):
        right = parse_address(f"rediss://dedupe:secret@{where}?ca={made['ca']}")
        with open_shared(right, tmp_path / "local") as index:
            put(index, 7, random_keys(7))
            assert len(found(index, random_keys(7))) == 100
            with index.run_lock(), index.writing_lock(Deadline.never()):
                index.namespace("decisions").put(b"1", b"kept")
            assert index.check().sound
        for wrong, said in (
            (f"rediss://dedupe:other@{where}?ca={made['ca']}", "refuses the account"),
            (f"rediss://dedupe:secret@{where}", "is not trusted"),
            (f"rediss://dedupe:secret@{where}?ca={made['ca']}&prefix=other", "refuses the account"),
        ):
            with pytest.raises(IndexFault, match=said) as error:
                open_shared(parse_address(wrong), tmp_path / "local").close()
            assert "secret" not in str(error.value)


def test_sentinel_promotes_a_replica(tmp_path: Path) -> None:
    """After the master was killed the same index goes on with what was stored, without another setting."""
    master, replica, watcher = (servers.free_port() for _ in range(3))
    address = parse_address(f"redis+sentinel://127.0.0.1:{watcher}/0?service=mymaster")
    with (
        servers.server(tmp_path / "master", master) as process,
        servers.server(tmp_path / "replica", replica, "--replicaof", "127.0.0.1", str(master)),
        servers.sentinel(tmp_path / "sentinel", watcher, master, "mymaster"),
        open_shared(address, tmp_path / "local") as index,
    ):
        put(index, 1, random_keys(1))
        servers.wait_until(
            lambda: b"num-slaves\r\n$1\r\n1" in servers.ask(watcher, "SENTINEL", "MASTER", "mymaster")
        )
        assert index.server.one("WAIT", 1, 10_000) == 1
        process.kill()
        servers.wait_until(lambda: b"role:master" in servers.ask(replica, "INFO", "replication"))
        put(index, 2, random_keys(2))
        assert len(found(index, random_keys(1))) == 100
        assert list(index.ids()) == [1, 2]
        assert index.check().sound
