"""Python in a process of its own, where what it imports, or how it ends, is what is tested."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]


def python(
    *words: str | Path, environ: Mapping[str, str] | None = None, stdin: str | None = None
) -> subprocess.CompletedProcess[str]:
    """In our source tree; with the environment of the tests if no other is given."""
    return subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env=environ,
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        timeout=180,
    )
