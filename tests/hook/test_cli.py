"""The command line: what is imported, what is said when something goes wrong, and with which exit code."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from hook import cli
from hook.errors import DedupeError, IndexMissing, RightsError, SettingsError, UnreachableError
from tests.programs import ROOT, python


class Command(ModuleType):
    """A command that does what a test tells it to."""

    def __init__(self, outcome: int | BaseException = 0) -> None:
        super().__init__("command")
        self.outcome = outcome
        self.seen: argparse.Namespace | None = None

    def run(self, args: argparse.Namespace) -> int:
        self.seen = args
        if isinstance(self.outcome, BaseException):
            raise self.outcome
        return self.outcome


def run(command: Command, *words: str) -> int:
    return cli.main(words, {"HOME": "/home/ann"}, load=lambda name: command)


def test_a_command_gets_its_arguments_and_the_environment() -> None:
    """Options are the command's own; settings are read from the environment that main was given."""
    command = Command(7)
    assert run(command, "backfill", "--limit", "3") == 7
    assert command.seen is not None
    assert command.seen.limit == 3
    assert command.seen.environ == {"HOME": "/home/ann"}


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (DedupeError("it broke"), 1),
        (SettingsError("it broke"), 2),
        (IndexMissing(Path("/there")), 4),
        (RightsError("GET /api/tags/", "it broke"), 5),
        (UnreachableError("GET /api/tags/", "it broke\nbadly"), 6),
        (KeyboardInterrupt(), 130),
    ],
)
def test_an_error_is_one_line_and_an_exit_code(
    error: BaseException, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody needs a traceback to learn that Paperless is down."""
    assert run(Command(error), "setup") == code
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("paperless-dedupe: ")
    assert shown.err.count("\n") == 1


def test_a_defect_of_ours_is_not_hidden() -> None:
    """What is not in the error tree is a bug, and its traceback is wanted."""
    with pytest.raises(ZeroDivisionError):
        run(Command(ZeroDivisionError()), "setup")


@pytest.mark.parametrize(
    ("word", "advice"),
    [
        ("bakfill", "did you mean `backfill`?"),
        ("chek", "did you mean `check`?"),
        ("zzz", "commands are setup, "),
    ],
)
def test_an_unknown_command_names_the_nearest(
    word: str, advice: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(Command(), word) == 2
    assert advice in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "code", "shown"),
    [
        (("--help",), 0, [f"  {name} " for name in cli.COMMANDS]),
        (("help",), 0, [f"  {name} " for name in cli.COMMANDS]),
        (("help", "backfill"), 0, ["paperless-dedupe backfill", "--limit"]),
        (("backfill", "--limit", "many"), 2, ["paperless-dedupe backfill"]),
    ],
)
def test_help_version_and_wrong_usage(
    words: tuple[str, ...], code: int, shown: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """What was asked for is on stdout, what is wrong on stderr."""
    with pytest.raises(SystemExit) as ended:
        run(Command(), *words)
    assert ended.value.code == code
    out, err = capsys.readouterr()
    assert all(word in (err if code else out) for word in shown)
    assert (out if code else err) == ""


@pytest.mark.parametrize("word", ["-V", "--version"])
def test_the_version(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(Command(), word) == 0
    assert capsys.readouterr().out.startswith("paperless-dedupe ")


def test_without_a_command_the_help_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(Command()) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "commands:" in shown.err


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_each_command_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`COMMAND --help` works for every command that the help lists, without settings or network."""
    with pytest.raises(SystemExit) as ended:
        cli.main([name, "--help"], {})
    assert ended.value.code == 0
    assert f"paperless-dedupe {name}" in capsys.readouterr().out


def test_help_imports_nothing_heavy() -> None:
    """A command pays for its own imports when it runs: 0.06 s of CPU for help or wrong usage, not 0.6."""
    program = "import atexit, sys, hook.cli; atexit.register(lambda: print(*sys.modules)); hook.cli.main()"
    listed = python("-c", program, "backfill", "--help", environ={}).stdout.splitlines()[-1].split()
    assert "hook.cli" in listed
    assert not {"numpy", "httpx", "pydantic", "rapidfuzz", "datasketch", "tqdm", "diskcache"} & set(listed)


def test_a_closed_pipe_is_no_complaint() -> None:
    """`paperless-dedupe … | head` ends quietly."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as out:
        ended = subprocess.run(
            [sys.executable, "-c", PRINTS_A_LOT], cwd=ROOT, stdout=out, stderr=subprocess.PIPE, check=False
        )
    assert ended.returncode == cli.PIPE_CLOSED
    assert ended.stderr == b""


PRINTS_A_LOT = """
import sys, types
from hook import cli
command = types.ModuleType("command")
command.run = lambda args: print("x" * 100_000) or 0
sys.exit(cli.main(["stats"], {}, load=lambda name: command))
"""


def test_a_letter_that_the_terminal_cannot_show_ends_nothing() -> None:
    """Under a Latin-1 locale, a Chinese title comes out as escapes."""
    program = PRINTS_A_LOT.replace('"x" * 100_000', '"\\u6587"')
    shown = python("-c", program, environ={"PYTHONIOENCODING": "latin-1"})
    assert (shown.returncode, shown.stdout) == (0, "\\u6587\n")
