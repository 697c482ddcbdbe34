"""Views, and counting in a neighbourhood: the pair itself is never its own neighbour."""

from __future__ import annotations

from dedupe_core.compare.view import Neighbourhood, view
from tests.core.core_kit import LETTER, print_of, view_of


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
        assert around.holders("dates", ["2023-02-03", "2023-02-17"], one, other) == [1, 0]
        assert around.rarity("dates", ["2023-02-03", "2023-02-17"], one, other) == 1.5


def test_an_empty_neighbourhood_holds_nothing() -> None:
    """The first two documents of an archive have no neighbours."""
    one, other = view_of(LETTER, 1), view_of(LETTER, 2)
    around = Neighbourhood([])
    assert around.size_beside(one, other) == 0
    assert [around.holders(kind, ["x"], one, other) for kind in ("words", "parts")] == [[0], [0]]
