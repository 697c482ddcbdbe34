"""What counts as overlap, and when more has to be read."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedupe_core.fingerprint.overlap import Overlap, estimated_overlap, is_whole, overlap
from dedupe_core.fingerprint.query import (
    Ask,
    answers,
    asked_share,
    is_hidden,
    is_short,
    may_answer,
)
from dedupe_core.recipe import DEFAULT as RECIPE
from tests.core.compare.parts_kit import pages, prose
from tests.core.core_kit import print_of


def test_the_passages_of_a_short_text_alone_could_miss_a_document() -> None:
    assert [is_short(print_of(prose(1, words)), 0.2) for words in (30, 1000)] == [True, False]
    assert not is_short(print_of(prose(1, 30)), 1.0)


def test_overlap_is_the_share_of_the_given_document() -> None:
    """A page of ten stands in the ten, a tenth of those stands on the page."""
    ten = [prose(seed, 200) for seed in range(10)]
    found = overlap(print_of(ten[3]), print_of(pages(*ten)), RECIPE)
    assert found.of_given > 0.98
    assert found.of_other == pytest.approx(0.1, abs=0.02)
    assert found.similarity == pytest.approx(0.1, abs=0.02)
    assert found.counted


@given(st.text(max_size=300), st.text(max_size=300))
def test_overlap_is_symmetric_and_within_bounds(one: str, other: str) -> None:
    a, b = print_of(one, 1), print_of(other, 2)
    there, back = overlap(a, b, RECIPE), overlap(b, a, RECIPE)
    assert (there.of_given, there.of_other, there.similarity) == (
        back.of_other,
        back.of_given,
        back.similarity,
    )
    assert 0 <= there.similarity <= min(there.of_given, there.of_other) <= 1


def test_the_estimate_of_a_long_text_is_near_the_count() -> None:
    """Also where a sample was cut off: the page is looked for among the smallest hashes only."""
    many = [prose(seed, 400) for seed in range(80)]
    whole, page = print_of(pages(*many), 1), print_of(pages(*many[40:44]), 2)
    assert not is_whole(whole)
    assert overlap(page, whole, RECIPE).of_given > 0.9
    cut = replace(whole, parts=np.frombuffer(whole.parts, np.uint32)[:500].tobytes())
    found = estimated_overlap(page, cut, replace(RECIPE, part_limit=500))
    assert found.of_given > 0.9
    assert found.of_other == pytest.approx(4 / 80, abs=0.03)


def test_each_question_has_its_own_share() -> None:
    part, whole = Overlap(0.9, 0.1, 0.1), Overlap(0.1, 0.9, 0.1)
    assert [answers(part, ask, 0.2) for ask in Ask] == [True, True, False, False]
    assert [answers(whole, ask, 0.2) for ask in Ask] == [False, False, True, False]
    assert asked_share(Overlap(0.5, 0.4, 0.3), Ask.SIMILAR) == 0.3


def test_an_estimate_rules_out_only_what_is_far_off() -> None:
    assert not may_answer(Overlap(0.0, 0.0, 0.0), (400, 400), Ask.OVERLAPPING, 0.5)
    assert may_answer(Overlap(0.45, 0.0, 0.0), (400, 400), Ask.OVERLAPPING, 0.5)
    assert may_answer(Overlap(0.0, 0.0, 0.0), (5, 400), Ask.OVERLAPPING, 0.5)


def test_frequent_passages_alone_can_hide_a_document() -> None:
    """Their keys are kept for the newest documents only, so that then every document is looked at."""
    assert is_hidden(4, 20, 0.2)
    assert not is_hidden(2, 20, 0.2)
    assert not is_hidden(0, 0, 0.2)
