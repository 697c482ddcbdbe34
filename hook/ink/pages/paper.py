"""A file as paper: pages with words, and pixels on demand, from a process that is killed at its deadline.

Whatever is wrong with the file, `CannotLook` says it in one word; nothing else is raised.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from dedupe_core.explain.say import message
from hook.errors import DedupeError
from hook.ink.pages import limits
from hook.ink.pages.page import Box, Page, Pixels, Word

_HOME: Final = str(Path(__file__).resolve().parents[3])
# -P: nothing is imported from the directory that the service was started in.
_START: Final = (
    "import sys; sys.path.insert(0, sys.argv.pop(1)); from hook.ink.pages.opener import main; main()"
)


class Reason(StrEnum):
    DAMAGED = message("damaged")
    ENCRYPTED = message("encrypted")
    TOO_LARGE = message("too large")
    TOO_SLOW = message("takes too long")
    NO_PAGES = message("no pages")
    NO_TEXT = message("no text layer")
    NOT_A_PAGE = message("neither a PDF nor an image")
    NOT_FETCHED = message("the file could not be fetched")


class CannotLook(DedupeError):
    """The pages cannot be compared; the verdict of the texts stays as it is."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(f"cannot look at the page: {reason}")
        self.reason = reason


def kind_of(data: bytes) -> str:
    """By its first bytes: Paperless's MIME type is that of the original, not of the archive version."""
    if b"%PDF-" in data[:1024]:
        return "pdf"
    starts = (b"\x89PNG", b"\xff\xd8\xff", b"II*\0", b"MM\0*", b"RIFF", b"GIF8", b"BM")
    if data.startswith(starts):
        return "image"
    raise CannotLook(Reason.NOT_A_PAGE)


class Paper:
    """A context manager: the process ends with it."""

    def __init__(self, data: bytes, *, seconds: float = limits.SECONDS) -> None:
        if len(data) > limits.FILE_BYTES:
            raise CannotLook(Reason.TOO_LARGE)
        kind = kind_of(data)
        self._is_late = False
        self._pixels: dict[int, Pixels] = {}
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", _START, _HOME, str(os.getpid()), kind],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={"PATH": os.environ.get("PATH", os.defpath)},  # no token, no password of Paperless
        )
        self._timer = threading.Timer(seconds, self._expire)
        self._timer.daemon = True
        self._timer.start()
        try:
            head = self._ask({"size": len(data)}, data)
            self.pages = _pages(head)
            self.count = int(head["count"])
        except BaseException:
            self.close()
            raise

    def _expire(self) -> None:
        self._is_late = True
        self._process.kill()

    def __enter__(self) -> Paper:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        self._timer.cancel()
        self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):  # what was left to write
                if pipe is not None:
                    pipe.close()
        self._process.wait()

    def pixels(self, number: int, dpi: float = limits.DPI) -> Pixels:
        """The page in grey; rendered once."""
        if number not in self._pixels:
            if len(self._pixels) >= limits.RENDERED_PAGES:
                raise CannotLook(Reason.TOO_LARGE)
            head = self._ask({"page": number, "dpi": dpi})
            self._pixels[number] = self._received(head)
        return self._pixels[number]

    def _received(self, head: dict[str, Any]) -> Pixels:
        """The process may be in the hands of the file: its numbers are checked."""
        size, width, height, stride = (int(head[name]) for name in ("size", "width", "height", "stride"))
        is_sound = 0 < width <= stride and height > 0 and size == stride * height <= 2 * limits.PAGE_PIXELS
        assert self._process.stdout is not None
        data = self._process.stdout.read(size) if is_sound else b""
        if not is_sound or len(data) != size:
            raise self._failed()
        return Pixels(width, height, stride, float(head["scale"]), data)

    def _ask(self, question: dict[str, Any], block: bytes = b"") -> dict[str, Any]:
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(question).encode("ascii") + b"\n" + block)
            self._process.stdin.flush()
            line = self._process.stdout.readline(limits.ANSWER_BYTES)
            head = json.loads(line)
        except (OSError, ValueError) as error:
            raise self._failed() from error
        if "error" in head:
            raise CannotLook(Reason(head["error"]) if head["error"] in list(Reason) else Reason.DAMAGED)
        return dict(head)

    def _failed(self) -> CannotLook:
        """Killed by the deadline, by its own limits, or by the file."""
        self._process.kill()
        return CannotLook(Reason.TOO_SLOW if self._is_late else Reason.DAMAGED)


def _pages(head: dict[str, Any]) -> tuple[Page, ...]:
    try:
        return tuple(
            Page(
                float(page["width"]),
                float(page["height"]),
                tuple(Word(str(text), Box(*map(float, box))) for text, *box in page["words"]),
            )
            for page in head["pages"][: limits.PAGES]
        )
    except (KeyError, TypeError, ValueError) as error:
        raise CannotLook(Reason.DAMAGED) from error
