"""A short run of scripts/drills/kills.py: everything that it disturbs comes to the same result as an undisturbed run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_a_short_drill() -> None:
    """Nothing is lost, doubled or unrecoverable; each part has done something."""
    sizes = ["--kills", "10", "--flips", "3", "--events", "30", "--seconds", "600"]
    done = subprocess.run(
        [sys.executable, "-m", "scripts.drills", "kills", *sizes],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    rows = [line.split("|") for line in done.stdout.splitlines()[2:]]
    assert len(rows) == 6
    assert all(int(row[2].split()[0]) > 0 for row in rows)
    assert all(cell.strip() == "0" for row in rows for cell in row[3:6])
