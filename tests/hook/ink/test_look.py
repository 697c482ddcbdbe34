"""The verdict of the ink: what is printed decides, not what was read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from dedupe_core.compare.spans import Span
from hook.ink.look import Ink, Look, look
from hook.ink.pages.page import Box, Page, Word
from hook.ink.pages.paper import CannotLook, Paper, Reason
from tests.hook.ink.papers import LETTER, paper, replaced, words

Lines = tuple[str, ...]
RESCAN = paper(turn=0.6, x=76, y=714)


def _scan(lines: Lines) -> bytes:
    return paper(lines, turn=0.6, x=76, y=714)


def _looks(
    left: bytes, read_left: Lines, right: bytes, read_right: Lines, *spans: Span, again: Sequence[str] = ()
) -> list[Look]:
    """Of these spans, or of every word that differs, one for one; `again` is what a second reading gives, in turn."""
    here, there = words(read_left), words(read_right)
    places = spans or [
        Span(n, n + 1, n, n + 1) for n, (a, b) in enumerate(zip(here, there, strict=True)) if a != b
    ]
    said = iter(again)

    def reread(asked: Sequence[object]) -> list[str | None]:
        return [next(said) for _ in asked]

    with Paper(left) as one, Paper(right) as other:
        return look(here, there, places, one, other, reread if again else None)


def _only(read: Lines, word: str, other: int = 0) -> Span:
    """A word that only the left text has."""
    at = words(read).index(word)
    return Span(at, at + 1, at + other, at + other)


def test_a_misread_digit_is_the_same_print() -> None:
    """119.40 was read as 719.40, and the two pages show the same."""
    (seen,) = _looks(paper(), LETTER, RESCAN, replaced("119.40", "719.40"))
    assert seen.ink is Ink.SAME and seen.score > 0.9
    assert seen.left[0].box.width > 25 and seen.right[0].page == 0


def _off(page: Page, x: float, y: float) -> Page:
    """The words of a page with boxes that are beside them."""
    moved = ((text, Box(box.x0 + x, box.y0 + y, box.x1 + x, box.y1 + y)) for text, box in page.words)
    return replace(page, words=tuple(Word(*word) for word in moved))


@pytest.mark.parametrize(("printed", "ink"), [("119.40", Ink.SAME), ("719.40", Ink.OPEN)])
def test_boxes_of_ocr_may_be_off(printed: str, ink: Ink) -> None:
    """By four points, a third of a line: the ink of equal words says where the other page is."""
    misread = words(replaced("119.40", "719.40"))
    at = misread.index("719.40")
    with Paper(paper()) as here, Paper(_scan(replaced("119.40", printed))) as there:
        there.pages = tuple(_off(page, 4.0, -1.0) for page in there.pages)
        (seen,) = look(words(), misread, [Span(at, at + 1, at, at + 1)], here, there)
    assert seen.ink is ink


@pytest.mark.parametrize(
    ("old", "new"),
    [("119.40", "719.40"), ("38.20", "33.20"), ("63021607,", "63021667,"), ("204.75", "204.76"), ("stop", "shop")],
)  # fmt: skip
def test_another_character_is_never_the_same_print(old: str, new: str) -> None:
    """One character of one word: a person has to look, or the ink says that it is different."""
    edited = replaced(old, new)
    (seen,) = _looks(paper(), LETTER, _scan(edited), edited, again=(old, new))
    assert seen.ink is not Ink.SAME


@pytest.mark.parametrize(
    ("again", "ink"),
    [(("11940", "78610"), Ink.DIFFERENT), (("11940", "11940"), Ink.OPEN), ((), Ink.OPEN)],
    ids=["read otherwise", "read alike", "nobody there to read again"],
)
def test_different_print_needs_a_second_reading(again: Sequence[str], ink: Ink) -> None:
    edited = replaced("119.40", "786.10")
    (seen,) = _looks(paper(), LETTER, _scan(edited), edited, again=again)
    assert seen.ink is ink


@pytest.mark.parametrize(
    ("again", "ink"),
    [
        (("119.40", "119.40"), Ink.SAME),
        (("Telephone,", "telephone"), Ink.SAME),
        (("119.40", "719.40"), Ink.OPEN),
        (("119.40", "119,40"), Ink.OPEN),
        (("fall", "fail"), Ink.OPEN),
        (("=", "-"), Ink.OPEN),
        (("", ""), Ink.OPEN),
        ((), Ink.OPEN),
    ],
)
def test_nearly_the_same_print_needs_a_second_reading_that_agrees(again: Sequence[str], ink: Ink) -> None:
    """A speck on the second scan, and 119.40 was read as 719.40: what both pages say now decides, and numbers to the last sign."""
    with Paper(RESCAN) as there:
        box = next(word.box for word in there.pages[0].words if word.text == "119.40")
    speck = paper(turn=0.6, x=76, y=714, stain=(box.x0 + 8, 792 - box.y1 + 4, 0.8, 0.8))
    (seen,) = _looks(paper(), LETTER, speck, replaced("119.40", "719.40"), again=2 * tuple(again))
    assert seen.ink is ink and 0.7 < seen.score < 0.9


@pytest.mark.parametrize(("old", "new"), [("119.40", "719.40"), ("47.15", "47.16"), ("stop", "shop")])
def test_a_second_reading_does_not_clear_print_that_is_not_alike(old: str, new: str) -> None:
    """Tesseract may read the changed character as it was: the ink has to be nearly alike."""
    edited = replaced(old, new)
    (seen,) = _looks(paper(), LETTER, _scan(edited), edited, again=4 * (old,))
    assert seen.ink is Ink.OPEN


def test_a_stain_is_not_another_print() -> None:
    """Nobody can say what is below it, and it is read as something else each time."""
    with Paper(paper()) as here:
        box = next(word.box for word in here.pages[0].words if word.text == "119.40")
    stained = paper(stain=(box.x0 + 8, 792 - box.y1, 18, box.height))
    (seen,) = _looks(paper(), LETTER, stained, replaced("119.40", "4"), again=("11940", "4"))
    assert seen.ink is Ink.OPEN and seen.score < 0.7


@pytest.mark.parametrize("is_printed", [True, False])
def test_a_line_that_only_one_reading_has_is_looked_for_on_the_other_page(is_printed: bool) -> None:
    """OCR lost "Thank you for paying in time.", or it is not there."""
    lost = LETTER[:-1]
    size = len(words(lost))
    span = Span(size, len(words()), size, size)
    (seen,) = _looks(paper(), LETTER, RESCAN if is_printed else _scan(lost), lost, span, again="ab")
    assert (seen.ink is Ink.SAME) is is_printed and bool(seen.right)


@pytest.mark.parametrize("is_printed", [True, False])
def test_a_sign_is_looked_at_like_a_word(is_printed: bool) -> None:
    """A minus that only one paper has is not passed over, and one that only one reading has is looked for."""
    signed = replaced("119.40", "- 119.40")
    (seen,) = _looks(
        paper(signed), signed, _scan(signed if is_printed else LETTER), LETTER, _only(signed, "-")
    )
    assert seen.left and (is_printed or seen.ink is not Ink.SAME)


def test_a_word_that_is_not_on_the_page_leaves_the_place_open() -> None:
    """A sign that the text layer lacks may be the difference: the words beside it must not speak for it."""
    signed = replaced("119.40", "- 119.40")
    at = words(signed).index("-")
    (seen,) = _looks(paper(), signed, RESCAN, LETTER, Span(at, at + 2, at, at + 1))
    assert seen.ink is Ink.OPEN


def test_a_blank_text_layer_cannot_be_looked_at() -> None:
    with pytest.raises(CannotLook) as caught:
        _looks(paper(), LETTER, paper(("",)), LETTER)
    assert caught.value.reason is Reason.NO_TEXT


def test_moved_text_is_compared_where_it_is() -> None:
    """A sentence was inserted above: a misread word below it is still the same print."""
    longer = (*LETTER[:4], "A sentence that is new in this letter.", *LETTER[4:])
    misread = replaced("47.15", "41.15", longer)
    at, other = words().index("47.15"), words(misread).index("41.15")
    (seen,) = _looks(paper(), LETTER, paper(longer), misread, Span(at, at + 1, other, other + 1))
    assert seen.ink is Ink.SAME


def test_places_on_pages_that_cannot_be_rendered_stay_open() -> None:
    at = words().index("119.40")
    with Paper(paper()) as here, Paper(RESCAN) as there:
        there.close()
        (seen,) = look(words(), words(), [Span(at, at + 1, at, at + 1)], here, there)
    assert seen.ink is Ink.OPEN and seen.left[0].page == 0


def test_a_word_that_was_inserted_into_a_line_is_different() -> None:
    """ "not" between two words that are side by side on the other page: there is no room for it."""
    longer = replaced("that was delivered", "that was not delivered")
    (seen,) = _looks(
        paper(longer), longer, _scan(LETTER), LETTER, _only(longer, "not"), again=("not", "delivered")
    )
    assert seen.ink is Ink.DIFFERENT


def test_an_n_for_a_u_is_left_to_a_person() -> None:
    """They are one shape, turned: of 41 letters in scans of 120 dpi, the two that were taken for the same were these."""
    (seen,) = _looks(paper(), LETTER, RESCAN, replaced("number", "nnmber"))
    assert seen.ink is Ink.OPEN


def test_words_that_were_read_in_another_order_are_the_same_print() -> None:
    """The last line was read first on the second scan: each of the two places is found in the other."""
    last, end = len(words(LETTER[:-1])), len(words())
    moved = (LETTER[-1], *LETTER[:-1])
    spans = Span(last, end, end, end), Span(0, 0, 0, end - last)
    second = paper(turn=0.6, x=76, y=714, last_first=True)
    assert [seen.ink for seen in _looks(paper(), LETTER, second, moved, *spans)] == [Ink.SAME, Ink.SAME]


SWAPPED = (*LETTER[:-2], LETTER[-1], LETTER[-2])
ACCOUNT, THANKS, LAST = len(words(LETTER[:-2])), len(words(LETTER[:-1])), len(words())
SWAPPED_THANKS = ACCOUNT + LAST - THANKS
LINES = Span(ACCOUNT, THANKS, ACCOUNT, SWAPPED_THANKS), Span(THANKS, LAST, SWAPPED_THANKS, LAST)


@pytest.mark.parametrize(("new", "ink"), [("63021607,", Ink.SAME), ("63021667,", Ink.OPEN)])
def test_two_lines_that_were_read_in_another_order_and_aligned_with_each_other(new: str, ink: Ink) -> None:
    """Each is looked for where it is printed, not where the words are that the text has in its place."""
    printed, read = replaced("63021607,", new), replaced("63021607,", new, SWAPPED)
    account, thanks = _looks(paper(), LETTER, _scan(printed), read, *LINES)
    assert account.ink is ink and thanks.ink in (ink, Ink.SAME)


def test_many_places_are_looked_at_for_a_bounded_time() -> None:
    """Every second word was misread; what is not looked at in time stays open."""
    spans = [Span(number, number + 1, number, number + 1) for number in range(0, len(words()), 2)]
    with Paper(paper()) as here, Paper(RESCAN) as there:
        misread = tuple(word if number % 2 else f"{word}x" for number, word in enumerate(words()))
        looks, late = (look(words(), misread, spans, here, there, seconds=s) for s in (60.0, 0.0))
    assert sum(seen.ink is Ink.SAME for seen in looks) > 30 and len(spans) < 40
    assert {seen.ink for seen in late} == {Ink.OPEN}


TWO_COPIES = (*LETTER[:6], LETTER[5], *LETTER[6:])  # the line of the standing charge
START, END = len(words(LETTER[:5])), len(words(LETTER[:6]))


@pytest.mark.parametrize("at", [START, END])
def test_a_line_printed_twice_is_not_found_in_the_one_line_of_the_other_paper(at: int) -> None:
    """Whichever of the two the texts are aligned by: the other one is missing."""
    span = Span(at, at + END - START, at, at)
    (seen,) = _looks(paper(TWO_COPIES), TWO_COPIES, paper(), LETTER, span, again="ab")
    assert seen.ink is not Ink.SAME


@pytest.mark.parametrize("is_one_place", [True, False])
def test_nor_if_it_was_read_otherwise_there(is_one_place: bool) -> None:
    """So no word there has its partner."""
    misread = (*LETTER[:5], "Stamding cbarge f0r tbe quartcr 36.2O", *LETTER[6:])
    twice = END + END - START
    spans = (
        [Span(START, END, START, twice)] if is_one_place else [Span(START, END, START, END), Span(END, END, END, twice)]
    )  # fmt: skip
    assert _looks(paper(), misread, paper(TWO_COPIES), TWO_COPIES, *spans)[-1].ink is not Ink.SAME
