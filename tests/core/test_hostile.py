"""Hostile text: whatever a PDF holds, reading it is cheap, bounded, and ends without an exception."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedupe_core.compare.view import Neighbourhood, view
from dedupe_core.fingerprint.fingerprint import fingerprint
from dedupe_core.judge.judge import classify
from dedupe_core.model import Document
from dedupe_core.policy import DEFAULT as POLICY
from dedupe_core.recipe import CLASSICAL, DEFAULT
from tests.core.core_kit import LETTER, verdict_on
from tests.core.hostile_work import TEXTS

CPU_S = 2.0
EXTRA_BYTES = 300_000_000
SMALLER = {name: make()[:20_000] for name, make in TEXTS.items() if "MB" not in name} | {
    "one line": "abcdefghij klmnop 12.03.2024 1.234,56 EUR " * 450,
    "one word": "abcdefghijklmnop" * 1200,
}


@pytest.fixture(scope="module")
def costs() -> dict[str, dict[str, float]]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.core.hostile_work"],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return {cost.pop("name"): cost for cost in map(json.loads, done.stdout.splitlines())}


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_reading_is_cheap_and_bounded(name: str, costs: dict[str, dict[str, float]]) -> None:
    """Reading and comparing take under 2 s of CPU each, and no more than 300 MB beside the text itself."""
    cost = costs[name]
    assert max(cost["read_s"], cost["judged_s"]) < CPU_S, cost
    assert cost["extra_bytes"] < EXTRA_BYTES, cost
    assert cost["keys"] < 200, cost


def test_comparing_any_two_is_cheap() -> None:
    views = [
        view(fingerprint(Document(number, text), DEFAULT)) for number, text in enumerate(SMALLER.values())
    ]
    around = Neighbourhood(views)
    slowest = 0.0
    for one in views:
        for other in views:
            if one.id < other.id:
                start = time.process_time()
                verdict = classify(one, other, around, POLICY)
                slowest = max(slowest, time.process_time() - start)
                assert 0 < verdict.confidence <= 1
    assert slowest < 0.5


@pytest.mark.parametrize("name", ["empty", "NULs", "marks piled on one letter", "punctuation", "emoji"])
def test_what_holds_no_text_is_told_to_nobody(name: str) -> None:
    """Not against a letter, and not against another of its kind."""
    assert not verdict_on(SMALLER[name], LETTER).flagged
    assert not verdict_on(SMALLER[name], SMALLER[name] + SMALLER[name][:50]).flagged


@given(st.text(st.characters() | st.sampled_from("\0\ud800\udfff\u0301\u0323\u202e\f1. ")))
def test_no_text_breaks_any_recipe(text: str) -> None:
    for recipe in (DEFAULT, CLASSICAL):
        assert fingerprint(Document(1, text), recipe).recipe_id == recipe.id
