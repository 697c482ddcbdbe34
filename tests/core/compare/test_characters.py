"""Character by character: what was misread, what changed, what moved, what says something else."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dedupe_core.compare.characters import CharacterDifferences, character_differences, nothing_in_place
from tests.core.core_kit import LETTER, NEXT_LETTER, view_of
from tests.corpus.noise import scanned

COMPACT = st.text("abcdefgh0123456789ü", max_size=60)


@given(COMPACT, COMPACT)
def test_the_order_makes_no_difference(one: str, other: str) -> None:
    assert character_differences(one, other) == character_differences(other, one)


@given(COMPACT)
def test_a_text_differs_in_nothing_from_itself(text: str) -> None:
    digits = sum(character.isdigit() for character in text)
    assert character_differences(text, text) == CharacterDifferences(digits, len(text))


def test_digits_that_scanners_confuse_are_slips_and_others_are_changes() -> None:
    """A 6 read for an 8 is noise; a 3 for a 4 is another day."""
    found = character_differences("am16februar", "am18februar")
    assert (found.slipped, found.changed) == (1, 0)
    found = character_differences("am13februar", "am14februar")
    assert (found.slipped, found.changed) == (0, 1)


def test_a_letter_for_a_digit_is_noise() -> None:
    found = character_differences("betrag1500", "betrag15o0")
    assert (found.digit_for_letter, found.changed) == (1, 0)


def test_spaces_and_dots_are_no_difference() -> None:
    """Scanners put them where they like."""
    one, other = (
        view_of("siehe https://example.org/a-b, bis 12.5."),
        view_of("siehe https: //example .org/a- b , bis 12 .5 ."),
    )
    assert one.compact == other.compact


def test_another_name_says_something_else() -> None:
    """Twelve letters that stand nowhere on the other side are no misreading."""
    text = "dieunterlagendie{}unsgesandthatsindvollstaendig"
    found = character_differences(text.format("firmabergmann"), text.format("kanzleiossowski"))
    assert found.replaced == found.largest > 5


def test_what_stands_elsewhere_has_moved() -> None:
    """A table that is read by columns and not by rows says the same."""
    head, middle, end = "rechnungfuerdenmonat", "verbrauchinkubikmetern", "zahlbarbiszumletzten"
    found = character_differences(head + middle + end, middle + end + head)
    assert found.replaced == 0


def test_a_rescan_replaces_nothing_and_the_next_bill_changes_digits() -> None:
    letter, again, following = (
        view_of(text).compact for text in (LETTER, scanned(LETTER, "light", 3), NEXT_LETTER)
    )
    rescan, sibling = character_differences(letter, again), character_differences(letter, following)
    assert rescan.replaced == 0
    assert rescan.changed < 3 < sibling.changed


def test_texts_too_unlike_are_something_else_throughout() -> None:
    found = nothing_in_place("abc123", "xyz98")
    assert (found.digits, found.changed, found.replaced) == (2, 2, 5)
