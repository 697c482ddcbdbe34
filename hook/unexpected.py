"""Errors that nobody foresaw, in words that are safe to log."""

from __future__ import annotations

import traceback
from pathlib import Path


def described(error: BaseException) -> str:
    """What and where, but not the message: it can hold text of a document or a value of the environment."""
    if isinstance(error, ModuleNotFoundError):
        package = (error.name or "").partition(".")[0]
        return f"the module {package} is missing: install paperless-dedupe again"
    frames = traceback.extract_tb(error.__traceback__)
    place = f" in {Path(frames[-1].filename).name}, line {frames[-1].lineno}" if frames else ""
    return f"unexpected {type(error).__name__}{place}; please report this"
