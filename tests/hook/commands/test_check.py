"""`check`: each thing that can be wrong with an installation has its own line, with what to do."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
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


def test_a_good_script(tmp_path: Path) -> None:
    (line,) = script(tmp_path, b"#!/bin/sh\nexec paperless-dedupe-hook\n")
    assert (line.name, line.level, line.fix) == ("hook", Level.OK, "")


def test_the_program_after_env_is_checked(tmp_path: Path) -> None:
    """`#!/usr/bin/env -S python3 -u` needs python3 on the PATH, not only env."""
    (line,) = script(tmp_path, b"#!/usr/bin/env -S sh -u\n# dedupe\n")
    assert line.level is Level.OK
    (line,) = script(tmp_path, b"#!/usr/bin/env python9\n# dedupe\n")
    assert (line.level, "python9" in line.text) == (Level.FAIL, True)


@pytest.mark.parametrize(
    ("text", "mode", "words"),
    [
        (b"#!/bin/sh\r\nexec dedupe\r\n", 0o755, "Windows line endings"),
        (b"exec dedupe\n", 0o755, "no #! line"),
        (b"", 0o755, "no #! line"),
        (b"#!\ndedupe", 0o755, "needs an interpreter"),
        (b"#!/no/such/sh\ndedupe", 0o755, "/no/such/sh"),
        (b"#!/bin/sh\nexec dedupe\n", 0o644, "not executable"),
    ],
)
def test_a_script_that_paperless_could_not_run(tmp_path: Path, text: bytes, mode: int, words: str) -> None:
    """Each of them was seen to fail the consumption of every document."""
    (line,) = script(tmp_path, text, mode)
    assert line.level is Level.FAIL
    assert words in line.text
    assert line.fix


def test_two_problems_are_two_lines(tmp_path: Path) -> None:
    assert len(script(tmp_path, b"#!/bin/sh\r\n", 0o600)) == 2


def test_another_script_is_a_warning(tmp_path: Path) -> None:
    (line,) = script(tmp_path, b"#!/bin/sh\nexec my-own-tool\n")
    assert line.level is Level.WARN
    assert "DEDUPE_NEXT_SCRIPT" in line.fix


def test_a_missing_script_is_named(tmp_path: Path) -> None:
    (line,) = script_lines({VARIABLE: str(tmp_path / "gone.sh")})
    assert line.level is Level.FAIL
    assert "gone.sh" in line.text


def test_a_directory_is_not_a_script(tmp_path: Path) -> None:
    (line,) = script_lines({VARIABLE: str(tmp_path)})
    assert line.level is Level.FAIL


@pytest.mark.parametrize("environ", [{}, {VARIABLE: " "}])
def test_outside_of_paperless_the_hook_cannot_be_checked(environ: dict[str, str]) -> None:
    """A user who runs `check` on the host learns where to run it, not that something is broken."""
    (line,) = script_lines(environ)
    assert line.level is Level.WARN
    assert "docker compose exec" in line.fix


class Installation:
    """A Paperless with some documents, and our commands beside it."""

    def __init__(self, fake: FakePaperless, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.fake, self.capsys = fake, capsys
        self.environ = {
            "HOME": str(place),
            "DEDUPE_URL": fake.url,
            "DEDUPE_TOKEN": fake.token,
            "DEDUPE_INDEX_DIR": str(place / "index"),
        }

    def run(self, *words: str) -> int:
        return cli.main(words, self.environ)

    def check(self, *options: str) -> dict[str, dict[str, Any]]:
        """The lines by name; the exit code must agree with them."""
        self.capsys.readouterr()
        code = self.run("check", "--json", *options)
        answer = json.loads(self.capsys.readouterr().out)
        lines = {line["name"]: line for line in answer["checks"]}
        failed = any(line["level"] == "fail" for line in answer["checks"])
        assert (answer["schema"], answer["ok"], code) == (1, not failed, int(failed))
        return lines

    def user(self, *missing: str) -> None:
        """From now on, everything is done as a user without these permissions."""
        self.environ["DEDUPE_TOKEN"] = self.fake.add_user("ann", permissions=ALL_PERMISSIONS - set(missing))


@pytest.fixture
def installation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[Installation]:
    with FakePaperless() as fake:
        texts = Texts(3)
        for _ in range(3):
            fake.add_document(texts.letter())
        yield Installation(fake, tmp_path, capsys)


def levels(lines: dict[str, dict[str, Any]], level: str) -> set[str]:
    return {name for name, line in lines.items() if line["level"] == level}


def test_a_sound_installation(installation: Installation, tmp_path: Path) -> None:
    """After setup and backfill, with the hook in place, everything is ok."""
    hook = tmp_path / "post-consume.sh"
    hook.write_text("#!/bin/sh\nexec dedupe\n")
    hook.chmod(0o755)
    installation.environ[VARIABLE] = str(hook)
    assert installation.run("setup") == installation.run("backfill") == 0
    for options in ((), ("--full",), ("--repair",)):
        assert levels(installation.check(*options), "ok") == set(installation.check(*options))


def test_each_line_begins_with_its_level(
    installation: Installation, capsys: pytest.CaptureFixture[str]
) -> None:
    assert installation.run("check") == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == "ok    all settings are valid"
    assert {line[:6].strip() for line in shown} == {"ok", "warn", ""}


def test_before_the_first_backfill(installation: Installation) -> None:
    """Nothing is broken, but there is something to do."""
    lines = installation.check()
    assert levels(lines, "fail") == set()
    assert "paperless-dedupe backfill" in lines["index"]["text"]
    assert "paperless-dedupe setup" in lines["labels"]["fix"]


@pytest.mark.parametrize(
    "right", ["view_document", "change_document", "add_tag", "add_note", "add_customfield"]
)
def test_each_missing_right_is_named(installation: Installation, right: str) -> None:
    installation.user(right)
    line = installation.check()[f"right:{right}"]
    verb, thing = right.split("_")
    assert line["level"] == "fail"
    assert f"{thing}: {verb}" in line["fix"]


def test_permissions_that_only_setup_needs_are_a_warning(installation: Installation) -> None:
    installation.user("add_savedview")
    assert installation.check()["right:add_savedview"]["level"] == "warn"


def test_without_the_permission_to_see_permissions(installation: Installation) -> None:
    installation.user("view_uisettings")
    lines = installation.check()
    assert levels(lines, "fail") == {"right:view_uisettings"}
    assert lines["token"]["level"] == "ok"


def test_a_user_who_is_not_a_superuser(installation: Installation) -> None:
    installation.user()
    assert installation.check()["sight"]["level"] == "warn"


def test_a_revoked_token(installation: Installation) -> None:
    installation.fake.revoke_token()
    lines = installation.check()
    assert (lines["url"]["level"], lines["token"]["level"]) == ("ok", "fail")


def test_no_token_at_all(installation: Installation) -> None:
    del installation.environ["DEDUPE_TOKEN"]
    assert "DEDUPE_TOKEN" in installation.check()["paperless"]["text"]


def test_a_page_instead_of_paperless(installation: Installation) -> None:
    installation.fake.faults.add("GET", "ui_settings", LOGIN_PAGE, times=None)
    assert levels(installation.check(), "fail") == {"url"}


def test_a_misspelt_setting(installation: Installation) -> None:
    """It is named, and the rest is still checked."""
    installation.environ["DEDUPE_SCOPPE"] = "all"
    lines = installation.check()
    assert "DEDUPE_SCOPE" in lines["settings"]["text"]
    assert lines["url"]["level"] == "ok"


def test_a_wrong_setting(installation: Installation) -> None:
    installation.environ["DEDUPE_SCOPE"] = "some"
    assert levels(installation.check(), "fail") == {"settings"}


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
        line = Installation(fake, tmp_path, capsys).check()["version"]
        assert (line["level"], line["text"]) == (level, text)


def test_a_link_field_of_another_type(installation: Installation) -> None:
    installation.fake.add_custom_field("Similar documents", "string")
    assert installation.check()["labels"]["level"] == "fail"


def test_documents_that_are_not_indexed_yet(installation: Installation) -> None:
    installation.run("backfill")
    installation.fake.add_document(Texts(4).letter())
    line = installation.check()["index-complete"]
    assert (line["level"], line["text"]) == ("warn", "3 documents indexed, Paperless has 4")


def test_the_s_curve_of_the_recipe_in_use(installation: Installation, tmp_path: Path) -> None:
    """The chances follow the policy file."""
    line = installation.check()["recipe"]
    assert line["level"] == "ok"
    assert "64 bands x 3 rows" in line["text"]
    assert "0.1: 6%, 0.2: 41%, 0.3: 83%" in line["text"]
    path = tmp_path / "mine.toml"
    path.write_text("[recipe]\nbands = 24\nrows = 8\n")
    installation.environ["DEDUPE_POLICY_FILE"] = str(path)
    text = installation.check()["recipe"]["text"]
    assert "24 bands x 8 rows" in text
    assert "0.5: 9%" in text


def test_a_policy_file_that_is_not_understood(installation: Installation, tmp_path: Path) -> None:
    """One failed line that says where; the other checks are made."""
    path = tmp_path / "mine.toml"
    path.write_text("[recipe]\nbandz = 24\n")
    installation.environ["DEDUPE_POLICY_FILE"] = str(path)
    lines = installation.check()
    assert lines["recipe"]["level"] == "fail"
    assert "did you mean bands" in lines["recipe"]["text"]
    assert "hook" in lines


def test_what_waits_in_the_queue(installation: Installation, tmp_path: Path) -> None:
    installation.run("backfill")
    Queue(tmp_path / "index").add(2, "Paperless was down")
    line = installation.check()["queue"]
    assert line["level"] == "warn"
    assert "#2: Paperless was down" in line["text"]


def test_what_a_backfill_left_over(installation: Installation) -> None:
    installation.run("backfill", "--index-only")
    assert installation.check()["unsettled"]["level"] == "warn"


@pytest.mark.parametrize(
    ("url", "is_warned"),
    [
        ("http://localhost:8000", False),
        ("http://127.0.0.1:8000", False),
        ("http://[::1]:8000", False),
        ("https://paperless.example", False),
        ("http://paperless.example", True),
        ("http://127.evil.example", True),
    ],
)
def test_a_token_that_is_sent_without_encryption(url: str, is_warned: bool) -> None:
    assert [line.level for line in unencrypted(url)] == [Level.WARN] * is_warned


def test_the_warning_is_among_the_lines(installation: Installation) -> None:
    settings = settings_of(installation.environ)
    with connect(settings) as client:
        lines = server_lines(client, settings.model_copy(update={"url": "http://paperless.example"}))
    assert "encryption" in [line.name for line in lines]


def test_odd_files_are_named_and_stop_nothing(installation: Installation, tmp_path: Path) -> None:
    """In the queue and in the spool: a directory, a pipe, a file of somebody else's."""
    installation.run("backfill")
    index = tmp_path / "index"
    for place in ("queue", "spool"):
        (index / place).mkdir(exist_ok=True)
        (index / place / "1").mkdir()
        os.mkfifo(index / place / "2")
        (index / place / "notes.txt").touch()
    (index / "spool" / "3.17-1").touch()
    lines = installation.check()
    assert "'1', '2', 'notes.txt'" in lines["queue-files"]["text"]
    assert "'1', '2', 'notes.txt'" in lines["spool-files"]["text"]
    assert lines["spool"]["text"].startswith("1 event for the service in ")
    assert installation.run("backfill", "--sync") == 0


def test_a_damaged_index_is_found_and_repaired(installation: Installation) -> None:
    """Documents that cannot be looked up are noticed at once, and --repair restores every entry."""
    installation.run("backfill")
    with open_archive(settings_of(installation.environ)) as archive:
        store = store_of(archive.index)
        with store.transaction():
            store.sql("DELETE FROM posting")
    quick = installation.check()["index"]
    assert (quick["level"], "check --repair" in quick["fix"]) == ("fail", True)
    assert "3 documents of the 3" in quick["text"]
    assert installation.check("--full")["index"]["level"] == "fail"
    assert installation.check("--repair")["index"]["level"] == "warn"
    assert installation.check("--full")["index"]["level"] == "ok"
    assert installation.check()["index"]["level"] == "ok"


def test_an_index_that_is_not_a_database(installation: Installation, tmp_path: Path) -> None:
    installation.run("setup")
    installation.run("backfill")
    (tmp_path / "index" / "cache.db").write_bytes(b"no database at all" * 1000)
    lines = installation.check()
    assert lines["index"]["level"] == "fail"
    assert "backfill --rebuild" in lines["index"]["text"]
    assert "adopt" not in json.dumps(lines), "it is the index of this Paperless, whatever can be read of it"


def test_the_next_script_is_checked_too(installation: Installation, tmp_path: Path) -> None:
    path = tmp_path / "mine.sh"
    path.write_text("#!/bin/sh\n")
    installation.environ["DEDUPE_NEXT_SCRIPT"] = str(path)
    assert installation.check()["next-script"]["level"] == "fail"
    path.chmod(0o755)
    assert installation.check()["next-script"]["level"] == "ok"


def test_our_own_script_is_ok() -> None:
    """It is what the README recommends."""
    (line,) = script_lines({VARIABLE: str(ROOT / "scripts" / "post-consume.sh")})
    assert line.level is Level.OK


COMMANDS = (
    "backfill",
    "backfill --dry-run",
    "backfill --rebuild",
    "backfill --sync",
    "pending",
    "groups",
    "queue",
    "find 1",
    "explain 1 2",
    "decisions export",
    "undo 1",
    "tune",
)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
@pytest.mark.parametrize("command", COMMANDS)
def test_an_index_that_root_has_made_is_one_line(
    installation: Installation, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    """For the user of Paperless: every command says which directory, and what to do."""
    installation.run(*command.split())  # imports what it needs: another user may not read the code
    with TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        installation.environ["DEDUPE_INDEX_DIR"] = index = str(Path(place) / "index")
        installation.run("backfill")
        (Path(index) / "queue").mkdir(mode=0o700, exist_ok=True)
        capsys.readouterr()
        with another_user():
            code = installation.run(*command.split())
    shown = capsys.readouterr()
    assert (code in (1, 4), shown.out) == (True, "")
    (line,) = shown.err.splitlines()
    assert index in line
    assert f"chown -R {OTHER} {index}" in line or command == "queue"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_an_index_that_root_has_made_is_not_a_missing_one(installation: Installation) -> None:
    """Else the advice would be to make an index, which fails."""
    installation.check()
    with TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        installation.environ["DEDUPE_INDEX_DIR"] = index = str(Path(place) / "index")
        installation.run("setup")
        installation.run("backfill")
        with another_user():
            lines = installation.check()
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


def test_a_directory_with_other_files_is_not_a_missing_index(
    installation: Installation, tmp_path: Path
) -> None:
    (tmp_path / "index").mkdir()
    (tmp_path / "index" / "holiday.jpg").touch()
    line = installation.check()["index"]
    assert (line["level"], "'holiday.jpg'" in line["text"]) == ("fail", True)
