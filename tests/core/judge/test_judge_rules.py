"""Which candidates are compared, and in which order verdicts come: rule by rule."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from typing import Any

import pytest

from dedupe_core.compare.view import Neighbourhood, View
from dedupe_core.judge.judge import exact_verdict, judge, rank_candidates
from dedupe_core.judge.trees import Ensemble, Ensembles
from dedupe_core.model import Facts, Fingerprint
from dedupe_core.policy import DEFAULT as POLICY
from tests.core.core_kit import LETTER, NEXT_LETTER, print_of, view_of

WORDS = [f"{one}{two}ab" for one in "bcdfghjklm" for two in "aeiou"]  # fifty
SIGNATURE = bytes(range(200))


def trees(**probabilities: float) -> Ensembles:
    """The same probability for every pair."""

    def always(probability: float) -> Ensemble:
        return Ensemble((), math.log(probability / (1 - probability)), ())

    names = ("worth", "same", "revision", "contained", "edited", "part")
    return Ensembles(**{name: always(probabilities.get(name, 0.01)) for name in names})


def page(
    number: int,
    words: Sequence[str] = (),
    *,
    alike: float = 0.0,
    parts: Sequence[int] = (),
    dates: tuple[str, ...] = (),
    amounts: tuple[int, ...] = (),
    references: tuple[str, ...] = (),
) -> View:
    """`alike` is the share of its signature that is that of document 1."""
    equal = round(alike * len(SIGNATURE))
    signature = SIGNATURE[:equal] + bytes((value + 1) % 256 for value in SIGNATURE[equal:])
    return View(
        Fingerprint(
            id=number,
            recipe_id="",
            signature=signature,
            content_hash=b"",
            text=" ".join(words),
            words=len(words),
            facts=Facts(dates, amounts, references),
            parts=array("I", parts).tobytes(),
        )
    )


def is_compared(subject: View, other: View) -> bool:
    there = rank_candidates(subject, [other], Neighbourhood([other]), 1)
    back = rank_candidates(other, [subject], Neighbourhood([subject]), 1)
    assert bool(there) is bool(back)
    return bool(there)


def of(count: int) -> list[str]:
    """So many of the fifty words of the subject, and others up to fifty."""
    return [*WORDS[:count], *(f"{word}xyz" for word in WORDS[count:])]


@pytest.mark.parametrize(
    ("own", "words", "alike", "more", "expected"),
    [
        ({}, of(45), 0.5, {}, True),
        ({}, of(45), 0.01, {}, False),  # words alone are those of the language
        ({}, of(5), 0.5, {}, False),  # a resemblance alone is a letterhead
        ({}, WORDS[:10], 0.5, {}, True),  # a short letter that is all in a long one
        ({"numbers": ["12345678"]}, [*of(16), "12345678"], 0.5, {}, True),  # fewer words beside a long number
        ({"numbers": ["1234", "5678"]}, [*of(16), "1234", "5678"], 0.5, {}, True),
        ({"numbers": ["1234"]}, [*of(16), "1234"], 0.5, {}, False),  # one of four digits is everywhere
        ({"numbers": ["123", "456"]}, [*of(16), "123", "456"], 0.5, {}, False),
        ({"numbers": ["12345678"]}, [*of(16), "87654321"], 0.5, {}, False),
        ({"numbers": ["12345678"]}, [*of(16), "12345678"], 0.02, {"references": ("RE1",)}, True),
        (
            {"numbers": ["12345678"]},
            [*of(16), "12345678"],
            0.02,
            {"dates": ("2024-01-02",), "amounts": (100,)},
            True,
        ),
        ({"numbers": ["12345678"]}, [*of(16), "12345678"], 0.02, {"dates": ("2024-01-02",)}, False),
        ({"numbers": ["12345678"]}, [*of(16), "12345678"], 0.02, {"amounts": (100,)}, False),
        ({}, of(45), 0.2, {"references": ("RE1",)}, True),  # letters of one sender to one customer
        ({}, of(45), 0.02, {"references": ("RE1",)}, False),
        ({}, ["12"], 0.9, {}, True),  # a table of figures
    ],
)
def test_what_is_compared(
    own: dict[str, list[str]],
    words: list[str],
    alike: float,
    more: dict[str, tuple[Any, ...]],
    expected: bool,
) -> None:
    """Words and a resemblance; fewer words beside a number of the pair; a faint resemblance beside a fact of it."""
    subject = page(1, [*WORDS, *own.get("numbers", [])], alike=1.0, **more)
    assert is_compared(subject, page(2, words, alike=alike, **more)) is expected


@pytest.mark.parametrize("alike", [0.02, 0.5])
@pytest.mark.parametrize(
    ("parts", "expected"),
    [(range(60, 120), True), (range(10), True), (range(99, 160), False), (range(98, 100), False)],
    ids=["a third", "all of a short one", "a small share", "too few to tell"],
)
def test_a_part_is_compared_whatever_else_is_alike(
    parts: Sequence[int], alike: float, expected: bool
) -> None:
    subject = page(1, WORDS, alike=1.0, parts=range(100))
    assert is_compared(subject, page(2, of(5), alike=alike, parts=parts)) is expected


COMMON = [*WORDS, "11112222"]  # what every document of the family has


@pytest.mark.parametrize(
    "better",
    [
        page(9, COMMON, alike=0.7),
        page(9, COMMON, alike=0.5, parts=range(80)),
        page(9, [*COMMON, "98765432"], alike=0.5),
        page(9, COMMON, alike=0.5, dates=("2024-01-02",)),
    ],
    ids=["resemblance", "passages", "a number of the pair", "a date of the pair"],
)
def test_of_more_than_allowed_those_that_share_what_is_rare(better: View) -> None:
    """Whoever shares more than the others is compared, not whoever comes first."""
    subject = page(1, [*COMMON, "98765432"], alike=1.0, dates=("2024-01-02",), parts=range(100))
    others = [*(page(number, [*COMMON, f"1234567{number}"], alike=0.5) for number in (4, 2, 3)), better]
    chosen = [rank_candidates(subject, others, Neighbourhood(others), limit) for limit in (1, 2, 4, 5)]
    assert [one.id for one in chosen[0]] == [9]
    assert [one.id for one in chosen[1]] == [9, 2]
    assert chosen[2] == chosen[3] == others


def test_what_the_whole_family_has_is_not_rare() -> None:
    """A number on every document counts less than one that the pair alone has, however many there are."""
    subject = page(1, [*COMMON, "98765432", "33334444"], alike=1.0)
    family = [page(number, [*COMMON, "33334444", f"555566{number:02}"], alike=0.5) for number in range(2, 12)]
    rare = page(90, [*WORDS, "98765432"], alike=0.5)
    others = [*family, rare]
    assert rank_candidates(subject, others, Neighbourhood(others), 1) == [rare]


@pytest.mark.parametrize(
    ("one", "other", "same"), [("ab", "AB", True), ("ab", "cd", False), ("", "", False), ("ab", "", False)]
)
def test_the_same_file(one: str, other: str, same: bool) -> None:
    found = exact_verdict(print_of("", 1, one), print_of("", 2, other))
    assert (found is not None) is same


OTHERS = [view_of(LETTER, 2), view_of(NEXT_LETTER, 3), view_of(NEXT_LETTER.replace("Wasser", "Strom"), 4)]


def test_verdicts_come_with_the_surest_first_and_hopeless_pairs_not_at_all() -> None:
    """Unless everything is asked for."""
    subject, others = view_of(LETTER, 1), OTHERS[1:]
    assert judge(subject, others, POLICY, trees=trees(worth=1e-6)) == []
    asked = judge(subject, others, POLICY, trees=trees(worth=1e-6), everything=True)
    assert {verdict.other for verdict in asked} == {3, 4}
    likely = judge(subject, [*OTHERS, view_of(LETTER, 9)], POLICY, trees=trees(worth=0.9, same=0.01))
    assert [verdict.flagged for verdict in likely] == sorted(
        (verdict.flagged for verdict in likely), reverse=True
    )
    assert [verdict.other for verdict in likely][:2] == [2, 9]
