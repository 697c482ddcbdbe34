"""Papers of a household that look alike: each has the relation that a person would give it."""

from __future__ import annotations

import pytest

from tests.core.core_kit import verdict_on
from tests.e2e.household_papers import PAIRS

NAMES = [name for name, *_ in PAIRS]


@pytest.mark.parametrize(("first", "second", "relation"), [pair[1:] for pair in PAIRS], ids=NAMES)
def test_the_core_gives_the_relation_of_a_person(first: str, second: str, relation: str) -> None:
    """In both directions."""
    for one, other in ((first, second), (second, first)):
        verdict = verdict_on(one, other)
        assert (verdict.relation.value if verdict.flagged else "") == relation, verdict
