"""`index copy`: an index moves between a directory and a server, also when the command is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from dedupe_core.model import Document
from dedupe_core.policy import DEFAULT as POLICY
from dedupe_core.recipe import DEFAULT as RECIPE
from hook import cli
from hook.examination.archive import Archive
from hook.settings.address import parse_address
from tests.hook.index.shared import servers

pytest.importorskip("redis", reason="the extra `redis` is not installed: the shared index was not tested")

from hook.index.shared.server import Server

DOCUMENTS, BATCH = 90, 30
# The process ends itself like a killed one after so many documents.
KILLED = """
import os, signal, sys
from hook import cli
from hook.examination import copying
from hook.index.index import Index
from hook.index.shared.index import SharedIndex

copying._AT_ONCE, left = 30, int(sys.argv[1])
def counted(put):
    def after(*args):
        global left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return put(*args)
    return after
for store in (Index, SharedIndex):
    store.put = counted(store.put)
sys.exit(cli.main(sys.argv[2:], os.environ))
"""


def environ(place: Path) -> dict[str, str]:
    return {
        "PATH": os.environ.get("PATH", os.defpath), "HOME": str(place), "DEDUPE_URL": "http://127.0.0.1:1",
        "DEDUPE_TOKEN": "token", "DEDUPE_INDEX_DIR": str(place / "local"),
    }  # fmt: skip


def opened(place: str, tmp_path: Path) -> Archive:
    if "://" in place:
        return Archive.open(tmp_path / "local", RECIPE, POLICY, address=parse_address(place))
    return Archive.open(Path(place), RECIPE, POLICY)


def fill(place: str, tmp_path: Path) -> None:
    with opened(place, tmp_path) as archive:
        with archive.batch():
            for number in range(DOCUMENTS):
                text = f"Invoice {number} of 12.03.2024 over {number}.50 EUR for customer K-{number * 7919}"
                archive.remember(archive.fingerprint(Document(number, text)))
        archive.index.set_meta("backfill", b"page 3")
        archive.index.namespace("decisions").put(b"00000001", b"dismissed")
        assert archive.index.namespace("journal").append(b"entry") == 1


def killed_run(tmp_path: Path, after: int, *words: str) -> int:
    command = [sys.executable, "-c", KILLED, str(after), *words]
    return subprocess.run(command, env=environ(tmp_path), cwd=Path(__file__).parents[3]).returncode


@pytest.fixture
def server_url(tmp_path: Path) -> Iterator[str]:
    if servers.PROGRAM is None:
        pytest.skip(servers.MISSING)
    port = servers.free_port()
    with servers.server(tmp_path / "server", port):
        yield f"redis://127.0.0.1:{port}/2"


@pytest.mark.parametrize("back", [False, True], ids=["to the server", "to a directory"])
def test_a_copy_that_was_killed_is_resumed_and_verified(
    server_url: str, tmp_path: Path, back: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """The second run copies what is missing; documents, meta values and decisions are equal, and the copy is sound."""
    source, target = str(tmp_path / "index"), server_url
    if back:
        source, target = target, source
    fill(source, tmp_path)
    assert killed_run(tmp_path, BATCH + 10, "index", "copy", source, target) == -signal.SIGKILL
    with opened(target, tmp_path) as half:
        before = len(half.index)
    assert 0 < before < DOCUMENTS
    if back:  # the lease of the killed process, as 30 s later
        with closing(Server(parse_address(source), 5.0)) as server:
            assert server.one("DEL", b"paperless-dedupe:lock:run") == 1
    assert cli.main(["index", "copy", source, target], environ(tmp_path)) == 0
    assert f"({DOCUMENTS - before} documents copied)" in capsys.readouterr().err
    assert cli.main(["index", "copy", source, target], environ(tmp_path)) == 0
    assert "(0 documents copied)" in capsys.readouterr().err
    with opened(source, tmp_path) as one, opened(target, tmp_path) as two:
        assert two.index.get_many(range(DOCUMENTS)) == one.index.get_many(range(DOCUMENTS))
        assert two.index.get_meta("backfill") == b"page 3"
        assert two.index.namespace("decisions").get(b"00000001") == b"dismissed"
        assert two.index.namespace("journal").append(b"next") == 2
        assert two.index.check().sound
        assert one.index.check().sound


def test_a_copy_beside_a_backfill_is_refused(
    server_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The exit code of a busy index; nothing was copied."""
    source = str(tmp_path / "index")
    fill(source, tmp_path)
    with opened(source, tmp_path) as archive, archive.index.run_lock():
        assert cli.main(["index", "copy", source, server_url], environ(tmp_path)) != 0
    assert "another backfill" in capsys.readouterr().err
    with closing(opened(server_url, tmp_path).index) as target:
        assert len(target) == 0


def test_a_source_that_is_missing_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And no target is created."""
    words = ["index", "copy", str(tmp_path / "nothing"), str(tmp_path / "target")]
    assert cli.main(words, environ(tmp_path)) != 0
    assert "nothing" in capsys.readouterr().err
    assert not (tmp_path / "target").exists()
