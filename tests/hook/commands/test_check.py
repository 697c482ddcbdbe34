"""`check`: each thing that can be wrong with an installation has its own line, with what to do."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from hook import cli
from hook.commands.check.line import Level, Line
from hook.commands.check.script import VARIABLE, script_lines
from hook.commands.check.server import server_lines, unencrypted
from hook.paperless.client import connect
from hook.queue import Queue
from hook.session import open_archive, settings_of
from tests.e2e.archive_kit import Desk, fill
from tests.fakes import ALL_PERMISSIONS, LOGIN_PAGE, FakePaperless
from tests.hook.index.index_kit import store_of
from tests.live.texts import Texts
from tests.not_root import OTHER

ROOT = Path(__file__).parents[3]


def script(tmp_path: Path, text: bytes, mode: int = 0o755) -> list[Line]:
    path = tmp_path / "post-consume.sh"
    path.write_bytes(text)
    path.chmod(mode)
    return script_lines({VARIABLE: str(path), "PATH": "/usr/bin:/bin"})


OURS = b"#!/bin/sh\nexec paperless-dedupe-hook\n"
CRLF = b"#!/bin/sh\r\nexec dedupe\r\n"


@pytest.mark.parametrize(
    ("text", "mode", "level", "words"),
    [
        (OURS, 0o755, "ok", ["executable, Unix line endings, interpreter found"]),
        ((ROOT / "scripts" / "post-consume.sh").read_bytes(), 0o755, "ok", ["interpreter found"]),
        (b"#!/usr/bin/env -S sh -u\n# dedupe\n", 0o755, "ok", ["interpreter found"]),
        (b"#!/usr/bin/env python9\n# dedupe\n", 0o755, "fail", ["needs python9"]),
        (CRLF, 0o755, "fail", ["Windows line endings"]),
        (b"exec dedupe\n", 0o755, "fail", ["no #! line"]),
        (b"", 0o755, "fail", ["no #! line"]),
        (b"#!\ndedupe", 0o755, "fail", ["needs an interpreter"]),
        (b"#!/no/such/sh\ndedupe", 0o755, "fail", ["/no/such/sh"]),
        (OURS, 0o644, "fail", ["not executable"]),
        (CRLF, 0o600, "fail", ["not executable", "Windows line endings"]),
        (b"#!/bin/sh\nexec my-own-tool\n", 0o755, "warn", ["does not run paperless-dedupe"]),
    ],
)
def test_the_script_that_paperless_runs(
    tmp_path: Path, text: bytes, mode: int, level: str, words: list[str]
) -> None:
    """Each of the failures was seen to fail the consumption of every document; the program after `env` is looked for, too."""
    lines = script(tmp_path, text, mode)
    assert [line.level for line in lines] == [level] * len(words)
    assert all(word in line.text for word, line in zip(words, lines, strict=True))
    assert all(bool(line.fix) == (level != "ok") for line in lines)


@pytest.mark.parametrize("name", ["gone.sh", ""])
def test_what_is_not_a_file_is_named(tmp_path: Path, name: str) -> None:
    (line,) = script_lines({VARIABLE: str(tmp_path / name)})
    assert (line.level, str(tmp_path / name) in line.text) == (Level.FAIL, True)


@pytest.mark.parametrize("environ", [{}, {VARIABLE: " "}])
def test_outside_of_paperless_the_hook_cannot_be_checked(environ: dict[str, str]) -> None:
    """A user who runs `check` on the host learns where to run it, not that something is broken."""
    (line,) = script_lines(environ)
    assert line.level is Level.WARN
    assert "where Paperless runs" in line.fix


def as_user(desk: Desk, *missing: str) -> None:
    """From now on, everything is done as a user without these permissions."""
    desk.settings["DEDUPE_TOKEN"] = desk.fake.add_user("ann", permissions=ALL_PERMISSIONS - set(missing))


@pytest.fixture
def desk(desk: Desk) -> Desk:
    """With some documents."""
    fill(desk.fake, 3)
    return desk


def levels(lines: dict[str, dict[str, Any]], level: str) -> set[str]:
    return {name for name, line in lines.items() if line["level"] == level}


def test_a_sound_installation(desk: Desk, tmp_path: Path) -> None:
    """After setup and backfill, with the hook in place, everything is ok."""
    hook = tmp_path / "post-consume.sh"
    hook.write_text("#!/bin/sh\nexec dedupe\n")
    hook.chmod(0o755)
    desk.settings[VARIABLE] = str(hook)
    desk.run("setup")
    desk.backfill()
    for options in ((), ("--full",), ("--repair",)):
        assert levels(desk.check(*options), "ok") == set(desk.check(*options))


def test_tags_and_field_that_were_renamed_in_paperless(desk: Desk) -> None:
    """They stay ours, and `check` shows the names that they have now; if one is deleted, it says so."""
    desk.run("setup")
    state = desk.fake.state
    tag = next(one for one in state.tags.values() if one.name == "dedupe:review")
    (field,) = state.custom_fields.values()
    tag.name, field.name = "Twins", "Twin of"
    line = desk.check()["labels"]
    assert (line["level"], line["text"]) == ("ok", 'tag Twins and custom field "Twin of" exist')
    desk.fake.delete_custom_field("Twin of")
    assert desk.check()["labels"]["level"] == "warn"


def test_what_is_broken_comes_last(desk: Desk) -> None:
    """Three groups."""
    desk.settings["DEDUPE_SCOPPE"] = "all"

    def headings(*options: str) -> list[str]:
        out, _ = desk.run("check", *options, code=1)
        return [line for line in out.splitlines() if not line.startswith(" ")]

    assert headings() == ["OK", "Look at this", "Broken"]
    assert headings("-q") == ["Look at this", "Broken"]


def test_before_the_first_backfill(desk: Desk) -> None:
    """Nothing is broken, but there is something to do."""
    lines = desk.check()
    assert levels(lines, "fail") == set()
    assert "paperless-dedupe backfill" in lines["index"]["text"]
    assert "paperless-dedupe setup" in lines["labels"]["fix"]


@pytest.mark.parametrize(
    ("version", "level", "text"),
    [
        ("2.20.15", "ok", "Paperless 2.20.15"),
        ("3.0.5", "ok", "Paperless 3.0.5"),
        ("4.1.0", "ok", "Paperless 4.1.0 (the newest tested is 3.0)"),
        ("2.14.0", "warn", "Paperless 2.14.0 is older than 2.20, the oldest that is tested"),
    ],
)
def test_versions(
    version: str, level: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A newer Paperless is nothing to be warned of: what it can do is asked of its API, not read from its number."""
    with FakePaperless(version) as fake:
        line = Desk(fake, tmp_path, capsys).check()["version"]
        assert (line["level"], line["text"]) == (level, text)


def _queue(at: Desk) -> None:
    at.run("backfill")
    Queue(at.index_dir).add(2, "Paperless was down")


def _policy_file(at: Desk) -> None:
    path = at.index_dir.with_name("mine.toml")
    path.write_text("[recipe]\nbandz = 24\n")
    at.settings["DEDUPE_POLICY_FILE"] = str(path)


def _other_files(at: Desk) -> None:
    at.index_dir.mkdir()
    (at.index_dir / "holiday.jpg").touch()


def _not_indexed(at: Desk) -> None:
    at.run("backfill")
    at.fake.add_document(Texts(4).letter())


def _same_file(at: Desk) -> None:
    at.settings["DEDUPE_TRASH_SAME_FILE"] = "true"
    as_user(at, "delete_document")


RIGHTS = ("view_document", "change_document", "add_tag", "add_note", "add_customfield")
WRONG: dict[str, tuple[Callable[[Desk], object], str, str, str]] = {
    "a misspelt setting": (lambda at: at.settings.update(DEDUPE_SCOPPE="all"), "settings", "fail", "DEDUPE_SCOPE"),
    "a wrong setting": (lambda at: at.settings.update(DEDUPE_SCOPE="some"), "settings", "fail", "owner"),
    "a revoked token": (lambda at: at.fake.revoke_token(), "token", "fail", "DEDUPE_TOKEN"),
    "a token that was not replaced": (
        lambda at: at.settings.update(DEDUPE_TOKEN="TOKEN"), "token", "fail", "the word TOKEN of the instructions"
    ),
    "no token": (lambda at: at.settings.update(DEDUPE_TOKEN=""), "paperless", "fail", "DEDUPE_TOKEN"),
    "a page": (lambda at: at.fake.faults.add("GET", "ui_", LOGIN_PAGE, times=None), "url", "fail", "proxy"),
    "a user who sees less": (lambda at: as_user(at), "sight", "warn", "superuser"),
    "a right for setup": (lambda at: as_user(at, "add_savedview"), "right:add_savedview", "warn", "add"),
    "a right for the trash": (_same_file, "right:delete_document", "fail", "delete"),
    "no right to see rights": (lambda at: as_user(at, "view_uisettings"), "right:view_uisettings", "fail", "view"),
    "a field of another type": (
        lambda at: at.fake.add_custom_field("Similar documents", "string"), "labels", "fail", "DEDUPE_LINK_FIELD"
    ),
    "documents that are not indexed": (
        _not_indexed, "index-complete", "warn", "3 documents indexed, Paperless has 4"
    ),
    "what waits": (_queue, "queue", "warn", "#2: Paperless was down"),
    "what a backfill left": (lambda at: at.run("backfill", "--index-only"), "unsettled", "warn", "backfill"),
    "a policy file": (_policy_file, "recipe", "fail", "bandz is not a value"),
    "other files": (_other_files, "index", "fail", "'holiday.jpg'"),
    **{
        right: (lambda at, right=right: as_user(at, right), f"right:{right}", "fail", right.partition("_")[2])  # type: ignore[misc]
        for right in RIGHTS
    },
}  # fmt: skip


@pytest.mark.parametrize(("break_it", "name", "level", "words"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_has_its_own_line(
    desk: Desk, break_it: Callable[[Desk], object], name: str, level: str, words: str
) -> None:
    """With what to do."""
    break_it(desk)
    lines = desk.check()
    assert lines[name]["level"] == level
    assert words in lines[name]["text"] + lines[name]["fix"]
    assert levels(lines, "fail") <= {name, "paperless"}


def test_a_token_that_is_sent_without_encryption(desk: Desk) -> None:
    for host in (
        "http://localhost:8000",
        "http://127.0.0.1:8000",
        "http://[::1]:8000",
        "https://paperless.example",
    ):
        assert unencrypted(host) == []
    for host in ("http://paperless.example", "http://127.evil.example"):
        assert [line.level for line in unencrypted(host)] == [Level.WARN]
    settings = settings_of(desk.environ())
    with connect(settings) as client:
        lines = server_lines(client, settings.model_copy(update={"url": "http://paperless.example"}))
    assert "encryption" in [line.name for line in lines]


def test_a_damaged_index_is_found_and_repaired(desk: Desk) -> None:
    """Documents that cannot be looked up are noticed at once, and --repair restores every entry."""
    desk.run("backfill")
    with open_archive(settings_of(desk.environ())) as archive:
        store = store_of(archive.index)
        with store.transaction():
            store.sql("DELETE FROM posting")
    quick = desk.check()["index"]
    assert (quick["level"], "check --repair" in quick["fix"]) == ("fail", True)
    assert "3 documents of the 3" in quick["text"]
    assert desk.check("--full")["index"]["level"] == "fail"
    assert desk.check("--repair")["index"]["level"] == "warn"
    assert desk.check("--full")["index"]["level"] == "ok"
    assert desk.check()["index"]["level"] == "ok"


def test_an_index_that_is_not_a_database(desk: Desk, tmp_path: Path) -> None:
    desk.run("setup")
    desk.run("backfill")
    (tmp_path / "index" / "cache.db").write_bytes(b"no database at all" * 1000)
    lines = desk.check()
    assert lines["index"]["level"] == "fail"
    assert "backfill --rebuild" in lines["index"]["text"]
    assert "adopt" not in json.dumps(lines), "it is the index of this Paperless, whatever can be read of it"


def test_the_next_script_is_checked_too(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "mine.sh"
    path.write_text("#!/bin/sh\n")
    desk.settings["DEDUPE_NEXT_SCRIPT"] = str(path)
    assert desk.check()["next-script"]["level"] == "fail"
    path.chmod(0o755)
    assert desk.check()["next-script"]["level"] == "ok"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
@pytest.mark.parametrize("command", ["backfill --rebuild", "pending", "queue", "find 1"])
def test_an_index_that_root_has_made_is_one_line(
    desk: Desk, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    """For the user of Paperless: every command says which directory, and what to do."""
    desk.run(*command.split(), code=None)  # imports what it needs: another user may not read the code
    with TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        desk.settings["DEDUPE_INDEX_DIR"] = index = str(Path(place) / "index")
        desk.run("backfill")
        (Path(index) / "queue").mkdir(mode=0o700, exist_ok=True)
        capsys.readouterr()
        with another_user():
            code = cli.main(command.split(), desk.environ())
    shown = capsys.readouterr()
    assert (code in (1, 4), shown.out) == (True, "")
    (line,) = shown.err.splitlines()
    assert index in line
    assert f"chown -R {OTHER} {index}" in line or command == "queue"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_an_index_that_root_has_made_is_not_a_missing_one(desk: Desk) -> None:
    """Else the advice would be to make an index, which fails."""
    desk.check()
    with TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        desk.settings["DEDUPE_INDEX_DIR"] = index = str(Path(place) / "index")
        desk.run("setup")
        desk.run("backfill")
        with another_user():
            lines = desk.check()
    line = lines["index"]
    assert (line["level"], f"chown -R {OTHER} {index}" in line["text"]) == ("fail", True)
    assert "adopt" not in json.dumps(lines)


@contextmanager
def another_user() -> Iterator[None]:
    os.setegid(OTHER)
    os.seteuid(OTHER)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)
