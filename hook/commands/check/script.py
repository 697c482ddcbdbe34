"""Can Paperless run the hook? What PAPERLESS_POST_CONSUME_SCRIPT names, looked at as the system would."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from hook.commands.check.diagnosis import Line, fail, ok, warn

VARIABLE: Final = "PAPERLESS_POST_CONSUME_SCRIPT"
NEXT_VARIABLE: Final = "DEDUPE_NEXT_SCRIPT"
HEAD_BYTES: Final = 65_536
# Each of these makes Paperless report the consumption as failed, although the document is stored.
_NO_SHEBANG: Final = "Its first line must be #!/bin/sh or another interpreter (else: Exec format error)."
_CRLF: Final = "Save it with Unix line ends, for example with `sed -i 's/\\r$//'` (else: No such file)."


def script_lines(environ: Mapping[str, str], *, is_needed: bool = True) -> list[Line]:
    """What is wrong with the script, or that nothing is. It is not needed where webhooks tell the service."""
    value = environ.get(VARIABLE, "").strip()
    if not value and not is_needed:
        return []
    if not value:
        text = f"{VARIABLE} is not set here, so the hook could not be looked at"
        advice = (
            "Run this where Paperless runs (`docker compose exec webserver paperless-dedupe check`); there, "
            f"{VARIABLE} must be the full path of scripts/post-consume.sh, or of courier.py if you run the service."
        )
        return [warn("hook", text, advice)]
    script = Path(value)
    return _faults("hook", VARIABLE, script, environ) or [_whose(script)]


def next_script_lines(script: Path, environ: Mapping[str, str]) -> list[Line]:
    """The script that our hook runs after itself."""
    return _faults("next-script", NEXT_VARIABLE, script, environ) or [
        ok("next-script", f"{NEXT_VARIABLE} is {script}: can be run")
    ]


def _faults(name: str, variable: str, script: Path, environ: Mapping[str, str]) -> list[Line]:
    try:
        head = _head(script)
    except OSError as error:
        advice = f"Correct {variable}, or mount the directory of the script into the container."
        return [fail(name, f"{variable}: {script} cannot be read ({error.strerror})", advice)]
    if not script.is_absolute():
        advice = "Write the full path: Paperless looks from its own directory."
        return [fail(name, f"{variable}: {script} is no full path", advice)]
    found = {}
    if not os.access(script, os.X_OK):
        found["is not executable"] = f"`chmod 755 {script}`; a noexec mount has the same effect."
    first_line, _, _ = head.partition(b"\n")
    if b"\r\n" in head:
        found["has Windows line ends"] = _CRLF
    elif not first_line.startswith(b"#!"):
        found["has no #! line"] = _NO_SHEBANG
    elif missing := _missing_interpreter(first_line, environ.get("PATH", os.defpath)):
        found[f"asks for {missing}, which is not there"] = "Correct its first line."
    return [fail(name, f"{script} {fault}", advice) for fault, advice in found.items()]


def _head(script: Path) -> bytes:
    with script.open("rb") as file:
        return file.read(HEAD_BYTES)


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


def _whose(script: Path) -> Line:
    head = _head(script)
    if b"dedupe" in head or b"post_consume" in head:
        return ok("hook", f"{VARIABLE} is {script}: executable, Unix line ends, interpreter found")
    advice = (
        f"If it is another script of yours, set {VARIABLE} to scripts/post-consume.sh and name yours in "
        f"{NEXT_VARIABLE}."
    )
    return warn("hook", f"{script} can be run, but does not mention us", advice)
