"""What the commands print: no success before an error, and nothing that another line or command contradicts."""

from __future__ import annotations

import fcntl
import json
import pty
import re
import struct
import termios

import pytest

from hook.backfill.progress import hidden, progress
from hook.findings.decisions import Decisions, Kind
from tests.e2e.archive_kit import Desk, fill, opened
from tests.e2e.hook_kit import Hooked
from tests.live.texts import Texts
from tests.terminal import everything_on

WRONG_TOKEN, WRONG_URL = ("DEDUPE_TOKEN", "wrong", 5), ("DEDUPE_URL", "http://127.0.0.1:9", 6)


@pytest.mark.parametrize(
    ("option", "wrong"),
    [(option, WRONG_TOKEN) for option in ("", "--sync", "--rebuild", "--json", "--dry-run")]
    + [("", WRONG_URL)],
)
def test_no_result_before_an_error(desk: Desk, option: str, wrong: tuple[str, str, int]) -> None:
    """Nothing was examined, so nothing is said about what was found."""
    name, value, code = wrong
    out, err = desk.run("backfill", *option.split(), code=code, **{name: value})
    assert out == ""
    assert err.count("\n") == 1


def test_groups_of_three_copies(desk: Desk) -> None:
    """All are similar to the one to keep, so no pair is listed as similar to another one only."""
    texts = Texts(1)
    letter = texts.letter()
    for text in (letter, texts.scanned_again(letter), texts.scanned_again(letter)):
        desk.fake.add_document(text)
    desk.backfill()
    out, _ = desk.run("groups")
    assert out.count("sure") == 2
    assert "also:" not in out
    (group,) = [json.loads(line) for line in desk.run("groups", "--json")[0].splitlines()]
    assert (len(group["members"]), group["beside"]) == (2, [])


def test_the_other_document_of_a_finding_is_not_alone(hooked: Hooked, texts: Texts) -> None:
    """ "#2 looks like #1", and then not "#1: nothing similar"."""
    letter = texts.letter()
    old, new = (hooked.fake.add_document(text) for text in (letter, texts.scanned_again(letter)))
    hooked.hook(old)
    hooked.hook(new)
    assert hooked.hook(old).out == f"#{old}: nothing to add, the finding is on #{new}\n"


def test_explain_knows_of_decisions(desk: Desk) -> None:
    """A pair that was dismissed is never reported, whatever the verdict."""
    ((scan, letter),) = fill(desk.fake, 3, rescans=1).items()
    desk.backfill()
    assert ", reported\n" in desk.run("explain", str(scan), str(letter))[0]
    desk.fake.tag(scan, "dedupe:not-duplicate")
    desk.sync()
    assert "not reported, because you dismissed it\n" in desk.run("explain", str(letter), str(scan))[0]


def test_a_sync_says_which_decisions_it_has_carried_out(desk: Desk) -> None:
    scans = fill(desk.fake, 6, rescans=2)
    desk.backfill()
    for scan in scans:
        desk.fake.tag(scan, "dedupe:not-duplicate")
    out, _ = desk.run("backfill", "--sync")
    assert "decisions carried out: 2\n" in out
    assert "written: the decisions, no other document was marked\n" in out
    with opened(desk) as archive:
        assert {one.kind for one in Decisions(archive.index)} == {Kind.DISMISSED}


def test_a_line_does_not_run_into_the_progress_bar(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """On a terminal: the bar is cleared, the line is printed, the bar is drawn again."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    with open(theirs, "w") as terminal:  # noqa: PTH123 - a descriptor
        monkeypatch.setattr("sys.stderr", terminal)
        monkeypatch.setattr("sys.stdout", terminal)
        with progress(10, "examining", stream=terminal) as advance:
            advance(3)
            with hidden():
                print("#2 looks like #1", flush=True)
            advance(7)
    text = everything_on(ours)
    line = re.search(r"([^\n]*)#2 looks like #1\r?\n", text)
    assert line is not None
    assert line[1].rpartition("\r")[2].strip() == ""
