"""Papers of a household that look alike: each has the relation that a person would give it; "" is another document."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.core.core_kit import verdict_on

PAIRS = [json.loads(line) for line in Path(__file__).with_name("household.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair["name"])
def test_the_core_gives_the_relation_of_a_person(pair: dict[str, str]) -> None:
    """In both directions."""
    texts = pair["first"], pair["second"]
    for subject, other in (texts, texts[::-1]):
        verdict = verdict_on(subject, other)
        assert (verdict.relation.value if verdict.flagged else "") == pair["relation"], verdict
