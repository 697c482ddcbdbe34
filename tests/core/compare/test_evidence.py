"""Evidence: symmetric, deterministic, finite; and what it measures goes the right way."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from dedupe_core.compare.evidence import compare, containment
from dedupe_core.compare.measures import ALL, OF_THE_PAIR
from dedupe_core.compare.view import Neighbourhood
from tests.core.core_kit import LETTER, NEXT_LETTER, PAIRS, TEXTS, evidence_on, view_of
from tests.corpus.noise import scanned


@given(PAIRS, st.lists(TEXTS, max_size=3))
def test_evidence_is_symmetric(pair: tuple[str, str], neighbours: list[str]) -> None:
    """Which of the two is the subject makes no difference, to no measure and no agreement."""
    one, other = view_of(pair[0], 1), view_of(pair[1], 2)
    around = Neighbourhood([other, *(view_of(text, 10 + number) for number, text in enumerate(neighbours))])
    assert compare(one, other, around) == compare(other, one, around)


@given(PAIRS)
def test_ids_are_no_evidence(pair: tuple[str, str]) -> None:
    """The numbers that Paperless gives its documents say nothing about what is printed on them."""
    low, high = (view_of(text, number) for number, text in enumerate(pair, 1))
    swapped_low, swapped_high = (view_of(text, number) for number, text in zip((9, 4), pair, strict=True))
    there, again = (
        compare(low, high, Neighbourhood([high])),
        compare(swapped_low, swapped_high, Neighbourhood([swapped_high])),
    )
    if low.length or high.length:  # of two unread pages there is no telling which is which
        assert there.measures == again.measures


@given(PAIRS, st.lists(TEXTS, max_size=3))
def test_every_measure_is_a_finite_number_that_the_trees_know(
    pair: tuple[str, str], neighbours: list[str]
) -> None:
    """Whatever the texts: the trees get a number for each name they ask for."""
    measures = evidence_on(*pair, *neighbours).measures
    assert set(ALL) == measures.keys()
    assert all(math.isfinite(value) for value in measures.values())


@given(PAIRS, st.lists(TEXTS, max_size=3), st.randoms())
def test_the_order_of_neighbours_makes_no_difference(
    pair: tuple[str, str], neighbours: list[str], random: object
) -> None:
    """A neighbourhood is a set: what is rare in it does not depend on who came first."""
    shuffled = neighbours.copy()
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert evidence_on(*pair, *neighbours) == evidence_on(*pair, *shuffled)


def test_a_rescan_agrees_and_the_next_letter_conflicts() -> None:
    """Dates, amounts, references and numbers of the rescan are shared; those of the next month conflict."""
    rescan, following = evidence_on(LETTER, scanned(LETTER, "light", 4)), evidence_on(LETTER, NEXT_LETTER)
    for kind in ("dates", "amounts", "references"):
        assert rescan.measures[f"{kind}_conflict"] < following.measures[f"{kind}_conflict"]
        assert rescan.measures[f"{kind}_share"] > following.measures[f"{kind}_share"]
    assert rescan.measures["numbers_rare"] > following.measures["numbers_rare"]
    assert following.dates.shared == frozenset()
    assert rescan.dates.shared == {"2023-02-03", "2023-02-17"}


def test_what_a_family_shares_is_not_rare() -> None:
    """The customer number identifies nothing among the letters to that customer."""
    alone = evidence_on(LETTER, scanned(LETTER, "light", 4))
    siblings = [NEXT_LETTER.replace("RE-2023-51207", f"RE-2023-6{n:04}") for n in range(6)]
    among = evidence_on(LETTER, scanned(LETTER, "light", 4), *siblings)
    assert among.measures["identity_own"] < alone.measures["identity_own"]
    assert among.measures["neighbours"] == 6


def test_a_date_that_was_lost_neither_agrees_nor_contradicts() -> None:
    """Where OCR left no date on one side, the measure stays in the middle."""
    without = "".join(character for character in LETTER if not character.isdigit())
    assert evidence_on(LETTER, LETTER + " ").measures["first_date"] == 1
    assert evidence_on(LETTER, without).measures["first_date"] == 0.5
    assert evidence_on(LETTER, NEXT_LETTER).measures["first_date"] == 0


def test_a_part_is_contained_in_its_whole() -> None:
    """All sampled passages of the part are in the whole, not the other way round."""
    chapters = [" ".join(f"{word}{chapter}" for word in LETTER.split() * 4) for chapter in range(5)]
    part, whole = view_of(chapters[2], 1), view_of(" ".join(chapters), 2)
    in_whole, in_part = containment(part, whole)
    assert in_whole > 0.95
    assert in_part < 0.4
    assert containment(whole, part) == (in_part, in_whole)


def test_digits_agree_where_hardly_a_number_is_equal() -> None:
    """Badly read twice: the numbers are split and joined, their digits are in the same order."""
    one = "Total 73.87 paid 75.30 on 29/07/2016 at 12:13:52, invoice 15403-119386"
    again = "Tota1 73 .87 pai6 7530 on 29/0 7/2016 at 12.1 352, inv0ice 15403 -119 386"
    later = "Total 21.40 paid 50.00 on 03/09/2016 at 17:48:06, invoice 15403-204471"
    same, other = evidence_on(one, again).measures, evidence_on(one, later).measures
    assert same["digit_runs_share"] > other["digit_runs_share"]


def test_a_copy_stands_out_among_the_letters_of_a_family() -> None:
    """More alike than any two letters of the family, however badly it was read."""
    family = [
        LETTER.replace("03.02.2023", f"{day:02}.04.2023").replace("88,15", f"{day},40")
        for day in range(5, 11)
    ]
    views = [view_of(text, 10 + number) for number, text in enumerate(family)]
    letter, copy = view_of(LETTER, 1), view_of(scanned(LETTER, "light", 3), 2)
    copied = compare(letter, copy, Neighbourhood([copy, *views])).measures
    sibling = compare(letter, views[0], Neighbourhood(views)).measures
    assert copied["above_best"] > sibling["above_best"]


def test_letters_of_its_own_survive_where_no_word_does() -> None:
    """Every own word misread on one side or the other: runs of letters are still those of one paper, and not of its neighbour's."""
    form = "Please bring this card to your appointment at the surgery. Name {} Street {} Doctor {}"
    one = form.format("Bartholomew Winterbottom", "Honeysuckle Crescent", "Featherstonehaugh")
    again = form.format("Barthoiomew Wintcrbottom", "Honeysuck1e Cresccnt", "Featherst0nehaugn")
    other = form.format("Clementine Oldershaw", "Marketplace Terrace", "Abercrombie")
    third = view_of(form.format("Thaddeus Kilpatrick", "Quarry Embankment", "Vandenberg"), 9)
    same, sibling = (
        compare(view_of(one, 1), view_of(text, 2), Neighbourhood([view_of(text, 2), third])).measures
        for text in (again, other)
    )
    for name in ("runs_own", "runs_own_share", "runs_own_share_low"):
        assert same[name] > 2 * sibling[name]


def test_a_misread_fact_half_agrees() -> None:
    """Of two dates that differ in a digit that scanners confuse, less agrees than of two equal ones, and more than of two others."""
    equal, misread, others = (
        evidence_on("Invoice of 13.05.2021 for one night", f"Invoice of {date} for one night").measures
        for date in ("13.05.2021", "18.05.2021", "27.11.2020")
    )
    assert equal["dates_share"] > misread["dates_share"] > others["dates_share"]
    assert equal["dates_conflict"] < misread["dates_conflict"] < others["dates_conflict"]
    assert equal["first_date"] > misread["first_date"] > others["first_date"]


def test_measures_of_the_pair_do_not_depend_on_the_archive() -> None:
    """The question "edited?" is asked of the pair alone."""
    alone = evidence_on(LETTER, NEXT_LETTER).measures
    among = evidence_on(LETTER, NEXT_LETTER, LETTER + " x", NEXT_LETTER + " y").measures
    assert {name: alone[name] for name in OF_THE_PAIR} == {name: among[name] for name in OF_THE_PAIR}
