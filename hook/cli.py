"""The command line: finds the command, imports its module alone, and turns what goes wrong into one line.

Exit codes: 0 done; 1 something else stopped it, or `check` found something to fix; 2 wrong usage or settings;
3 Paperless refused; 4 the index; 5 token or rights; 6 try again later; 130 interrupted; 141 nobody reads on.
"""

from __future__ import annotations

import argparse
import difflib
import importlib
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any, Final

from hook.errors import DedupeError

PROGRAM: Final = "paperless-dedupe"
# A command is a module of hook.commands with `add_arguments(parser)` and `run(args) -> int`. Its module is
# imported when it is chosen: what the others need would only make it start later.
COMMANDS: Final = {
    "setup": "create the tags, the link field and the saved view in Paperless",
    "check": "verify settings, token, rights, index and hook, and say what to fix",
    "backfill": "examine the documents that are in Paperless already; with --sync, what changed since",
    "pending": "list what waits for your decision",
    "groups": "show documents that belong together, and which one would be kept",
    "decisions": "export or import what you have decided",
    "undo": "take back what a decision has done to a document",
    "tune": "say how well the threshold fits your decisions, and propose a better one",
    "scan": "find look-alikes in a file of documents, without Paperless",
    "serve": "run the service: takes webhooks and the courier's posts, examines documents as they come",
    "queue": "list what waits to be examined and what was given up, and have it tried again",
    "find": "find the documents that overlap a given one, or a text that is not in Paperless yet",
    "explain": "say how two indexed documents relate, and why",
}
_MODULES: Final = {"check": "check.check"}  # a package of its own
USAGE: Final = 2
INTERRUPTED: Final = 130  # what a shell reports for a program that SIGINT or SIGPIPE ended
PIPE_CLOSED: Final = 141


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
        sys.stdout.flush()  # here, where a closed pipe is still understood
    except BrokenPipeError:
        _drop_output()
        return PIPE_CLOSED
    except KeyboardInterrupt:
        return _fail("interrupted", INTERRUPTED)
    except DedupeError as error:
        return _fail(str(error), error.exit_code)
    return code


def _run(words: list[str], environ: Mapping[str, str], load: Callable[[str], ModuleType]) -> int:
    if not words or words[0].startswith("-"):
        _top_parser().parse_args(words)
        _top_parser().print_help(sys.stderr)
        return USAGE
    name, *rest = words
    if name not in COMMANDS:
        return _fail(_unknown(name), USAGE)
    module = load(f"hook.commands.{_MODULES.get(name, name)}")
    parser = argparse.ArgumentParser(f"{PROGRAM} {name}", description=module.__doc__, formatter_class=_Help)
    module.add_arguments(parser)
    args = parser.parse_args(rest)
    args.environ = environ  # settings.py reads what it is given
    return int(module.run(args))


class _Help(argparse.RawDescriptionHelpFormatter):
    """The docstrings of commands are laid out by hand."""

    def __init__(self, prog: str, **options: Any) -> None:
        super().__init__(prog, max_help_position=28, **options)


def _top_parser() -> argparse.ArgumentParser:
    width = max(map(len, COMMANDS))
    lines = [f"  {name:<{width}}  {purpose}" for name, purpose in COMMANDS.items()]
    parser = argparse.ArgumentParser(
        PROGRAM,
        usage=f"{PROGRAM} COMMAND [OPTIONS]",
        description="Finds documents in Paperless-ngx that are nearly the same.",
        epilog="\n".join(["commands:", *lines, "", f"`{PROGRAM} COMMAND --help` says more."]),
        formatter_class=_Help,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="show the version and exit")
    return parser


class _Version(argparse.Action):
    """Reads the version when asked: that takes longer than everything else here."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from importlib.metadata import PackageNotFoundError, version

        try:
            found = version(PROGRAM)
        except PackageNotFoundError:  # run from a source tree that is not installed
            found = "(not installed)"
        print(PROGRAM, found)
        parser.exit()


def _unknown(name: str) -> str:
    near = difflib.get_close_matches(name, COMMANDS, n=1)
    advice = f"did you mean `{near[0]}`?" if near else f"there are {', '.join(COMMANDS)}"
    return f"{name!r} is no command: {advice}"


def _fail(text: str, code: int) -> int:
    """One line, whatever Paperless or the system put into the message."""
    print(f"{PROGRAM}: {' '.join(text.split())}", file=sys.stderr)
    return code


def _tolerate_narrow_streams() -> None:
    """A title with a letter that the terminal cannot show must not end a run."""
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="backslashreplace")


def _drop_output() -> None:
    """The interpreter flushes once more at exit: let that go nowhere instead of complaining."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
