"""Checks whether Paperless can run the script that PAPERLESS_POST_CONSUME_SCRIPT names."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from hook.commands.check.line import Line, fail, ok, warn

VARIABLE: Final = "PAPERLESS_POST_CONSUME_SCRIPT"
NEXT_VARIABLE: Final = "DEDUPE_NEXT_SCRIPT"
HEAD_BYTES: Final = 65_536
WHERE: Final = "Run `check` where Paperless runs, with its environment."
# With any of these, Paperless reports the consumption as failed, although the document is stored.
_NO_SHEBANG: Final = (
    "Its first line must name an interpreter, as #!/bin/sh does (otherwise: Exec format error)."
)
_CRLF: Final = (
    "Convert it to Unix line endings, for example with `sed -i 's/\\r$//'` (otherwise: No such file)."
)


def script_lines(environ: Mapping[str, str], *, is_needed: bool = True) -> list[Line]:
    """The script's problems, or that it has none. It is not needed if webhooks notify the service."""
    if value := environ.get(VARIABLE, "").strip():
        return _problems("hook", VARIABLE, Path(value), environ) or [_ownership(Path(value))]
    text = f"{VARIABLE} is not set here, so the hook cannot be checked"
    advice = f"{WHERE} There, {VARIABLE} must be the full path of paperless-dedupe-hook or scripts/post-consume.sh, or of forward.sh if you run the service."
    return [warn("hook", text, advice)] if is_needed else []


def next_script_lines(script: Path, environ: Mapping[str, str]) -> list[Line]:
    """The same for the script that our hook runs afterwards."""
    sound = ok("next-script", f"{NEXT_VARIABLE} is {script}: executable")
    return _problems("next-script", NEXT_VARIABLE, script, environ) or [sound]


def _problems(name: str, variable: str, script: Path, environ: Mapping[str, str]) -> list[Line]:
    try:
        head = _head(script)
    except OSError as error:
        advice = f"Correct {variable}, or mount the script's directory into the container."
        return [fail(name, f"{variable}: {script} cannot be read ({error.strerror})", advice)]
    if not script.is_absolute():
        advice = "Use the full path: a relative one is resolved from Paperless's own directory."
        return [fail(name, f"{variable}: {script} is not a full path", advice)]
    problems = {}
    if not os.access(script, os.X_OK):
        problems["is not executable"] = f"`chmod 755 {script}`; a noexec mount has the same effect."
    first_line, _, _ = head.partition(b"\n")
    if b"\r\n" in head:
        problems["has Windows line endings"] = _CRLF
    elif not first_line.startswith(b"#!"):
        problems["has no #! line"] = _NO_SHEBANG
    elif missing := _missing_interpreter(first_line, environ.get("PATH", os.defpath)):
        problems[f"needs {missing}, which does not exist"] = "Correct its first line."
    return [fail(name, f"{script} {problem}", advice) for problem, advice in problems.items()]


def _head(script: Path) -> bytes:
    with script.open("rb") as file:
        return file.read(HEAD_BYTES)


def _missing_interpreter(first_line: bytes, search: str) -> str:
    """The program of the #! line if it cannot be run; after `env`, the program that env would look for."""
    words = first_line[2:].decode(errors="replace").split()
    if not words:
        return "an interpreter"
    if not os.access(words[0], os.X_OK):
        return words[0]
    wanted = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
    if Path(words[0]).name == "env" and wanted and shutil.which(wanted[0], path=search) is None:
        return wanted[0]
    return ""


def _ownership(script: Path) -> Line:
    head = _head(script)
    if b"dedupe" in head or b"post_consume" in head:
        return ok("hook", f"{VARIABLE} is {script}: executable, Unix line endings, interpreter found")
    advice = f"If it is a script of your own, set {VARIABLE} to scripts/post-consume.sh and {NEXT_VARIABLE} to yours."
    return warn("hook", f"{script} can be run, but does not run paperless-dedupe", advice)
