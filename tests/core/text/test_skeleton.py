"""The skeleton: letters and digits only, those that scanners confuse made one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedupe_core.text.normalise import normalise
from dedupe_core.text.skeleton import CONFUSED, skeleton_codes


def skeleton(text: str) -> str:
    return "".join(map(chr, skeleton_codes(text).tolist()))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rechnung 2018", "rechnungzoib"),
        ("a-b.c,d/e_f", "abcdef"),
        ("käse, crème brûlée", "kasecremebruiee"),
        ("ø æ ð", "øæð"),
        ("发票 号码。", "发票号码"),
        ("שלום\u202e عالم", "שלוםعالم"),
        ("re\u0301sume\u0301\u200b", "resume"),
        ("…—“”€", ""),
        ("\ud800a\udfff", "a"),
        ("\0 \f\n", ""),
        ("", ""),
    ],
)
def test_what_is_left(text: str, expected: str) -> None:
    """Marks, punctuation, symbols, space and lone surrogates are gone; other scripts stand for themselves."""
    assert skeleton(normalise(text)) == expected


@pytest.mark.parametrize("group", CONFUSED)
def test_confused_characters_are_one(group: str) -> None:
    assert len({skeleton(character) for character in group}) == 1


@given(st.text(), st.text())
def test_space_and_punctuation_between_make_no_difference(one: str, other: str) -> None:
    """Torn and glued words, specks and lost full stops leave the skeleton alone."""
    assert skeleton(f"{one} .,-\n{other}") == skeleton(one) + skeleton(other)


@given(st.text())
def test_the_skeleton_of_a_normalised_text_is_its_own(text: str) -> None:
    once = skeleton(normalise(text))
    assert skeleton(once) == once
