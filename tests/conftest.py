"""What holds for every test: hypothesis is patient, the log is as it was, and so are the directories above the temporary ones.

And what many tests have beside them: a Paperless with our commands or the hook, an archive, an embedding server, letters."""

from __future__ import annotations

import importlib.util
import inspect
import logging
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from dedupe_core.policy import DEFAULT as POLICY
from dedupe_core.recipe import DEFAULT as RECIPE
from hook import log
from hook.examination.archive import Archive
from hook.index import owner
from tests.e2e.archive_kit import Desk
from tests.e2e.hook_kit import Hooked
from tests.fakes import FakePaperless
from tests.fakes.embedding_server import EmbeddingServer, embedding_server
from tests.live.texts import Texts

# Properties are about what comes out, never about how fast: a busy machine fails none. Each run tries other examples;
# a release tries many (--hypothesis-profile=thorough).
settings.register_profile(
    "patient", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=30
)
settings.register_profile("thorough", settings.get_profile("patient"), max_examples=300)
settings.load_profile("patient")

REQUIRED = "REQUIRE_REDIS"  # set by .ci/run: there, the tests of the shared index do not skip


def pytest_configure(config: pytest.Config) -> None:
    has_server = shutil.which("redis-server") or shutil.which("valkey-server")
    if os.environ.get(REQUIRED) and not (has_server and importlib.util.find_spec("redis")):
        raise pytest.UsageError(
            "redis-server or the package redis is missing, but CI must run the tests with it"
        )


@pytest.fixture(scope="session", autouse=True)
def _nothing_else_is_changed() -> Iterator[None]:
    """The suite leaves the mode and owner of the system's temporary directory, and of those above it, alone."""
    before = _access()
    yield
    assert _access() == before


@pytest.fixture(scope="session", autouse=True)
def _only_sqlite_opens_an_open_database() -> Iterator[None]:
    """Closing a descriptor of it would drop SQLite's locks. Python reports every file that is opened by its own means."""
    opened: list[str] = []

    def watch(event: str, arguments: tuple[object, ...]) -> None:
        if event == "open" and isinstance(path := arguments[0], str | Path) and _is_of_a_database(Path(path)):
            frame = inspect.currentframe()
            while frame is not None and "/hook/" not in frame.f_code.co_filename:
                frame = frame.f_back
            if frame is not None and "/tests/" not in frame.f_code.co_filename and owner.is_open(Path(path)):
                opened.append(f"{path} by {frame.f_code.co_filename}:{frame.f_lineno}")

    sys.addaudithook(watch)
    yield
    assert opened == []


def _is_of_a_database(path: Path) -> bool:
    return path.name in ("cache.db", "cache.db-wal", "cache.db-shm")


@pytest.fixture(autouse=True)
def _logs_as_before() -> Iterator[None]:
    """A command in the process of a test sets up the log of the program; the next test begins without that."""
    yield
    logger = logging.getLogger("hook")
    log.close(logger)
    logger.setLevel(logging.NOTSET)
    logger.propagate = True


def _access() -> dict[Path, tuple[str, int, int]]:
    place = Path(tempfile.gettempdir()).resolve()
    found = {path: path.stat() for path in (place, *place.parents)}
    return {path: (oct(one.st_mode), one.st_uid, one.st_gid) for path, one in found.items()}


@pytest.fixture
def version() -> str:
    """Of the fake Paperless; a test that is about the differences is parametrised with others."""
    return "3.0.5"


@pytest.fixture
def fake(version: str) -> Iterator[FakePaperless]:
    with FakePaperless(version) as paperless:
        yield paperless


@pytest.fixture
def hooked(fake: FakePaperless, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Hooked:
    return Hooked(fake, tmp_path, capfd)


@pytest.fixture
def desk(fake: FakePaperless, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    return Desk(fake, tmp_path, capsys)


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with embedding_server() as running:
        yield running


@pytest.fixture
def texts() -> Texts:
    return Texts(4711)


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive.open(tmp_path / "index", RECIPE, POLICY) as opened:
        yield opened
