"""Doubts: what could be content is named with both sides and its place; what is plainly noise is not."""

from __future__ import annotations

import pytest
from hypothesis import given

from dedupe_core.compare.differences import differences
from dedupe_core.compare.doubts import doubts_of
from dedupe_core.compare.ledger import Ledger
from dedupe_core.compare.printed import read_printed
from dedupe_core.model import Field, Statement, StatementKind
from tests.core.compare.parts_kit import prose
from tests.core.core_kit import PAIRS

TEXT = f"""{prose(3, 40)}
Herr Okonkwo schuldet 75,72 Euro und ist damit in Verzug, was die Bank am Montag bestätigt hat.
Der Betrag wird in drei Raten gezahlt, und die erste Rate ist am Ende des Monats fällig.
{prose(4, 40)}"""


def ledger(one: str, other: str) -> Ledger:
    return differences(read_printed(one), read_printed(other))


def doubts(other: str) -> list[tuple[str, ...]]:
    found = doubts_of(ledger(TEXT, other), is_left=True)
    return [(*one.sides, one.field) for one in found]


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ("75,72", "15,12", Field.NUMBER),
        ("75,72", "75,77", Field.NUMBER),
        ("Okonkwo", "Lindqvist", Field.NAME),
        ("drei", "vier", Field.WORD),
    ],
)
def test_what_reads_differently_is_a_doubt(old: str, new: str, kind: Field) -> None:
    """Whether a scanner could have made it or not: text cannot tell a changed digit from a misread one."""
    assert doubts(TEXT.replace(old, new)) == [(old, new, kind)]


def test_what_only_one_text_has_inside_a_line_is_a_doubt() -> None:
    ((left, right, kind),) = doubts(TEXT.replace("und ist damit", "und ist nicht damit"))
    assert (left, right, kind) == ("", "nicht", Field.WORD)


def test_a_sentence_that_ends_only_one_text_is_a_doubt() -> None:
    """A page that was cut off loses it, too; a stamp or a greeting is none."""
    sentence = "Die letzte Rate wird nicht mehr erhoben."
    assert [sides[:2] for sides in doubts(f"{TEXT}\n{sentence}")] == [("", sentence)]
    assert doubts(f"{TEXT}\nEINGEGANGEN 09. Feb. 2026") == []


@pytest.mark.parametrize(
    ("old", "new"), [("Betrag", "Betrog"), ("bestätigt", "bcstätigt"), ("Monats", "Mona ts")]
)
def test_a_misread_letter_is_none(old: str, new: str) -> None:
    assert doubts(TEXT.replace(old, new)) == []


def test_where_every_line_is_misread_there_is_no_telling() -> None:
    """A person has to look at the page; the reason says that it was read too badly."""
    bad = TEXT.replace("e", "c").replace("n", "ri").replace("a", "o").replace("75,72", "15,12")
    assert doubts(bad) == []


def test_it_says_where() -> None:
    """The word it begins at, in the subject and in the other; the sides turn round with the pair."""
    pair = ledger(TEXT, "Kopie\n" + TEXT.replace("75,72", "15,12"))
    there = next(one for one in doubts_of(pair, is_left=True) if one.field is Field.NUMBER)
    back = next(one for one in doubts_of(pair, is_left=False) if one.field is Field.NUMBER)
    at = TEXT.split().index("75,72")
    assert there == Statement(StatementKind.DOUBT, Field.NUMBER, ("75,72", "15,12"), place=(at, at + 1))
    assert back == Statement(StatementKind.DOUBT, Field.NUMBER, ("15,12", "75,72"), place=(at + 1, at))


def test_what_only_the_whole_has_is_no_doubt_about_its_part() -> None:
    pair = ledger(TEXT, TEXT.replace("und ist damit", "und ist nicht damit"))
    assert doubts_of(pair, is_left=True, in_part=True) == ()


@given(PAIRS)
def test_doubts_are_bounded_and_equal_texts_have_none(pair: tuple[str, str]) -> None:
    """However long a text is, and whatever is in it."""
    found = doubts_of(ledger(*pair), is_left=True)
    assert len(found) <= 20
    assert all(len(side) <= 60 for one in found for side in one.sides)
    assert doubts_of(ledger(pair[0], pair[0]), is_left=True) == ()
