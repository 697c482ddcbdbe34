"""Can Paperless run the hook? What PAPERLESS_POST_CONSUME_SCRIPT names, looked at as the system would."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from hook.diagnosis import Line, fail, ok, warn

VARIABLE: Final = "PAPERLESS_POST_CONSUME_SCRIPT"
NAME: Final = "hook"
HEAD_BYTES: Final = 65_536
# Each of these makes Paperless report the consumption as failed, although the document is stored.
_NO_SHEBANG: Final = "Its first line must be #!/bin/sh or another interpreter (else: Exec format error)."
_CRLF: Final = "Save it with Unix line ends, for example with `sed -i 's/\\r$//'` (else: No such file)."


def script_lines(environ: Mapping[str, str]) -> list[Line]:
    """What is wrong with the script, or that nothing is."""
    value = environ.get(VARIABLE, "").strip()
    if not value:
        return [
            warn(
                NAME,
                f"{VARIABLE} is not set here, so the hook could not be looked at",
                "Run this where Paperless runs (`docker compose exec webserver paperless-dedupe check`); "
                f"there, {VARIABLE} must be the full path of scripts/post-consume.sh.",
            )
        ]
    return _lines(Path(value), environ.get("PATH", os.defpath))


def _lines(script: Path, search: str) -> list[Line]:
    try:
        with script.open("rb") as file:
            head = file.read(HEAD_BYTES)
    except OSError as error:
        where = f"Correct {VARIABLE}, or mount the directory of the script into the container."
        return [fail(NAME, f"{VARIABLE}: {script} cannot be read ({error.strerror})", where)]
    if not script.is_absolute():
        advice = "Write the full path: Paperless looks from its own directory."
        return [fail(NAME, f"{VARIABLE}: {script} is no full path", advice)]
    return _problems(script, head, search) or [_whose(script, head)]


def _problems(script: Path, head: bytes, search: str) -> list[Line]:
    first_line, _, _ = head.partition(b"\n")
    found = []
    if not os.access(script, os.X_OK):
        found.append(
            fail(
                NAME,
                f"{script} is not executable",
                f"`chmod 755 {script}`; a noexec mount has the same effect.",
            )
        )
    if b"\r\n" in head:
        found.append(fail(NAME, f"{script} has Windows line ends", _CRLF))
    elif not first_line.startswith(b"#!"):
        found.append(fail(NAME, f"{script} has no #! line", _NO_SHEBANG))
    elif missing := _missing_interpreter(first_line, search):
        found.append(
            fail(NAME, f"{script} asks for {missing}, which is not there", "Correct its first line.")
        )
    return found


def _missing_interpreter(first_line: bytes, search: str) -> str:
    """The program of the #! line if it cannot be run; with `env`, the program that env would look for."""
    words = first_line[2:].decode(errors="replace").split()
    if not words:
        return "no program"
    if not os.access(words[0], os.X_OK):
        return words[0]
    wanted = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
    if Path(words[0]).name == "env" and wanted and shutil.which(wanted[0], path=search) is None:
        return wanted[0]
    return ""


def _whose(script: Path, head: bytes) -> Line:
    if b"dedupe" in head or b"post_consume" in head:
        return ok(NAME, f"{VARIABLE} is {script}: executable, Unix line ends, interpreter found")
    return warn(
        NAME,
        f"{script} can be run, but does not mention us",
        f"If it is another script of yours, set {VARIABLE} to scripts/post-consume.sh and name yours in "
        "DEDUPE_NEXT_SCRIPT.",
    )
