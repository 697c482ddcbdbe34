"""Parts of a whole, and what only looks like one: boilerplate must not make siblings "contained"."""

from __future__ import annotations

import pytest

from dedupe_core.explain.words import reason
from dedupe_core.model import Relation
from tests.core.compare.parts_kit import pages, prose
from tests.core.core_kit import LETTER, NEXT_LETTER, verdict_on
from tests.corpus.noise import scanned

TERMS = prose(9, 320)


def test_a_page_of_prose_is_part_of_its_bundle() -> None:
    """Without a date or a number: its passages stand there, and nowhere else."""
    bundle = pages(*(prose(seed, 220) for seed in range(6)))
    verdict = verdict_on(prose(4, 220), bundle)
    assert (verdict.relation, verdict.flagged, verdict.direction) == (Relation.CONTAINED, True, -1)
    assert reason(verdict.statements).startswith("#1 is page 5 of #2: ")


def test_the_whole_knows_its_part() -> None:
    """The same pair, asked about the other way round."""
    verdict = verdict_on(pages(*(prose(seed, 220) for seed in range(6))), prose(4, 220))
    assert (verdict.relation, verdict.direction) == (Relation.CONTAINED, 1)
    assert reason(verdict.statements).startswith("#2 is page 5 of #1: ")


@pytest.mark.parametrize("noise", ["light", "medium"])
def test_a_form_in_the_middle_of_a_long_manual(noise: str) -> None:
    """Of which the index keeps 20 pages: the sampled passages decide."""
    form = f"{LETTER}\n{prose(70, 200)}"
    manual = [prose(1000 + number, 330) for number in range(100)]
    manual[50] = form
    verdict = verdict_on(scanned(form, noise, 3), pages(*manual))
    assert verdict.relation is Relation.CONTAINED
    assert verdict.flagged
    assert reason(verdict.statements).startswith("#1 is part of #2: ")


def test_terms_on_the_back_of_two_bills_do_not_make_one_part_of_the_other() -> None:
    """Most of both is the same small print; the one has a page of items more."""
    long_bill = f"{NEXT_LETTER}\n{prose(71, 500)}\n{TERMS}"
    others = [f"{prose(80 + number, 60)}\n{TERMS}" for number in range(6)]
    assert not verdict_on(f"{LETTER}\n{TERMS}", long_bill, *others).flagged
    assert not verdict_on(f"{LETTER}\n{TERMS}", long_bill).flagged


def test_terms_that_stand_in_a_long_folder_do_not_make_a_bill_part_of_it() -> None:
    """The folder has the terms, and so have other bills: nothing of the bill's own stands there."""
    folder = [prose(1000 + number, 330) for number in range(100)]
    folder[50] = TERMS
    others = [f"{prose(80 + number, 60)}\n{TERMS}" for number in range(6)]
    assert not verdict_on(f"{LETTER}\n{TERMS}", pages(*folder), *others).flagged
