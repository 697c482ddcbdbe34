"""Options that several commands have, under the same names, and the types of their values."""

from __future__ import annotations

import argparse
from datetime import date
from pathlib import Path
from typing import Final

OBJECT: Final = "print one JSON object, see above"
LINES: Final = "print one JSON object a line, see above"


def add_json(parser: argparse.ArgumentParser | argparse._MutuallyExclusiveGroup, text: str = OBJECT) -> None:
    parser.add_argument("--json", action="store_true", help=text)


def add_quiet(parser: argparse.ArgumentParser, text: str = "print errors only") -> None:
    parser.add_argument("-q", "--quiet", action="store_true", help=text)


def add_verbose(parser: argparse.ArgumentParser, text: str) -> None:
    parser.add_argument("-v", "--verbose", action="store_true", help=text)


def add_dry_run(parser: argparse.ArgumentParser, text: str) -> None:
    parser.add_argument("-n", "--dry-run", action="store_true", help=text)


def add_index(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--index", metavar="DIR", type=Path, help="the index to use (default: that of the settings)"
    )


def add_jobs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--jobs",
        type=positive,
        metavar="N",
        help="worker processes (default: one for each core); 1 for none",
    )


def positive(text: str) -> int:
    if not text.isdecimal() or (number := int(text)) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return number


def iso_date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a date like 2025-01-31") from None
