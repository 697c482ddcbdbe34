"""Runs the user's own post-consume script after ours (DEDUPE_NEXT_SCRIPT), as Paperless would have run it."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

log = logging.getLogger(__name__)

NOT_EXECUTABLE: Final = 126  # what a shell answers for a command that it cannot run, or cannot find
NOT_FOUND: Final = 127


def run_next(script: Path, arguments: Sequence[str], environ: Mapping[str, str]) -> int:
    """Its exit code. It gets what Paperless gave us: arguments, environment, and where to print to.

    The environment holds Paperless's secrets; that is what a post-consume script gets from Paperless, too.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    try:
        code = subprocess.run([script, *arguments], env=environ, check=False).returncode
    except FileNotFoundError:
        log.warning(
            "DEDUPE_NEXT_SCRIPT: %s is not there, or the interpreter in its first line is not", script
        )
        return NOT_FOUND
    except OSError as error:
        log.warning("DEDUPE_NEXT_SCRIPT: %s cannot be run (%s)", script, error.strerror)
        return NOT_EXECUTABLE
    if code != 0:
        log.warning("DEDUPE_NEXT_SCRIPT: %s ended with %d", script, code)
    return code if code >= 0 else 128 - code  # a signal, as a shell reports it
