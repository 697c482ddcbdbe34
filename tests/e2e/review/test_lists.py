"""The commands that list: wrapped to the terminal, with titles and addresses that people can open."""

from __future__ import annotations

import csv
import json
import os
import pty
import subprocess
import sys
from datetime import datetime, timedelta

import pytest

from hook.review.kept.history import TrashDelay
from tests.e2e import review_kit
from tests.e2e.archive_kit import ROOT, Desk
from tests.e2e.review_page.page_kit import Archive, fill
from tests.terminal import everything_on

PUBLIC = "https://paperless.example.org"


@pytest.fixture
def archive(desk: Desk) -> Archive:
    found = fill(desk.fake)
    desk.run("setup")
    desk.backfill()
    desk.fake.run_tasks()
    return found


@pytest.fixture(autouse=True)
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")


def fits(out: str) -> bool:
    """Addresses are not broken."""
    return all(len(line) <= 60 or "://" in line for line in out.splitlines())


@pytest.mark.parametrize("command", ["pending", "groups", "find"])
def test_documents_are_listed_with_title_and_address(desk: Desk, archive: Archive, command: str) -> None:
    number = str(archive.rescan)
    out, _ = desk.run(command, *([number] if command == "find" else []), DEDUPE_PUBLIC_URL=PUBLIC)
    assert f'#{archive.letter} "Letter"' in out
    assert f"{PUBLIC}/documents/{archive.letter}" in out
    assert fits(out)


def test_pending_lists_what_was_examined_and_not_written(desk: Desk) -> None:
    """After `backfill --examine-only` Paperless shows nothing; the list says what was found, and what writes it."""
    found = fill(desk.fake)
    desk.run("backfill", "--examine-only", "--quiet")
    out, _ = desk.run("pending", DEDUPE_PUBLIC_URL=PUBLIC)
    assert f'#{found.rescan} "Scan" and #{found.letter} "Letter"' in out
    assert "sure; not in Paperless yet" in out
    assert "suggestion" not in out
    assert "are not in Paperless yet: `paperless-dedupe backfill` writes them." in " ".join(out.split())
    assert fits(out)
    assert '"Letter"' in desk.run("groups")[0]
    before = [json.loads(line) for line in desk.run("pending", "--json")[0].splitlines()]
    assert not any(line["written"] for line in before)
    desk.backfill()
    after = [json.loads(line) for line in desk.run("pending", "--json")[0].splitlines()]
    assert all(line["written"] for line in after)
    pairs = [{(line["subject"], line["other"]) for line in lines} for lines in (before, after)]
    assert pairs[0] == pairs[1] != set()
    assert "not in Paperless yet" not in desk.run("pending")[0]


def test_decisions_are_listed_in_words(desk: Desk, archive: Archive) -> None:
    assert desk.run("decisions")[0] == "No decisions yet.\n"
    review_kit.decide(desk, archive.rescan, "dedupe:not-duplicate")
    review_kit.decide(desk, archive.copy, "dedupe:confirm", DEDUPE_ON_CONFIRM="trash")
    out, _ = desk.run("decisions")
    words = " ".join(out.split())
    assert f'#{archive.letter} "Letter" and #{archive.rescan} "Scan": dismissed, not reported again' in words
    moved = desk.fake.trashed[0]
    assert f"confirmed, #{moved} was moved to the trash (reported as identical, 100% sure)" in words
    assert f"`paperless-dedupe undo {moved}` works until " in words
    assert "when Paperless empties its trash (30 days by default)" in words
    assert fits(out)


def test_decisions_as_json_say_until_when_undo_works(desk: Desk, archive: Archive) -> None:
    """By Paperless's own setting where it is known here; without a limit if nothing is in the trash, or not any more."""
    review_kit.decide(desk, archive.rescan, "dedupe:not-duplicate")
    review_kit.decide(desk, archive.copy, "dedupe:confirm", DEDUPE_ON_CONFIRM="trash")
    out, _ = desk.run("decisions", "--json", PAPERLESS_EMPTY_TRASH_DELAY="7")
    told = {one["kind"]: one for one in map(json.loads, out.splitlines())}  # both may be of the same second
    moved, dismissed = told["confirmed"], told["dismissed"]
    assert (dismissed["kind"], dismissed["moved"], dismissed["undo_until"]) == ("dismissed", None, None)
    assert (moved["schema"], moved["by"], moved["moved"]) == (1, "person", desk.fake.trashed[0])
    assert {moved["kept"], moved["moved"]} == {moved["a"], moved["b"]}
    began, until = (datetime.fromisoformat(moved[name]) for name in ("decided_at", "undo_until"))
    assert timedelta(days=7) <= until - began < timedelta(days=7, hours=1)
    assert "PAPERLESS_EMPTY_TRASH_DELAY is 7" in " ".join(
        desk.run("decisions", PAPERLESS_EMPTY_TRASH_DELAY="7")[0].split()
    )
    desk.fake.restore(moved["moved"])
    review_kit.sync(desk)
    lines = [json.loads(line) for line in desk.run("decisions", "--json")[0].splitlines()]
    (restored,) = [one for one in lines if one["kind"] == "confirmed"]
    assert (restored["action"], restored["moved"], restored["undo_until"]) == ("", None, None)


@pytest.mark.parametrize(
    ("text", "days"), [("", 30), ("7", 7), ("0", 1), ("many", 30), ("9" * 20, 30), ("²", 30), ("-3", 30)]
)
def test_the_delay_of_the_trash(text: str, days: int) -> None:
    assert TrashDelay.of({"PAPERLESS_EMPTY_TRASH_DELAY": text}).days == days


def test_undo_as_json(desk: Desk, archive: Archive) -> None:
    review_kit.decide(desk, archive.copy, "dedupe:confirm", DEDUPE_ON_CONFIRM="trash")
    (moved,) = desk.fake.trashed
    told = json.loads(desk.run("undo", str(moved), "--json")[0])
    assert (told["schema"], told["document"]) == (1, moved)
    assert moved in told["examined"]
    assert told["messages"][0].startswith(f"#{moved} is restored")
    assert desk.fake.trashed == []


def test_report_as_json(desk: Desk, archive: Archive) -> None:
    file = desk.place / "report.html"
    told = json.loads(desk.run("report", "--html", str(file), "--json")[0])
    assert (told["schema"], told["file"], told["cards"], told["left_out"]) == (1, str(file), 2, 0)
    assert file.exists()


def test_retract_as_json_names_what_goes(desk: Desk, archive: Archive) -> None:
    """The same for the dry run and the real one; afterwards there is nothing."""
    planned = json.loads(desk.run("retract", "--dry-run", "--json")[0])
    assert planned["schema"] == 1
    assert archive.rescan in [document for document, _ in planned["notes"]]
    assert "dedupe:review" in planned["tags"]
    assert (planned["link_field"], len(planned["saved_views"])) == ("Similar documents", 1)
    done = json.loads(desk.run("retract", "--json")[0])
    assert done == {**planned, "dry_run": False}
    after = json.loads(desk.run("retract", "--json")[0])
    assert not any(value for name, value in after.items() if name not in ("schema", "dry_run"))


def test_a_table_for_a_spreadsheet(desk: Desk, archive: Archive) -> None:
    """As many rows as findings; a title is text, whatever it looks like."""
    desk.fake.edit(archive.rescan, title='=HYPERLINK("http://example.org"), "a\nb')
    rows = list(csv.DictReader(desk.run("pending", "--csv", DEDUPE_PUBLIC_URL=PUBLIC)[0].splitlines()))
    listed = [json.loads(line) for line in desk.run("pending", "--json")[0].splitlines()]
    assert [(int(row["subject"]), int(row["other"]), row["relation"]) for row in rows] == [
        (one["subject"], one["other"], one["relation"]) for one in listed
    ]
    (row,) = [row for row in rows if int(row["subject"]) == archive.rescan]
    assert row["subject_title"].startswith("'=HYPERLINK(")
    assert row["subject_url"] == f"{PUBLIC}/documents/{archive.rescan}"
    assert None not in row


def test_stats(desk: Desk, archive: Archive) -> None:
    review_kit.decide(desk, archive.rescan, "dedupe:not-duplicate")
    out, _ = desk.run("stats")
    assert "documents in the index: 5\n" in out
    assert "findings that wait for a decision: 1\n  2025-02: 1 identical\n" in out
    assert "decisions: 1\n" in out
    assert ": 1 dismissed rescan\n" in out
    told = json.loads(desk.run("stats", "--json")[0])
    assert (told["schema"], told["documents"], told["findings"]) == (1, 5, {"2025-02": {"identical": 1}})
    assert told["index_bytes"] > 10_000


def test_stats_leave_out_what_is_in_the_trash(desk: Desk, archive: Archive) -> None:
    """Also findings of others about it, until the next sync."""
    third = desk.fake.add_document(desk.fake.document(archive.original).content, "Notice, third")
    desk.backfill()
    before = json.loads(desk.run("stats", "--json")[0])
    assert sum(count for month in before["findings"].values() for count in month.values()) == 4
    review_kit.decide(desk, archive.copy, "dedupe:confirm", DEDUPE_ON_CONFIRM="trash")
    assert len(desk.fake.trashed) == 1 and third not in desk.fake.trashed
    after = json.loads(desk.run("stats", "--json")[0])
    listed = desk.run("pending", "--json")[0].splitlines()
    assert sum(count for month in after["findings"].values() for count in month.values()) == len(listed)
    assert after["documents"] == before["documents"] - 1


def test_scan_prints_a_table_on_a_terminal_and_json_in_a_pipe(desk: Desk, archive: Archive) -> None:
    file = desk.place / "docs.jsonl"
    rows = [{"id": n, "content": desk.fake.document(n).content} for n in desk.fake.documents]
    file.write_text("\n".join(map(json.dumps, rows)))
    piped = desk.run("scan", str(file))[0].splitlines()
    assert all(json.loads(line)["schema"] == 1 for line in piped)
    shown = on_terminal("scan", str(file))
    assert shown[0].startswith("DOCUMENT")
    assert len(shown) >= 3
    assert all(len(line) <= 60 for line in shown[:3])
    assert "{" not in "".join(shown[:3])


def on_terminal(*words: str) -> list[str]:
    """What a command prints if its output is a terminal."""
    ours, theirs = pty.openpty()
    environ = {"PATH": os.environ.get("PATH", os.defpath), "HOME": "/nowhere", "COLUMNS": "60"}
    command = [sys.executable, "-m", "hook.cli", *words]
    done = subprocess.run(
        command, cwd=ROOT, env=environ, stdout=theirs, stderr=subprocess.DEVNULL, check=True
    )
    os.close(theirs)
    assert done.returncode == 0
    return everything_on(ours).replace("\r\n", "\n").splitlines()
