"""Papers of a household that look alike, through the hook: each has the relation that a person would give it."""

from __future__ import annotations

import pytest

from tests.core.core_kit import verdict_on
from tests.e2e.hook_kit import Hooked
from tests.e2e.household_papers import PAIRS
from tests.e2e.test_parts import consume

NAMES = [name for name, *_ in PAIRS]


@pytest.mark.parametrize(("first", "second", "relation"), [pair[1:] for pair in PAIRS], ids=NAMES)
def test_the_core_gives_the_relation_of_a_person(first: str, second: str, relation: str) -> None:
    """In both directions."""
    for one, other in ((first, second), (second, first)):
        verdict = verdict_on(one, other)
        assert (verdict.relation.value if verdict.flagged else "") == relation, verdict


@pytest.mark.parametrize(("first", "second", "relation"), [pair[1:] for pair in PAIRS], ids=NAMES)
def test_the_hook_marks_what_a_person_would_mark(
    hooked: Hooked, first: str, second: str, relation: str
) -> None:
    """Between papers of other kinds; another document of the same form gets no tag, no note and no link."""
    for number, (_, unrelated, _, _) in enumerate(PAIRS):
        if unrelated != first:
            consume(hooked, unrelated, f"other {number}")
    consume(hooked, first, "first")
    document = hooked.fake.document(consume(hooked, second, "second"))
    tags = {tag for tag in document.tags if tag.startswith("dedupe:")}
    assert tags == ({f"dedupe:{relation}", "dedupe:review"} if relation else set())
    assert len(document.notes) == bool(relation)
