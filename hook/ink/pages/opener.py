"""Opens one file in a process of its own: words with boxes and grey pages to whoever started it.

It limits itself before it reads a byte: memory, CPU time, no new file and no socket, no child; it ends with its parent.
PDFium is built without JavaScript, and forms are never initialised. Protocol: a line of JSON {"size"} and the file;
the answer is a line of JSON with pages and words, or {"error"}. Then {"page", "dpi"} gives {"width", "height", "stride",
"scale", "size"} and the pixels.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import sys
from collections.abc import Callable
from typing import IO, Any

from hook.ink.pages import limits

_DEATH_SIGNAL = 1  # prctl's PR_SET_PDEATHSIG


class Refused(Exception):
    """The file cannot be looked at; the message is one of `paper.Reason`."""


def limit_itself() -> None:
    """Called when everything is imported: from here on no file or socket can be opened."""
    for kind, most in (
        (resource.RLIMIT_AS, limits.MEMORY_BYTES),
        (resource.RLIMIT_CPU, limits.CPU_SECONDS),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NPROC, 0),
        (resource.RLIMIT_NOFILE, 3),
    ):
        resource.setrlimit(kind, (most, most))


def end_with_parent(parent: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:  # it ended before the line above
        os._exit(1)


def serve(source: IO[bytes], out: IO[bytes], opener: Callable[[bytes], Any]) -> None:
    data = source.read(json.loads(source.readline())["size"])
    try:
        opened = opener(data)
        _answer(out, {"pages": opened.pages(), "count": opened.count})
    except (Refused, MemoryError) as error:
        _answer(out, {"error": str(error) or "too large"})
        return
    for line in iter(source.readline, b""):
        asked = json.loads(line)
        try:
            shape, pixels = opened.grey(asked["page"], asked["dpi"])
        except (Refused, MemoryError) as error:
            _answer(out, {"error": str(error) or "too large"})
            continue
        _answer(out, {**shape, "size": len(pixels)}, pixels)


def _answer(out: IO[bytes], head: dict[str, Any], block: bytes = b"") -> None:
    out.write(json.dumps(head).encode("ascii") + b"\n")
    out.write(block)
    out.flush()


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent(int(sys.argv[1]))
    sys.stderr.close()  # what a library says of a broken file may quote it
    if sys.argv[2] == "pdf":
        from hook.ink.pages.pdf import Pdf as Opened
    else:
        from hook.ink.pages.image import Images as Opened  # type: ignore[assignment]  # the same two methods
    limit_itself()
    serve(sys.stdin.buffer, sys.stdout.buffer, Opened)


if __name__ == "__main__":
    main()
