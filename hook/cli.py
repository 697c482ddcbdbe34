"""The command line: finds the command, imports only its module, and prints an error as one line.

Exit codes: 0 done; 1 another error, or `check` found a problem; 2 wrong usage or settings; 3 Paperless refused;
4 the index; 5 token or permissions; 6 try again later; 130 interrupted; 141 broken pipe.
"""

from __future__ import annotations

import argparse
import difflib
import importlib
import os
import sys
import textwrap
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import ModuleType
from typing import Final

from hook.commands import options
from hook.commands.terminal import hanging, paragraphs, wrapped
from hook.errors import DedupeError
from hook.log import plain

PROGRAM: Final = "paperless-dedupe"
# A command is a function of hook.commands.options and a module of hook.commands with `run(args) -> int`. Only the module of
# the chosen command is imported, and only when its options are understood.
COMMANDS: Final = {
    "setup": "create the tags, the link field and the saved view in Paperless",
    "check": "check settings, token, permissions, index and hook, and report what to fix",
    "backfill": "examine the documents that are in Paperless already; with --sync, what changed since",
    "pending": "list the findings that wait for your decision",
    "report": "write the findings into one HTML file, both documents side by side",
    "groups": "show groups of similar documents, and which one of each to keep",
    "decisions": "list, export or import your decisions",
    "stats": "show figures: documents, findings by relation and month, decisions, size of the index",
    "undo": "undo a decision: restore from the trash, and remove what was taken over",
    "adopt": "let this index take over from one that is lost",
    "retract": "remove all that paperless-dedupe has written: tags, notes, links, field, view, workflows",
    "tune": "measure the threshold on your decisions, and propose a better one",
    "scan": "find similar documents in a file, without Paperless",
    "serve": "run the service: accepts events over HTTP, examines documents as they arrive",
    "queue": "list documents that wait to be examined or were given up, and retry them",
    "find": "find the documents that overlap with a given one, or with a text file",
    "explain": "show how two indexed documents relate, and why",
}
_MODULES: Final = {"check": "check.check"}  # a package of its own
USAGE: Final = 2
MESSAGE_CHARACTERS: Final = 2000
INTERRUPTED: Final = 130  # what a shell reports for a program that was ended by SIGINT, and by SIGPIPE
PIPE_CLOSED: Final = 141
# Descriptions are wrapped already.
_Help: Final = partial(argparse.RawDescriptionHelpFormatter, max_help_position=28)


def main(
    arguments: Sequence[str] | None = None,
    environ: Mapping[str, str] | None = None,
    *,
    load: Callable[[str], ModuleType] = importlib.import_module,
) -> int:
    """Runs one command and returns its exit code; SystemExit only from argparse (help, wrong usage)."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    _tolerate_narrow_streams()
    try:
        code = _run(words, os.environ if environ is None else environ, load)
        sys.stdout.flush()  # here, where a broken pipe is still handled
    except BrokenPipeError:
        _drop_output()
        return PIPE_CLOSED
    except KeyboardInterrupt:
        return _fail("interrupted", INTERRUPTED)
    except DedupeError as error:
        return _fail(str(error), error.exit_code)
    except OSError as error:  # a file that is not ours, a full disk
        return _fail(f"{error.filename or 'a file'} cannot be used: {error.strerror}", DedupeError.exit_code)
    return code


def _run(words: list[str], environ: Mapping[str, str], load: Callable[[str], ModuleType]) -> int:
    if words[:1] == ["help"]:
        words = [*words[1:2], "--help"]
    if not words or words[0].startswith("-"):
        if top_parser().parse_args(words).version:
            print(PROGRAM, _version())
            return 0
        top_parser().print_help(sys.stderr)
        return USAGE
    name, *rest = words
    if name not in COMMANDS:
        return _fail(_unknown(name), USAGE)
    args = parser_of(name).parse_args(rest)
    args.environ = environ  # settings are read from this, not from os.environ
    return int(load(f"hook.commands.{_MODULES.get(name, name)}").run(args))


def parser_of(name: str) -> argparse.ArgumentParser:
    text = paragraphs(help_of(name))
    parser = argparse.ArgumentParser(f"{PROGRAM} {name}", description=text, formatter_class=_Help)
    getattr(options, name)(parser)
    return parser


def help_of(name: str) -> str:
    first, _, rest = (getattr(options, name).__doc__ or "").partition("\n")
    return f"{first}\n{textwrap.dedent(rest)}"


def top_parser() -> argparse.ArgumentParser:
    width = max(map(len, COMMANDS))
    lines = [hanging(f"  {name:<{width}}  {purpose}", width + 4) for name, purpose in COMMANDS.items()]
    advice = f"`{PROGRAM} help COMMAND` shows the options of a command."
    parser = argparse.ArgumentParser(
        PROGRAM,
        usage=f"{PROGRAM} COMMAND [OPTIONS]",
        description="Finds documents in Paperless-ngx that are nearly the same.",
        epilog="\n".join(["commands:", *lines, "", advice]),
        formatter_class=_Help,
    )
    parser.add_argument("-V", "--version", action="store_true", help="show the version and exit")
    return parser


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version  # slow to import

    try:
        return version(PROGRAM)
    except PackageNotFoundError:  # run from a source tree that is not installed
        return "(not installed)"


def _unknown(name: str) -> str:
    near = difflib.get_close_matches(name, COMMANDS, n=1)
    advice = f"did you mean `{near[0]}`?" if near else f"commands are {', '.join(COMMANDS)}"
    return f"{name!r} is not a command: {advice}"


def _fail(text: str, code: int) -> int:
    """One line, whatever the message contains; wrapped where a person reads it."""
    line = f"{PROGRAM}: {plain(text, MESSAGE_CHARACTERS)}"
    print(wrapped(line) if sys.stderr.isatty() else line, file=sys.stderr)
    return code


def _tolerate_narrow_streams() -> None:
    """A character in a title that the terminal cannot show must not end a run."""
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="backslashreplace")


def _drop_output() -> None:
    """The interpreter flushes again at exit, which would print another error."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
