"""The loader of datasketch: its own MinHash, without the cost of the whole package, whatever its layout."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
SIGNED = """
import json, sys
import numpy as np
from dedupe_core.fingerprint.signature import signature
from dedupe_core.recipe import Recipe
values = signature(np.arange(600, dtype=np.uint32), Recipe(permutations=3, bands=1, rows=1)).tolist()
"""
# Stands in for datasketch: with a factor of 0 the values are its summands.
STAND_IN = """
import numpy as np
class MinHash:
    def __init__(self, num_perm, seed, scheme):
        assert (num_perm, seed, scheme) == (3, 1, "affine32")
        self.permutations = np.zeros(3, np.uint32), np.array([2, 600, 7], np.uint32)
"""


def run(code: str, first_on_path: Path = ROOT) -> Any:
    """What the code leaves in `answer`, in a process of its own."""
    ran = subprocess.run(
        [sys.executable, "-c", f"{code}\nprint(json.dumps(answer))"],
        env={"PYTHONPATH": f"{first_on_path}:{ROOT}"},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


def package(place: Path, **modules: str) -> Path:
    """Another datasketch, found before the installed one."""
    (place / "datasketch").mkdir()
    for name, code in modules.items():
        (place / "datasketch" / f"{name}.py").write_text(code, encoding="utf-8")
    return place


def test_a_signature_imports_neither_scipy_nor_the_rest_of_datasketch() -> None:
    """scipy alone takes longer to import than the hook takes for a document."""
    loaded = run(f"{SIGNED}\nanswer = sorted(sys.modules)")
    assert "numpy" in loaded
    assert [name for name in loaded if name.partition(".")[0] in ("scipy", "datasketch")] == []


@pytest.mark.parametrize(
    "modules",
    [
        {"__init__": STAND_IN},
        {"__init__": f"import datasketch.minhash{STAND_IN}", "minhash": "AnotherName = object"},
    ],
    ids=["no such module", "renamed"],
)
def test_another_layout_falls_back_to_the_plain_import(tmp_path: Path, modules: dict[str, str]) -> None:
    """A release that moves MinHash costs time, not the signatures."""
    assert run(f"{SIGNED}\nanswer = values", package(tmp_path, **modules)) == [2, 600, 7]
