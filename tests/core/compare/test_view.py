"""Views, and counting in a neighbourhood: the pair itself is never its own neighbour."""

from __future__ import annotations

import numpy as np

from dedupe_core.compare.view import Neighbourhood, view
from tests.core.core_kit import LETTER, NEXT_LETTER, print_of, view_of
from tests.corpus.noise import scanned


def test_a_view_holds_the_tokens_of_each_kind() -> None:
    """Facts as they were read, words and numbers of the kept text."""
    found = view(print_of(LETTER, 5))
    assert found.id == 5
    assert found.dates == {"2023-02-03", "2023-02-17"}
    assert found.amounts == {8815, 10127, 18942}
    assert found.references == {"7710982", "RE202345588"}
    assert "gesamtbetrag" in found.words
    assert "18942" in found.numbers
    assert found.length == len(print_of(LETTER).text.split())


def test_the_pair_is_not_counted_among_its_neighbours() -> None:
    """A date that only the pair has is held by nobody else, whether or not the pair was counted."""
    one, other, third = view_of(LETTER, 1), view_of(LETTER, 2), view_of("am 03.02.2023 allein", 3)
    for members in ([other, third], [one, other, third]):
        around = Neighbourhood(members)
        assert around.size_beside(one, other) == 1
        assert around.document_frequency("dates", ["2023-02-03", "2023-02-17"], one, other) == [1, 0]
        assert around.rarity("dates", ["2023-02-03", "2023-02-17"], one, other) == 1.5


def test_runs_of_digits_do_not_depend_on_what_separates_them() -> None:
    """A number that a scanner split, joined or ended early keeps most of its runs; letters and other digits are left out."""
    whole, split = view_of("Nr. 15403-119386 vom 29/07", 1), view_of("Nr. 154 03119386vom 2907", 2)
    assert whole.digits == split.digits == "154031193862907"
    assert list(whole.digit_runs[:3]) == [311, 1193, 1540]
    assert list(view_of("Nr. ١٢٣٤٥", 3).digit_runs) == list(view_of("123", 4).digit_runs) == []


def test_a_run_of_digits_that_a_neighbour_has_counts_half() -> None:
    one, other, third = view_of("1234 5678", 1), view_of("1234 9999", 2), view_of("x 1234", 3)
    shared = np.intersect1d(one.digit_runs, other.digit_runs)
    assert list(shared) == [1234]
    for members in ([other], [one, other]):
        assert Neighbourhood(members).rarity_of_digit_runs(shared, one, other) == 1.0
        assert Neighbourhood([*members, third]).rarity_of_digit_runs(shared, one, other) == 0.5


def test_exact_copies_count_as_one_document() -> None:
    """However many there are: what they share is not a template. A next letter shares its form, and counts."""
    one, other = view_of(LETTER, 1), view_of(scanned(LETTER, "light", 2), 2)
    copies = Neighbourhood([view_of(LETTER, number) for number in range(3, 9)])
    assert copies.size_beside(one, other) == 1
    assert Neighbourhood([view_of(LETTER, 3), view_of(NEXT_LETTER, 4)]).size_beside(one, other) == 2
    assert Neighbourhood([view_of("", 3), view_of("", 4)]).size_beside(one, other) == 2
