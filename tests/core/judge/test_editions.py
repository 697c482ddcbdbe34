"""Another edition under the same title, among the papers of others that use the same clauses."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dedupe_core.judge.editions import is_new_edition
from dedupe_core.model import Relation
from tests.core.core_kit import evidence_on, verdict_on

RULES = """Rules of the {club}
{edition}
1. Name. The club has its seat in Ely and is entered in the register of associations there.
2. Members. Anybody who can swim may become a member; the committee decides on a written application.
3. Fees. The fee is paid in {fees}, and whoever joins during the year pays the share that is left of it.
4. Committee. The committee is elected for {term} years and has {seats}. It stays in office until the next election.
5. End. If the club is dissolved, its boats and its money go to the town, which uses them for the young people of Ely.
"""
OLD = {"club": "Ely Rowing Club", "edition": "Version of 4 March 2019", "fees": "January", "term": "two", "seats": "a chair, a treasurer and a boatman"}  # fmt: skip
NEW = {**OLD, "edition": "Version of 17 November 2023", "fees": "two parts, in January and in July", "term": "four", "seats": "five members, who choose a chair among them"}  # fmt: skip
OTHERS = [
    RULES.format(**{**NEW, "club": f"{town} Rowing Club", "edition": f"Version of {day} May 2021"})
    for day, town in enumerate(("Soham", "March", "Wisbech", "Chatteris"), start=3)
]


def test_another_edition_under_the_same_title_is_a_revision() -> None:
    """Among the rules of other clubs, which have the same clauses."""
    verdict = verdict_on(RULES.format(**OLD), RULES.format(**NEW), *OTHERS)
    assert (verdict.relation, verdict.flagged) == (Relation.REVISION, True), verdict.reason


NO_NEW_EDITION = {
    "another club": {"club": "Bourne Rowing Club"},
    "another section": {"club": "Ely Rowing Club Juniors"},
    "no edition": {"edition": "Adopted by all members"},
    "the same edition": {"edition": OLD["edition"]},
}


@pytest.mark.parametrize("other", NO_NEW_EDITION.values(), ids=NO_NEW_EDITION)
def test_another_edition_needs_the_title_and_the_edition(other: dict[str, str]) -> None:
    old, new = RULES.format(**OLD), RULES.format(**{**NEW, **other})
    assert not is_new_edition(evidence_on(old, new, *OTHERS))
    assert not is_new_edition(evidence_on(new, old, *OTHERS))


def test_the_title_of_another_edition_may_be_misread() -> None:
    """A letter in five of a word."""
    scan = RULES.format(**{**NEW, "club": "Ely Rowihg C1ub"})
    assert is_new_edition(evidence_on(RULES.format(**OLD), scan, *OTHERS))


@pytest.mark.parametrize(
    "but",
    [{"coverage_high": 0.5}, {"in_order": 0.3}, {"references_conflict": 1.0}, {"certain_contacts": 1.0}],
)
def test_another_edition_is_mostly_the_same_text_with_the_same_numbers(but: dict[str, float]) -> None:
    found = evidence_on(RULES.format(**OLD), RULES.format(**NEW), *OTHERS)
    assert is_new_edition(found)
    assert not is_new_edition(replace(found, measures={**found.measures, **but}))
