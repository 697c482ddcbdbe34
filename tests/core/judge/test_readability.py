"""Which of two readings of one paper is the better one."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from dedupe_core.judge.readability import readability
from tests.live.texts import Texts

LETTER = Texts(7).letter()


def test_the_misread_one_is_the_worse_one() -> None:
    """However much of it was misread."""
    for errors in (0.01, 0.03, 0.08):
        assert readability(LETTER, Texts(8).scanned_again(LETTER, errors=errors)) > 0


def test_printed_numbers_and_signs_are_no_dirt() -> None:
    """Postcodes, IBANs and paragraphs are in both readings: the one that lost a few letters is the worse one."""
    printed = LETTER + "\nIBAN DE89 3704 0044 0532 0130 00\n§ 12 Abs. 3 | D-50667 Köln | A4-7F\n"
    worse = printed.replace("sincerely", "sinccrely").replace("the", "tbe", 2)
    assert readability(printed, worse) > 0


def test_two_equal_readings_cannot_be_told_apart() -> None:
    assert readability(LETTER, LETTER) == 0
    assert readability("", "") == 0
    assert readability("", LETTER) < 0


@given(st.integers(0, 99), st.sampled_from([0.0, 0.02, 0.1]), st.sampled_from([0.0, 0.02, 0.1]))
def test_the_other_way_round_it_is_the_opposite(seed: int, left: float, right: float) -> None:
    chance = random.Random(seed)
    one = Texts(chance.randrange(99)).scanned_again(LETTER, errors=left)
    two = Texts(chance.randrange(99)).scanned_again(LETTER, errors=right)
    assert abs(readability(one, two) + readability(two, one)) < 0.01
