"""The users and directories that people run Paperless with: hook and commands work with each of them."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.e2e.archive_kit import Desk
from tests.fakes import FakePaperless
from tests.forked import Ran, fork_server

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")

LETTER = (
    "Harbour Waterworks\nInvoice no. HW-2025-4711 of 12.03.2025\nConsumption of the year, 84 cubic metres\n"
    "Price per cubic metre 2.19 EUR\nTotal 183.96 EUR, due on 26.03.2025\nThank you for your prompt payment\n"
)
FS_GROUP = 2000
USERS = {
    "root": (0, 0),  # a Proxmox container, a rootful `docker exec`
    "nobody": (99, 100),  # Unraid; Synology and Paperless's own image have other numbers
    "fsgroup": (1000, 3000, FS_GROUP),  # Kubernetes: the volume is root's, with a group that the user is in
}


@dataclass(frozen=True)
class Home:
    """A data directory as the user of Paperless has it, and a Paperless."""

    fake: FakePaperless
    data: Path
    user: tuple[int, ...]

    @property
    def index(self) -> Path:
        return self.data / "index"

    def run(self, *words: str, document: int | None = None, **more: str) -> Ran:
        given = {} if document is None else self.fake.hook_environment(document)
        # The home of Unraid's nobody, and of any user that the image does not know
        environ = {**Desk(self.fake, self.data).environ(HOME="/nonexistent"), **given, **more}
        return fork_server().run(words, environ, user=self.user)

    def consume(self, text: str) -> int:
        number = self.fake.add_document(text)
        done = self.run(document=number)
        assert done.code == 0, done.err
        assert "nothing similar" in done.out or "looks like" in done.out or "identical" in done.out, done.err
        return number


@pytest.fixture(params=USERS)
def home(request: pytest.FixtureRequest) -> Iterator[Home]:
    """Not below pytest's own directory, which only root may enter."""
    user = USERS[request.param]
    with tempfile.TemporaryDirectory(prefix="users-") as place, FakePaperless() as fake:
        Path(place).chmod(0o755)
        data = Path(place) / "data"
        data.mkdir()
        if FS_GROUP in user:
            os.chown(data, 0, FS_GROUP)
            data.chmod(0o2775)
        else:
            os.chown(data, *user)
            data.chmod(0o750)
        yield Home(fake, data, user)


def test_the_hook_and_the_commands_work(home: Home) -> None:
    """A copy is found by the hook; check has nothing against the index; a backfill works beside it."""
    home.consume(LETTER)
    copy = home.consume(LETTER)
    assert "dedupe:identical" in home.fake.document(copy).tags
    assert home.run("backfill").code == 0
    checked = home.run("check", "--full")
    assert "Broken" not in checked.out, checked.out
    assert private(home.index) == {home.user[0]}


def test_a_command_of_root_leaves_everything_to_the_user(home: Home) -> None:
    """`docker exec` without -u runs as root; the hook after it must still be able to write."""
    first = home.consume(LETTER)
    as_root = Home(home.fake, home.data, (0, 0))
    assert as_root.run("backfill", "--again").code == 0
    assert as_root.run("check", "--full", "--repair").code == 0
    copy = home.consume(LETTER)
    assert home.fake.document(copy).custom_fields == {"Similar documents": [first]}
    assert private(home.index) == {home.user[0]}


def test_a_volume_whose_modes_were_widened_is_private_again(home: Home) -> None:
    """Kubernetes sets group and modes of all files when it mounts a volume with an fsGroup; chmod -R does the same."""
    home.consume(LETTER)
    for path in (home.index, *home.index.rglob("*")):
        os.chown(path, -1, FS_GROUP)
        path.chmod(0o2770 if path.is_dir() else 0o660)
    home.consume(LETTER)
    assert stat.S_IMODE(home.index.stat().st_mode) == 0o700
    assert stat.S_IMODE((home.index / "cache.db").stat().st_mode) == 0o600


def test_a_volume_that_is_the_index_itself(home: Home) -> None:
    """The directory that belongs to root is not taken over: the error names one below it that works."""
    ours = home.run("check", DEDUPE_INDEX_DIR=str(home.data))
    backfill = home.run("backfill", DEDUPE_INDEX_DIR=str(home.data))
    if FS_GROUP not in home.user:
        assert backfill.code == 0, (ours.out, backfill.err)
        return
    assert backfill.code == 4
    assert f"set DEDUPE_INDEX_DIR to {home.data}/index" in backfill.err
    assert home.run("backfill", DEDUPE_INDEX_DIR=f"{home.data}/index").code == 0


def private(index: Path) -> set[int]:
    """The owners of all files; none may be open to others."""
    found = [index, *index.rglob("*")]
    modes = {stat.S_IMODE(path.stat().st_mode) & ~stat.S_ISGID for path in found}
    assert modes <= {0o700, 0o600}, {oct(mode) for mode in modes}
    return {path.stat().st_uid for path in found}
