"""What the scenarios stand on: files that Paperless could not store are sent again, tokens are not shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes import FakePaperless
from tests.live.servers import SENT_AGAIN, Server, output, token_file

LOCKED = "database is locked"


@pytest.fixture
def fake() -> Iterator[FakePaperless]:
    with FakePaperless("2.20.15", task_delay_s=0.0) as fake:
        yield fake


@pytest.fixture
def server(fake: FakePaperless, tmp_path: Path) -> Iterator[Server]:
    token = token_file(tmp_path, fake.token)
    server = Server(fake.url, token, tmp_path / "index", runs_hook=True, is_fake=True)
    yield server
    server.close()


def uploads(fake: FakePaperless) -> int:
    return sum(seen.path.endswith("/post_document/") for seen in fake.writes)


def test_a_file_that_could_not_be_stored_is_sent_again(fake: FakePaperless, server: Server) -> None:
    """A locked database is no fault of the hook."""
    fake.options.not_stored = [LOCKED] * SENT_AGAIN
    assert server.document(server.consume("a letter", "letter")).content == "a letter"
    assert uploads(fake) == 1 + SENT_AGAIN


def test_not_for_ever(fake: FakePaperless, server: Server) -> None:
    """A database that stays locked fails the scenario."""
    fake.options.not_stored = [LOCKED] * (2 * SENT_AGAIN)
    with pytest.raises(AssertionError, match=LOCKED):
        server.consume("a letter", "letter")
    assert uploads(fake) == 1 + SENT_AGAIN


@pytest.mark.parametrize("error", ["disk is full", "database is locked, says the hook"])
def test_any_other_failure_is_one(error: str, fake: FakePaperless, server: Server) -> None:
    """What else goes wrong when a file is stored fails the scenario at once."""
    fake.options.not_stored = [error]
    with pytest.raises(AssertionError, match=error):
        server.consume("a letter", "letter")
    assert uploads(fake) == 1


def test_a_failing_hook_is_one(fake: FakePaperless, server: Server) -> None:
    """Even one that fails with the same words."""

    def hook(document_id: int, variables: dict[str, str]) -> None:
        raise RuntimeError(LOCKED)

    fake.options.on_consumed = hook
    with pytest.raises(AssertionError, match="post-consume script"):
        server.consume("a letter", "letter")
    assert uploads(fake) == 1


def test_the_token_is_not_shown(fake: FakePaperless, server: Server) -> None:
    """Not in the repr of anything, nor in what pytest prints when one of our programs fails."""
    with pytest.raises(AssertionError) as failure:
        output(["/bin/sh", "-c", "exit 1"], server.environ())
    printed = str(failure.getrepr(style="long", showlocals=True, funcargs=True))
    assert "environ" in printed
    seen = [server, vars(server), vars(server.client), server.environ(), vars(server._http)]
    assert fake.token not in printed + repr(seen)
