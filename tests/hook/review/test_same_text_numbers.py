"""Where the limits of the comparison before the trash are: what is just beyond one is a difference, and a person decides."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from hook.ink.pages.paper import CannotLook
from hook.paperless.values import RawDocument
from hook.review.merge_rules import same_print
from hook.review.same_text.differences import TooLongError, text_differences
from tests.hook.review.test_same_text import refused

LONG = "a" * 90 + "rn" + "b" * 88  # 180 characters
BEYOND = {
    "four letters in capitals": ("Euro", "EURO"),
    "a digit in three letters": ("von", "v0n"),
    "four letters say too little": ("Dear", "Dcar"),
    "six letters say too little without a word that nobody writes": ("martes", "rnartes"),
    "neither of the two is clearly a word": ("Herrn", "Hcrrn"),
    "eight digits in groups": ("12345678", "1234 5678"),
}
WITHIN = {
    "a letter of ten": ("Abrechnung", "Abrcchnung"),
    "two letters for one": ("Temperatur", "Ternperatur"),
    "ten digits in groups": ("1234567890", "12345 67890"),
    "ten pieces": ("Abrechnung", "A b r e c h n u n g"),
    "a word of 180 characters": (LONG, LONG.replace("rn", "m")),
}


@pytest.mark.parametrize(("one", "other"), BEYOND.values(), ids=BEYOND)
def test_just_beyond_a_limit_it_is_a_difference(one: str, other: str) -> None:
    assert refused(f"the {one} here", f"the {other} here")
    assert refused(f"the {other} here", f"the {one} here")


@pytest.mark.parametrize(("one", "other"), WITHIN.values(), ids=WITHIN)
def test_within_the_limit_it_is_a_misreading(one: str, other: str) -> None:
    assert refused(f"the {one} here", f"the {other} here") == ""


def test_a_text_of_120_dense_pages_is_compared() -> None:
    """60,000 words, and not one more."""
    words = "a b c d e f " * 9_999
    assert len(text_differences(words + "x", words + "y")) == 1
    with pytest.raises(TooLongError):
        text_differences(words + "a b c d e f x", words + "y")


def test_a_note_lists_six_differences_and_60_characters_of_each() -> None:
    words = [f"one{'xyz'[n % 3] * (n + 1)}" for n in range(8)]
    said = refused(" . ".join(f"the {word} here" for word in words), " . ".join(["the other here"] * 8))
    assert said.count(" in #1, ") == 6
    assert "and 2 more" in said
    assert f'"{"x" * 59}…"' in refused("x" * 80, "other")


@pytest.mark.parametrize(("left_s", "asked"), [(59.0, []), (61.0, ["looked"])])
def test_pages_are_looked_at_if_60_seconds_are_left(left_s: float, asked: list[str]) -> None:
    """Two files of 20 s each, 15 s to read places again, and some to compare them."""
    seen: list[str] = []

    def looking(*_: object, **__: object) -> Any:
        seen.append("looked")
        raise CannotLook(cast(Any, "a reason"))

    session = SimpleNamespace(
        inspector=SimpleNamespace(looking=looking),
        client=None,
        deadline=SimpleNamespace(remaining=lambda: left_s),
    )
    documents = RawDocument(1, content="a"), RawDocument(2, content="b")
    found = text_differences("a", "b")
    assert same_print(cast(Any, session), *documents, found) == frozenset()
    assert seen == asked
