"""Which candidates are compared, and in which order verdicts come: rule by rule."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from dataclasses import replace

import pytest

from dedupe_core.compare.view import Neighbourhood, View
from dedupe_core.fingerprint.signature import resemblance
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


SUBJECT = page(1, WORDS, alike=1.0, parts=range(100))


@pytest.mark.parametrize(
    ("words", "alike", "expected"), [(45, 0.5, True), (45, 0.01, False), (5, 0.5, False)]
)
def test_most_words_and_a_resemblance(words: int, alike: float, expected: bool) -> None:
    """Both: words alone are those of the language, a resemblance alone is a letterhead."""
    assert is_compared(SUBJECT, page(2, of(words), alike=alike)) is expected


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [(["12345678"], True), (["1234", "5678"], True), (["1234"], False), (["123", "456"], False), ([], False)],
)
def test_fewer_words_are_enough_beside_a_number(numbers: list[str], expected: bool) -> None:
    """A long number, or two of four digits: shorter ones are everywhere."""
    subject = page(1, [*WORDS, *numbers], alike=1.0)
    assert is_compared(subject, page(2, [*of(16), *numbers], alike=0.5)) is expected


def test_numbers_of_the_pair_count_not_those_of_one_side() -> None:
    subject = page(1, [*WORDS, "12345678"], alike=1.0)
    assert not is_compared(subject, page(2, [*of(16), "87654321"], alike=0.5))


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({"references": ("RE1",)}, True),
        ({"dates": ("2024-01-02",), "amounts": (100,)}, True),
        ({"dates": ("2024-01-02",)}, False),
        ({"amounts": (100,)}, False),
    ],
)
def test_a_faint_resemblance_needs_a_fact(facts: dict[str, tuple[str, ...]], expected: bool) -> None:
    """A reference, or a date beside an amount: many papers share a date. Then the words are looked at."""
    subject = page(1, [*WORDS, "12345678"], alike=1.0, **facts)  # type: ignore[arg-type]
    other = page(2, [*of(16), "12345678"], alike=0.02, **facts)  # type: ignore[arg-type]
    assert is_compared(subject, other) is expected


@pytest.mark.parametrize("words", [5, 16, 45])
@pytest.mark.parametrize("alike", [0.02, 0.5])
def test_a_part_is_compared_whatever_else_is_alike(words: int, alike: float) -> None:
    """A third of its passages are in the other text."""
    assert is_compared(SUBJECT, page(2, of(words), alike=alike, parts=range(60, 120)))


@pytest.mark.parametrize("alike", [0.02, 0.5])
@pytest.mark.parametrize("parts", [range(99, 160), range(98, 100)])
def test_a_phrase_is_not_a_part(parts: Sequence[int], alike: float) -> None:
    """A small share of the passages, or too few to tell."""
    assert not is_compared(SUBJECT, page(2, of(5), alike=alike, parts=parts))


@pytest.mark.parametrize("alike", [0.02, 0.5])
def test_a_small_part_of_a_long_text_is_compared(alike: float) -> None:
    """All of its passages are there, though they are few of the other's."""
    assert is_compared(SUBJECT, page(2, of(5), alike=alike, parts=range(10)))


def test_the_words_of_the_shorter_text_count() -> None:
    """A short letter that is all in a long one."""
    assert is_compared(SUBJECT, page(2, WORDS[:10], alike=0.5))


def test_common_words_and_a_common_fact_need_a_resemblance() -> None:
    """Two letters of one sender to one customer."""
    subject = page(1, WORDS, alike=1.0, references=("RE1",))
    assert not is_compared(subject, page(2, of(45), alike=0.02, references=("RE1",)))
    assert is_compared(subject, page(2, of(45), alike=0.2, references=("RE1",)))


def test_pages_without_words_are_compared_if_they_resemble() -> None:
    """Tables of figures, and scripts without spaces."""
    assert is_compared(page(1, ["12"], alike=1.0), page(2, ["12"], alike=0.9))
    assert is_compared(page(1, WORDS, alike=1.0), page(2, ["12"], alike=0.9))


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


def test_of_those_that_are_not_reported_the_surest_comes_first() -> None:
    """By the confidence, not by the id or the order in which they were found."""
    subject, others = view_of(LETTER, 1), OTHERS[1:]
    alike = {one.id: resemblance(subject.fingerprint.signature, one.fingerprint.signature) for one in others}
    between = sum(alike.values()) / 2
    doubtful = Ensemble(("resemblance",), 0.0, ((0, between, -5.0, -1.0),))
    found = judge(subject, others, POLICY, trees=replace(trees(worth=0.9), same=doubtful))
    assert [verdict.other for verdict in found] == sorted(alike, key=lambda number: alike[number])
    assert found[0].confidence > found[1].confidence


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
