"""The failure drill: whatever goes wrong, the hook ends with 0, says so, and the next run makes it good."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import threading
from contextlib import closing
from pathlib import Path

import pytest

from hook.findings.findings import Findings
from hook.paperless.client import connect
from hook.session import open_archive
from hook.settings.loading import load_settings
from tests.e2e.hook_kit import SCRIPT, Hooked, is_flagged
from tests.fakes import BAD_GATEWAY, FORBIDDEN, LOGIN_PAGE, SERVER_ERROR, Before, Cut, Delay, Drop, Fault
from tests.fakes.faults import Action, reply
from tests.forked import fork_server
from tests.live.texts import Texts

FIELD = "Similar documents"


@pytest.fixture
def pair(hooked: Hooked, texts: Texts) -> tuple[int, int]:
    """A letter that was examined, and its rescan, which was consumed just now."""
    letter = texts.letter()
    old = hooked.fake.add_document(letter, "Letter")
    assert hooked.hook(old).out == f"#{old}: nothing similar\n"
    hooked.fake.forget_requests()
    return old, hooked.fake.add_document(texts.scanned_again(letter), "Scan")


def is_complete(hooked: Hooked, old: int, new: int) -> bool:
    """Tag, one note and a link both ways."""
    seen = hooked.fake.document(new)
    links = hooked.fake.document(old).custom_fields
    return (
        is_flagged(seen.tags)
        and len(seen.notes) == 1
        and seen.custom_fields == {FIELD: [old]}
        and links == {FIELD: [new]}
    )


def done_by_the_next_run(hooked: Hooked, texts: Texts, old: int, new: int) -> bool:
    """Another document is consumed: its hook finds what is waiting."""
    another = hooked.fake.add_document("A poem about the sea and about nothing else at all, by nobody known.")
    ran = hooked.hook(another)
    assert f"#{another}: nothing similar" in ran.out
    return is_complete(hooked, old, new) and hooked.waiting == []


def test_paperless_down_at_hook_time_and_back_later(
    hooked: Hooked, texts: Texts, pair: tuple[int, int]
) -> None:
    """Nothing is examined now; the event waits, and the next run does it."""
    old, new = pair
    hooked.fake.down()
    ran = hooked.hook(new)
    assert (ran.code, ran.out) == (0, "")
    assert f"#{new}: kept for the next run" in ran.err
    assert "DEDUPE_URL" in ran.err
    assert hooked.waiting == [new]
    hooked.fake.up()
    assert done_by_the_next_run(hooked, texts, old, new)


def test_token_revoked_or_missing(hooked: Hooked, texts: Texts, pair: tuple[int, int]) -> None:
    """It says where the token comes from; with a new one the next run does it."""
    old, new = pair
    hooked.fake.revoke_token()
    for token in (hooked.fake.token, ""):
        ran = hooked.hook(new, DEDUPE_TOKEN=token)
        assert (ran.code, hooked.waiting) == (0, [new])
        assert "DEDUPE_TOKEN" in ran.err
        assert hooked.fake.token not in ran.err
    hooked.fake.grant_token("admin", hooked.fake.token)
    assert done_by_the_next_run(hooked, texts, old, new)


def test_403_on_notes_only(hooked: Hooked, texts: Texts, pair: tuple[int, int]) -> None:
    """Tag and link are written now, the note when the right is there."""
    old, new = pair
    hooked.fake.faults.add("*", "/notes/", FORBIDDEN, times=None)
    ran = hooked.hook(new)
    assert ran.code == 0
    assert f"#{new} looks like" in ran.out
    assert "view_note" in ran.err
    seen = hooked.fake.document(new)
    assert is_flagged(seen.tags)
    assert (seen.notes, seen.custom_fields) == ((), {FIELD: [old]})
    assert hooked.waiting == [new]
    hooked.fake.faults.clear()
    assert done_by_the_next_run(hooked, texts, old, new)


PATHS = ("documents/", "bulk_edit", "tags/", "custom_fields", "notes")
ACTIONS: tuple[Action, ...] = (LOGIN_PAGE, BAD_GATEWAY, SERVER_ERROR, Cut(0.5), Drop(), Drop(done=True))


@pytest.mark.parametrize(
    ("action", "path"),
    [(action, PATHS[n % 5]) for n, action in enumerate(ACTIONS)],
    ids=str,
)
def test_trouble_in_the_middle(
    hooked: Hooked, texts: Texts, pair: tuple[int, int], action: Action, path: str
) -> None:
    """A login page, an error of a proxy, a connection cut in the middle of an answer: each at another call."""
    old, new = pair
    fault = hooked.fake.faults.add("*", path, action, times=None)
    ran = hooked.hook(new)
    assert ran.code == 0
    assert fault.hits > 0
    assert hooked.waiting == [new]
    assert f"#{new}" in ran.err
    assert "<html" not in ran.err
    hooked.fake.faults.clear()
    assert done_by_the_next_run(hooked, texts, old, new)


def limited(hooked: Hooked, document_id: int, size_bytes: int) -> subprocess.CompletedProcess[str]:
    """The hook as a process that cannot make files larger than this, as on a full disk."""
    return subprocess.run(
        ["/bin/sh", "-c", f'ulimit -f {size_bytes // 512}; exec "{SCRIPT}"'],
        cwd="/",
        env=hooked.environ_of(document_id, DEDUPE_DEADLINE_S="300"),
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("size_kb", [0, 32, 36])
def test_disk_full(hooked: Hooked, texts: Texts, pair: tuple[int, int], size_kb: int) -> None:
    """At once, or after the tags, or after the links: it says so, keeps the event, and the next run ends it.

    A limit on the size of files stands in for the disk: SQLite sees failed writes either way.
    """
    old, new = pair
    ran = limited(hooked, new, size_kb * 1024)
    assert ran.returncode == 0
    assert "cannot grow" in ran.stderr or (size_kb == 0 and "cannot be written" in ran.stderr)
    assert hooked.waiting == [new]
    assert not is_complete(hooked, old, new)
    assert done_by_the_next_run(hooked, texts, old, new)


@pytest.mark.parametrize(("gone", "skip"), [(1, 0), (0, 1)], ids=["the new one", "the other one"])
def test_document_deleted_between_fetch_and_write(
    hooked: Hooked, pair: tuple[int, int], gone: int, skip: int
) -> None:
    """No error, nothing kept; nothing written to it, and never a link to a document in the trash."""
    _, new = pair
    hooked.fake.faults.add("POST", "bulk_edit", Before(lambda: hooked.fake.trash(pair[gone])), skip=skip)
    ran = hooked.hook(new)
    assert (ran.code, ran.err, hooked.waiting) == (0, "", [])
    assert len(hooked.fake.document(new).notes) == skip
    assert hooked.fake.document(new).custom_fields.get(FIELD, []) == []


def test_slow_server_against_the_deadline(hooked: Hooked, texts: Texts, pair: tuple[int, int]) -> None:
    """The run ends in time, and the next one, when the server is awake, does it."""
    old, new = pair
    hooked.fake.faults.add("GET", f"documents/{new}", Delay(900.0), times=None)
    ran = hooked.hook(new, left_s=0.1)
    assert ran.code == 0
    assert "the time for this run is used up" in ran.err
    assert hooked.waiting == [new]
    hooked.fake.faults.clear()
    assert done_by_the_next_run(hooked, texts, old, new)


def test_index_locked_by_another_process(hooked: Hooked, texts: Texts, pair: tuple[int, int]) -> None:
    """A backfill holds the write lock for too long: kept."""
    old, new = pair
    with closing(sqlite3.connect(hooked.index_dir / "cache.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        runs = [hooked.hook(new, left_s=0.1)]
        while "locked by another process" not in runs[-1].err and len(runs) < 6:
            runs.append(hooked.hook(new, left_s=0.1 * 3 ** len(runs)))  # a busy machine fetches for longer
    assert {ran.code for ran in runs} == {0}
    assert "locked by another process" in runs[-1].err
    assert hooked.waiting == [new]
    assert done_by_the_next_run(hooked, texts, old, new)


def test_index_damaged(hooked: Hooked, pair: tuple[int, int]) -> None:
    """It says how to repair it, and keeps the event beside it."""
    _, new = pair
    for path in hooked.index_dir.glob("cache.db*"):
        path.write_bytes(b"no database at all" * 100)
    ran = hooked.hook(new)
    assert ran.code == 0
    assert "paperless-dedupe check --repair" in ran.err
    assert hooked.waiting == [new]


def test_killed_hook(hooked: Hooked, texts: Texts, pair: tuple[int, int]) -> None:
    """kill -9 while it waits for Paperless: the event was kept before anything was asked."""
    old, new = pair
    asked = threading.Event()
    fault: Fault = hooked.fake.faults.add("GET", f"documents/{new}", Before(asked.set))
    hooked.fake.faults.add("GET", f"documents/{new}", Delay(900.0))
    process = hooked.start(new, DEDUPE_NEXT_SCRIPT="")
    assert asked.wait(600)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    for number in [*map(int, children), process.pid]:
        os.kill(number, signal.SIGKILL)
    process.communicate()
    assert fault.hits == 1
    assert hooked.waiting == [new]
    assert done_by_the_next_run(hooked, texts, old, new)


def test_no_secret_and_no_text_in_the_log(hooked: Hooked, pair: tuple[int, int]) -> None:
    """Whatever goes wrong, at the finest level: no token, no environment, no text of a document."""
    _, new = pair
    seen = ""
    for action in (LOGIN_PAGE, BAD_GATEWAY, FORBIDDEN, Cut(0.5), Drop()):
        hooked.fake.faults.add("*", "bulk_edit|notes|tags", action, times=None)
        ran = hooked.hook(new, DEDUPE_LOG_LEVEL="DEBUG", DEDUPE_LOG_FILE=str(hooked.place / "log"))
        seen += ran.out + ran.err
        hooked.fake.faults.clear()
    seen += (hooked.place / "log").read_text()
    seen += "".join(path.read_text() for path in (hooked.index_dir / "queue").iterdir())
    assert f"#{new}" in seen
    assert hooked.fake.token not in seen
    assert "the-secret-key" not in seen
    lines = hooked.fake.document(new).content.splitlines()
    assert [line for line in lines if len(line.split()) > 5 and line in seen] == []


def test_8_hooks_at_once_beside_a_backfill(hooked: Hooked, texts: Texts) -> None:
    """Nothing is lost, nothing is written twice, and all of them end with 0."""
    fake = hooked.fake
    letters = [Texts(number).letter() for number in range(8)]
    olds = [fake.add_document(text, f"Letter {number}") for number, text in enumerate(letters)]
    news = [fake.add_document(texts.scanned_again(text)) for text in letters]
    with (hooked.place / "shown").open("w") as out:
        running = [fork_server().start(["backfill"], hooked.environ(), out=out, err=out)]
        running += [fork_server().start([], hooked.environ_of(new), out=out, err=out) for new in news]
        codes = [process.wait(120) for process in running]
    shown = (hooked.place / "shown").read_text()
    assert codes == [0] * 9, shown
    while hooked.waiting:
        hooked.hook(hooked.waiting[0])
    for old, new in zip(olds, news, strict=True):
        assert is_complete(hooked, old, new), (old, new, shown)
        assert fake.document(old).tags == frozenset()
        assert fake.document(old).notes == ()
    settings = load_settings(hooked.environ())
    with open_archive(settings) as archive, connect(settings):
        assert sorted(archive.index.ids()) == [*olds, *news]
        assert archive.index.check().sound
        assert sorted(record.subject for record in Findings(archive.index)) == news
    fake.forget_requests()
    for new in news:
        hooked.hook(new)
    assert fake.writes == []


def test_a_404_of_another_server_is_no_deletion(hooked: Hooked) -> None:
    """Any wrong server answers 404 to the address of a document: the event is kept, and the index forgets nothing."""
    known = hooked.fake.add_document("A letter about the leaking roof, dated 3 May 2025, reference AB-1234.")
    hooked.hook(known)
    other = reply(404, '{"detail": "Not found."}', "application/json")
    hooked.fake.faults.add("*", "/api/documents/", other, times=None)
    ran = hooked.hook(known)
    assert ran.code == 0
    assert "not as Paperless does" in ran.err
    assert hooked.waiting == [known]
    hooked.fake.faults.clear()
    assert hooked.hook(known).out == f"#{known}: nothing similar\n"
    assert hooked.waiting == []
