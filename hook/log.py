"""The log of the hook, and text from outside made safe for one line of a log, a table or a note.

Paperless copies stdout into its log as INFO and stderr as WARNING. A file is optional.
"""

from __future__ import annotations

import logging
import sys
import unicodedata
from pathlib import Path
from typing import Final, TextIO

LINE_CHARACTERS: Final = 1000
TITLE_CHARACTERS: Final = 80  # of a title that is quoted in a note
_TIMED: Final = "[%(asctime)s] [%(levelname)s] %(message)s"  # as Paperless's own lines
_NAME: Final = "hook"  # our own loggers only: those of httpx log whole URLs


def plain(text: str, limit: int = LINE_CHARACTERS) -> str:
    """One line of bounded length, without control characters, invisible characters or direction marks."""
    shown = "".join(map(_shown, text[: 4 * limit]))
    line = " ".join(shown.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def _shown(character: str) -> str:
    category = unicodedata.category(character)
    if category == "Cf":
        return ""  # zero-width and direction marks
    return " " if category[0] == "C" or category in ("Zl", "Zp") else character


class _OneLine(logging.Formatter):
    """Each message is one line of bounded length, and never shows the message of an exception."""

    def format(self, record: logging.LogRecord) -> str:
        record.exc_info = record.exc_text = record.stack_info = None
        record.msg, record.args = plain(record.getMessage()), None
        return super().format(record)


def set_up(
    level: str = "INFO",
    file: Path | None = None,
    *,
    timed: bool = False,
    out: TextIO | None = None,
    err: TextIO | None = None,
) -> logging.Logger:
    """Calling it again replaces the previous configuration. `timed`: nobody else adds the time, as Paperless does to our lines."""
    logger = logging.getLogger(_NAME)
    logger.setLevel(level)
    logger.propagate = False
    close(logger)
    logging.raiseExceptions = False  # a broken pipe or a full disk: there is nowhere left to report it
    results, warnings = (logging.StreamHandler(stream) for stream in (out or sys.stdout, err or sys.stderr))
    results.addFilter(lambda record: record.levelno < logging.WARNING)
    warnings.setLevel(logging.WARNING)
    for handler in (results, warnings):
        handler.setFormatter(_OneLine(_TIMED if timed else "%(message)s"))
        logger.addHandler(handler)
    if file is not None:
        _add_file(logger, file)
    return logger


def close(logger: logging.Logger) -> None:
    for handler in list(logger.handlers):
        logger.removeHandler(handler)
        handler.close()


def _add_file(logger: logging.Logger, file: Path) -> None:
    try:
        handler = logging.FileHandler(file, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        logger.warning("DEDUPE_LOG_FILE: %s cannot be written (%s)", file, error.strerror)
        return
    handler.setFormatter(_OneLine("%(asctime)s %(levelname)s [%(process)d] %(message)s"))
    logger.addHandler(handler)
