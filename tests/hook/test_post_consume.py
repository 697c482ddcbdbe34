"""The hook as Paperless sees it: an exit code, lines for its log, and a next script that always runs."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hook import work
from hook.post_consume import run_next
from hook.queue import Queue
from tests.e2e.hook_kit import ROOT, SCRIPT, Hooked, is_flagged
from tests.live.texts import Texts
from tests.programs import python


def script(path: Path, body: str) -> Path:
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def next_script(tmp_path: Path) -> Path:
    """Records what it was passed, and exits with 3."""
    body = f'echo "$# $DOCUMENT_ID $PAPERLESS_SECRET_KEY" >> {tmp_path}/seen\nexit 3'
    return script(tmp_path / "next.sh", body)


def seen(next_script: Path) -> list[str]:
    path = next_script.with_name("seen")
    return path.read_text().splitlines() if path.exists() else []


def test_the_script_as_paperless_runs_it(hooked: Hooked) -> None:
    """A scan and its rescan: one line each on stdout, tag, note and link; again, and nothing changes."""
    texts = Texts(4711)
    letter = texts.letter()
    old = hooked.fake.consume(letter)
    new = hooked.fake.consume(texts.scanned_again(letter))
    assert old is not None
    assert new is not None
    patient: dict[str, Any] = {"DEDUPE_DEADLINE_S": "600"}  # a busy machine takes its time
    first, second = hooked.script(old, **patient), hooked.script(new, **patient)
    assert (first.code, first.out, first.err) == (0, f"#{old}: nothing similar\n", "")
    assert second.out.startswith(f"#{new} looks like")
    assert (second.code, second.err, second.out.count("\n")) == (0, "", 1)
    shown = hooked.fake.document(new)
    assert is_flagged(shown.tags)
    assert len(shown.notes) == 1
    assert hooked.waiting == []
    hooked.fake.forget_requests()
    assert hooked.script(new, **patient).out == second.out
    assert hooked.fake.writes == []


def test_it_imports_what_it_uses(hooked: Hooked) -> None:
    """Every document pays for each import: no progress bar, no command line, no SciPy."""
    number = hooked.fake.add_document("alone with its words")
    program = (
        "import os, sys; from hook.post_consume import Hook; Hook(os.environ).run();"
        "print(*sorted(sys.modules))"
    )
    shown = python("-c", program, environ=hooked.environ_of(number))
    modules = shown.stdout.splitlines()[-1].split()
    assert "hook.work" in modules
    unwanted = {"tqdm", "datasketch", "scipy", "sklearn", "hook.cli", "multiprocessing"}
    assert unwanted.isdisjoint(modules)


def test_wrong_settings_and_misspelt_variables_are_reported(hooked: Hooked) -> None:
    """With a wrong value nothing is done. If the hook stopped because of a typo in a name, it would be noticed too late."""
    number = hooked.fake.add_document("alone")
    ran = hooked.hook(number, DEDUPE_TIMEOUT_S="soon")
    assert (ran.code, ran.out, "DEDUPE_TIMEOUT_S" in ran.err) == (0, "", True)
    assert hooked.fake.requests == []
    ran = hooked.hook(number, DEDUPE_TIMOUT_S="30")
    assert (ran.out, "DEDUPE_TIMEOUT_S" in ran.err) == (f"#{number}: nothing similar\n", True)


@pytest.mark.parametrize("value", ["", "None", "seven", "-1", "0", "99999999999", "²"])
def test_without_a_document_there_is_nothing_to_do(hooked: Hooked, value: str) -> None:
    """A user runs it by hand."""
    number = hooked.fake.add_document("alone")
    ran = hooked.hook(number, DOCUMENT_ID=value)
    assert (ran.code, ran.out) == (0, "")
    assert "PAPERLESS_POST_CONSUME_SCRIPT" in ran.err


def test_the_next_script_runs(hooked: Hooked, next_script: Path) -> None:
    """It gets what Paperless passed, and its exit code is only logged."""
    number = hooked.fake.add_document("alone")
    ran = hooked.script(number, DEDUPE_NEXT_SCRIPT=str(next_script))
    assert (ran.code, "exited with 3" in ran.err) == (0, True)
    assert seen(next_script) == [f"0 {number} the-secret-key"]


def test_the_next_script_runs_whatever_is_wrong_with_ours(hooked: Hooked, next_script: Path) -> None:
    """Wrong settings, no document, Paperless down: the user's script must not suffer."""
    number = hooked.fake.add_document("alone")
    chained: dict[str, Any] = {"DEDUPE_NEXT_SCRIPT": str(next_script)}
    hooked.hook(number, DEDUPE_TIMEOUT_S="soon", **chained)
    hooked.hook(number, DOCUMENT_ID="None", **chained)
    hooked.fake.down()
    hooked.hook(number, **chained)
    assert len(seen(next_script)) == 3


def test_the_next_script_runs_after_a_timeout(hooked: Hooked, next_script: Path) -> None:
    """If our hook hangs until its deadline, the user's script still runs."""
    number = hooked.fake.add_document("alone")
    program = (
        "import os, threading, time\n"
        "from hook import work\n"
        "from hook.post_consume import Hook\n"
        "hang = lambda settings, deadline: threading.Event().wait()\n"
        "os._exit(Hook(os.environ, started_s=time.monotonic() - 4.9, connect=hang).run() or 99)\n"
    )
    environ = hooked.environ_of(number, DEDUPE_DEADLINE_S="5", DEDUPE_NEXT_SCRIPT=str(next_script))
    done = python("-c", program, environ=environ)
    assert (done.returncode, done.stdout) == (0, "")
    assert f"#{number}: not done within 5 s, kept for the next run" in done.stderr
    assert len(seen(next_script)) == 1
    assert hooked.waiting == [number]


@pytest.mark.parametrize("missing", ["numpy", "httpx", "pydantic"])
def test_a_missing_library(hooked: Hooked, next_script: Path, missing: str) -> None:
    """After an upgrade of the image: it is named, the event is kept, the next script runs. Without the library of the
    settings, even the queue directory is unknown."""
    number = hooked.fake.add_document("alone")
    program = f"import sys; sys.modules['{missing}'] = None; from hook.post_consume import entry; entry()"
    environ = hooked.environ_of(number, DEDUPE_NEXT_SCRIPT=str(next_script))
    done = python("-c", program, environ=environ)
    assert done.returncode == 0
    assert f"the module {missing} is missing" in done.stderr
    assert "Traceback" not in done.stderr
    assert hooked.waiting == ([] if missing == "pydantic" else [number])
    assert len(seen(next_script)) == 1


@pytest.fixture
def broken(tmp_path: Path) -> Callable[[int], dict[str, str]]:
    """The shell script without a virtual environment beside it, and a PATH whose python3 exits with this code."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "scripts").mkdir()
    shutil.copy(SCRIPT, tmp_path / "scripts" / SCRIPT.name)

    def path(code: int) -> dict[str, str]:
        script(tmp_path / "bin" / "python3", f"exit {code}")
        return {"PATH": f"{tmp_path}/bin:/usr/bin:/bin"}

    return path


@pytest.mark.parametrize("code", [1, 127, 139])
def test_a_python_that_does_not_work(
    hooked: Hooked, tmp_path: Path, broken: Callable[[int], dict[str, Any]], code: int
) -> None:
    """Not installed, or killed: the shell script keeps the event, reports it and exits with 0."""
    number = hooked.fake.add_document("alone")
    Queue(hooked.index_dir)._prepare()
    environ = hooked.environ_of(number, **broken(code))
    alone = tmp_path / "scripts" / SCRIPT.name
    done = subprocess.run([alone], cwd="/", env=environ, capture_output=True, text=True)
    assert (done.returncode, f"exited with {code}" in done.stderr) == (0, True)
    assert Queue(hooked.index_dir).numbers() == [number]


def test_a_python_that_does_not_work_in_a_unit_without_a_home(
    tmp_path: Path, broken: Callable[[int], dict[str, str]]
) -> None:
    """systemd sets no HOME without `User=`: the shell script asks the system for the home directory, too."""
    home = tmp_path / "home"
    script(tmp_path / "bin" / "getent", f"[ $1 = passwd ] && echo me:x:$2:$2:me:{home}:/bin/sh")
    queue = home / ".local" / "share" / "paperless-dedupe" / "queue"
    queue.mkdir(parents=True)
    alone, environ = tmp_path / "scripts" / SCRIPT.name, {**broken(127), "DOCUMENT_ID": "7"}
    subprocess.run([alone], cwd="/", env=environ, capture_output=True, check=True)
    assert [file.name for file in queue.iterdir()] == ["7"]


def test_a_run_leaves_no_bytecode(hooked: Hooked, tmp_path: Path) -> None:
    """On a full disk Python writes it truncated, and every later run would fail on it."""
    for name in ("dedupe_core", "hook"):
        shutil.copytree(ROOT / name, tmp_path / "copy" / name, ignore=shutil.ignore_patterns("__pycache__"))
    script = tmp_path / "copy" / "scripts" / SCRIPT.name
    script.parent.mkdir()
    shutil.copy(SCRIPT, script)
    number = hooked.fake.add_document("alone")
    done = subprocess.run([script], cwd="/", env=hooked.environ_of(number), capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, f"#{number}: nothing similar\n")
    assert list((tmp_path / "copy").rglob("*.pyc")) == []


def test_a_broken_pipe(hooked: Hooked) -> None:
    """It does not change the exit code."""
    number = hooked.fake.add_document("alone")
    read, write = os.pipe()
    os.close(read)
    try:
        done = subprocess.run([SCRIPT], cwd="/", env=hooked.environ_of(number), stdout=write, stderr=write)
    finally:
        os.close(write)
    assert done.returncode == 0
    assert hooked.waiting == []


def test_a_file_version_updates_its_root(hooked: Hooked) -> None:
    """Paperless 3 runs the hook with the id of the version."""
    texts = Texts(1)
    letter = texts.letter()
    root = hooked.fake.add_document(letter)
    hooked.hook(root)
    version = hooked.fake.add_version(root, texts.scanned_again(letter))
    hooked.fake.forget_requests()
    ran = hooked.hook(version)
    assert ran.out == f"#{version} is a file version of #{root}; #{root}: nothing similar\n"
    assert hooked.fake.writes == []
    assert hooked.waiting == []


def test_a_deleted_document_is_no_error(hooked: Hooked) -> None:
    """Deleted while its event waited: reported once, then dropped."""
    number = hooked.fake.add_document("alone")
    environ: dict[str, Any] = hooked.fake.hook_environment(number)
    hooked.fake.trash(number)
    ran = hooked.hook(hooked.fake.add_document("another"), **environ)
    assert ran.out == f"#{number}: not found: deleted, or not visible to the token's user\n"
    assert hooked.waiting == []


def test_older_events_are_worked_off_a_few_at_a_time(hooked: Hooked) -> None:
    """A hundred events that waited while Paperless was down do not hold up one consumption; none if time is short."""
    fake = hooked.fake
    numbers = [fake.add_document(f"word{number} and more of its kind") for number in range(15)]
    queue = Queue(hooked.index_dir)
    for number in numbers[:-1]:
        queue.add(number)
    assert hooked.hook(numbers[-1], left_s=20.0).out == f"#{numbers[-1]}: nothing similar\n"
    assert len(hooked.waiting) == 14
    assert hooked.hook(numbers[-1]).out.count("nothing similar") == 1 + work.OLDER_EVENTS
    hooked.hook(numbers[-1])
    assert hooked.waiting == []


def test_a_next_script_that_cannot_run(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The reason is in the log."""
    (tmp_path / "plain").touch(mode=0o644)
    for path in (tmp_path / "missing", tmp_path / "plain", script(tmp_path / "killed.sh", "kill -9 $$")):
        run_next(path, [], {})
    for words in ("missing, or the interpreter", "plain cannot be run", "killed.sh exited with -9"):
        assert words in caplog.text
