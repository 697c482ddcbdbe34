"""What README promises of the product as a whole: each of these fails if the promise is broken anywhere.

tests/project/test_promises.py says which test stands for which sentence of README.
"""

from __future__ import annotations

import os
import re
import sqlite3
import stat
from contextlib import closing, suppress
from pathlib import Path

import pytest

from tests.e2e.archive_kit import Desk, fill, pairs
from tests.e2e.hook_kit import Hooked
from tests.e2e.serve_kit import service
from tests.fakes import FakePaperless, Recorded
from tests.fakes.faults import Reply
from tests.fakes.web import html
from tests.live.texts import Texts
from tests.programs import python

TRASH = {"DEDUPE_ON_CONFIRM": "trash"}


def flagged_pairs(desk: Desk, count: int) -> list[tuple[int, int]]:
    """Letters and their rescans, which carry the findings: (letter, rescan)."""
    scans = fill(desk.fake, 3 * count, rescans=count)
    desk.run("setup")
    assert pairs(desk.sync()) == set(scans.items())
    desk.fake.run_tasks()
    return [(letter, scan) for scan, letter in scans.items()]


def deletions(seen: list[Recorded]) -> list[Recorded]:
    """Requests that take a document away from its owner."""
    return [
        one
        for one in seen
        if (one.method == "DELETE" and one.path.startswith("/api/documents/") and "/notes/" not in one.path)
        or (one.path.endswith("/bulk_edit/") and one.body["method"] == "delete")
        or (one.path.endswith("/trash/") and one.method == "POST")
    ]


# What is never done


@pytest.mark.parametrize(
    "tag", ["", "dedupe:skip", "dedupe:not-duplicate", "dedupe:keep", "dedupe:confirm", "dedupe:confirmed"]
)
def test_no_document_goes_to_the_trash_without_being_asked(desk: Desk, tag: str) -> None:
    """Whatever else a person says of it, and however sure the finding is: text and file are the same."""
    ((letter, scan),) = flagged_pairs(desk, 1)
    copy = desk.fake.add_document(desk.fake.document(letter).content, "the same text", data=b"another file")
    if tag:
        desk.fake.tag(scan, tag)
    desk.sync()
    desk.backfill("--again")
    desk.fake.run_tasks()
    assert "dedupe:identical" in desk.fake.document(copy).tags
    assert (desk.fake.trashed, deletions(desk.fake.requests)) == ([], [])


def test_only_the_document_that_was_asked_for_goes_to_the_trash(desk: Desk) -> None:
    """Of three pairs one is confirmed: the others stay, and nothing is ever deleted for good."""
    (_, scan), *others = flagged_pairs(desk, 3)
    desk.fake.tag(scan, "dedupe:confirm")
    for _ in range(2):
        desk.run("backfill", "--sync", code=0, **TRASH)
        desk.fake.run_tasks()
    assert len(desk.fake.trashed) == 1
    assert not {number for pair in others for number in pair} & set(desk.fake.trashed)
    assert not any(one.body == {"action": "empty"} for one in deletions(desk.fake.requests))
    assert len(deletions(desk.fake.requests)) == 1


UNREADABLE = {
    "empty": "",
    "blank": " \n\f\n ",
    "encrypted": "\ufffd\x03\x1c\ufffd " * 300,
    "garbled": " ".join("~|_}{^"[n % 6] + "-=+*"[n % 4] * (n % 7) + ".,:;"[n % 4] for n in range(800)),
}


@pytest.mark.parametrize("text", UNREADABLE.values(), ids=UNREADABLE)
def test_unreadable_text_matches_nothing(desk: Desk, text: str) -> None:
    """Not even the same text of another file."""
    for number in range(3):
        desk.fake.add_document(text, f"scan {number}", data=bytes([number]))
    assert pairs(desk.backfill()) == set()
    assert not any(desk.fake.document(number).tags for number in desk.fake.documents)


def test_contradicting_dates_and_numbers_are_never_the_same_paper(desk: Desk) -> None:
    """A letter that differs in its date and its reference number, and in nothing else."""
    letter = Texts(3).letter()
    first = desk.fake.add_document(letter)
    reference = re.search(r"WS-3-\d+", letter)
    date = re.search(r"\d+ [A-Z][a-z]+ 2025", letter)
    assert reference and date
    other = letter.replace(reference[0], "WS-3-480157").replace(date[0], "17 October 2026")
    second = desk.fake.add_document(other)
    desk.backfill()
    tags = desk.fake.document(first).tags | desk.fake.document(second).tags
    assert not tags & {"dedupe:identical", "dedupe:rescan"}


# Privacy

SPY = """
import os, sys

def note(event, arguments):
    if event == "socket.connect":
        address = arguments[1]
    elif event in ("socket.getaddrinfo", "socket.sendto", "socket.gethostbyname"):
        address = arguments[1] if event == "socket.sendto" else arguments[:2]
    else:
        return
    with open(os.environ["SPY_FILE"], "a") as file:
        print(address[0] if isinstance(address, tuple) else address, address[1], file=file)

sys.addaudithook(note)
"""


def spied_on(desk: Desk) -> tuple[dict[str, str], Path]:
    """An environment in which every Python, with those it starts, writes down whom it contacts."""
    (desk.place / "spy").mkdir()
    (desk.place / "spy" / "sitecustomize.py").write_text(SPY)
    file = desk.place / "contacted"
    return {"PYTHONPATH": str(desk.place / "spy"), "SPY_FILE": str(file)}, file


def contacted(file: Path) -> set[tuple[str, int]]:
    return {(host, int(port)) for host, port in map(str.split, file.read_text().splitlines())}


def paperless_of(desk: Desk) -> tuple[str, int]:
    host, port = desk.fake.url.removeprefix("http://").split(":")
    return host, int(port)


def test_only_paperless_is_contacted(hooked: Hooked, texts: Texts) -> None:
    """By the script that Paperless runs and by the commands; nothing is looked up, reported or updated elsewhere."""
    spy, file = spied_on(hooked)
    hooked.settings.update(spy)
    letter = hooked.fake.add_document(text := texts.letter())
    scan = hooked.fake.add_document(texts.scanned_again(text))
    for words in (["setup"], ["backfill", "--limit", "1"]):
        assert python("-m", "hook.cli", *words, environ=hooked.environ()).returncode == 0
    assert hooked.script(scan).code == 0
    assert hooked.fake.document(scan).custom_fields == {"Similar documents": [letter]}
    assert contacted(file) == {paperless_of(hooked)}


def test_a_redirect_to_somebody_else_is_not_followed(desk: Desk) -> None:
    """The token would go along."""
    with FakePaperless() as stranger:
        elsewhere = html(302, "", (("Location", f"{stranger.url}/api/documents/"),))
        desk.fake.faults.add("*", "/api/", Reply(elsewhere), times=None)
        _, err = desk.run("backfill", code=2)
        assert "DEDUPE_URL" in err
        assert stranger.requests == []


def test_a_proxy_of_the_environment_is_not_used(desk: Desk) -> None:
    """Paperless is beside us; a proxy would see every text."""
    with FakePaperless() as proxy:
        fill(desk.fake, 2)
        proxies = {"HTTP_PROXY": proxy.url, "http_proxy": proxy.url, "ALL_PROXY": proxy.url}
        assert python("-m", "hook.cli", "backfill", environ=desk.environ(**proxies)).returncode == 0
        assert proxy.requests == []
        assert len(desk.fake.requests) > 0


COMMANDS = "setup|check --full|backfill|pending|groups|decisions export|queue|explain 1 2|find 2|tune|backfill --again"


def secrets_of(desk: Desk) -> list[str]:
    """The token, and each line of a document that says more than a name."""
    lines = [
        line for number in desk.fake.documents for line in desk.fake.document(number).content.splitlines()
    ]
    return [desk.fake.token, *(line for line in lines if len(line.split()) > 5)]


def test_no_text_and_no_token_is_logged_by_any_command(desk: Desk) -> None:
    """At the finest level, on a terminal and in a file; the token does not even show among the results."""
    flagged_pairs(desk, 1)
    desk.fake.add_document("", "photo")
    assert len(secrets_of(desk)) > 10
    file = desk.place / "log"
    for words in COMMANDS.split("|"):
        out, err = desk.run(*words.split(), code=None, DEDUPE_LOG_LEVEL="DEBUG", DEDUPE_LOG_FILE=str(file))
        logged = err + (file.read_text() if file.exists() else "")
        assert [secret for secret in secrets_of(desk) if secret in logged] == [], words
        assert desk.fake.token not in out, words


def test_no_text_and_no_token_is_logged_by_the_service(tmp_path: Path, texts: Texts) -> None:
    with FakePaperless() as fake, service(fake, tmp_path, DEDUPE_LOG_LEVEL="DEBUG") as at:
        letter = fake.add_document(text := texts.letter())
        scan = fake.add_document(texts.scanned_again(text))
        for document in (letter, scan):
            at.post(document)
        at.settle()
        assert at.stop() == 0
        assert f"#{scan} looks like a rescan of #{letter}" in at.log
        assert [secret for secret in secrets_of(Desk(fake, tmp_path)) if secret in at.log] == []


def test_all_that_is_kept_is_private(tmp_path: Path, texts: Texts) -> None:
    """Index, queue and locks, made by the service and by commands, whatever the umask: 0700 and 0600."""
    before = os.umask(0)
    try:
        with FakePaperless() as fake, service(fake, tmp_path) as at:
            desk = Desk(fake, tmp_path)
            letter = fake.add_document(text := texts.letter())
            scan = fake.add_document(texts.scanned_again(text))
            at.post(letter)
            at.settle()
            assert desk.process("backfill", "--sync").wait(60) == 0
            fake.down()
            at.post(scan)  # stays in the queue
            check_private(at.index_dir)
    finally:
        os.umask(before)


def check_private(directory: Path) -> None:
    modes: dict[Path, int] = {}
    for path in (directory, *directory.rglob("*")):
        with suppress(FileNotFoundError):  # the service replaces files of the queue by renaming
            modes[path] = path.lstat().st_mode
    assert len(modes) > 5
    assert not {
        str(path): oct(mode)
        for path, mode in modes.items()
        if stat.S_IMODE(mode) != (0o700 if stat.S_ISDIR(mode) else 0o600)
    }


def test_the_index_contains_no_pickle(desk: Desk) -> None:
    """After all kinds of use: findings, decisions, what is left to do."""
    (_, scan), (_, other) = flagged_pairs(desk, 2)
    desk.fake.tag(scan, "dedupe:not-duplicate")
    desk.fake.tag(other, "dedupe:confirm")
    desk.sync()
    with closing(sqlite3.connect(desk.index_dir / "cache.db")) as database:
        rows = database.execute("SELECT mode, typeof(value), typeof(key), raw FROM Cache").fetchall()
    assert len(rows) > 10
    assert {mode for mode, *_ in rows} == {1}  # diskcache: 1 is bytes as they are, 4 is a pickle
    assert {raw for *_, raw in rows} == {1}  # and a key that is no pickle
