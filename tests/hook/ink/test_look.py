"""The verdict of the ink: what is printed decides, not what was read."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dedupe_core.compare.spans import Span
from hook.ink.located import Spot
from hook.ink.look import Ink, Look, look
from hook.ink.pages.page import Box, Page, Word
from hook.ink.pages.paper import CannotLook, Paper, Reason
from tests.hook.ink.papers import LETTER, paper, replaced, words


def _seen(
    left: bytes, left_words: tuple[str, ...], right: bytes, right_words: tuple[str, ...], *readings: str
) -> list[Look]:
    """Every place where the words differ, one for one; `readings` are what a second reading gives, in turn."""
    spans = [
        Span(n, n + 1, n, n + 1)
        for n, (a, b) in enumerate(zip(left_words, right_words, strict=True))
        if a != b
    ]
    said = iter(readings)
    reread = (lambda paper, spot: next(said)) if readings else None
    with Paper(left) as here, Paper(right) as there:
        return look(left_words, right_words, spans, here, there, reread)


RESCAN = paper(turn=0.6, x=76, y=714)


def test_a_misread_digit_is_the_same_print() -> None:
    """119.40 was read as 719.40, and the two pages show the same."""
    (found,) = _seen(paper(), words(), RESCAN, words(replaced("119.40", "719.40")))
    assert found.ink is Ink.SAME and found.score > 0.9
    assert found.left[0].box.width > 25 and found.right[0].page == 0


def _off(page: Page, x: float, y: float) -> Page:
    """The words of a page with boxes that are beside them."""
    moved = ((text, Box(box.x0 + x, box.y0 + y, box.x1 + x, box.y1 + y)) for text, box in page.words)
    return replace(page, words=tuple(Word(*one) for one in moved))


@pytest.mark.parametrize(("printed", "ink"), [("119.40", Ink.SAME), ("719.40", Ink.OPEN)])
def test_boxes_of_ocr_may_be_off(printed: str, ink: Ink) -> None:
    """By four points, a third of a line: the ink of equal words says where the other page is."""
    misread = words(replaced("119.40", "719.40"))
    at = misread.index("719.40")
    with (
        Paper(paper()) as here,
        Paper(paper(replaced("119.40", printed), turn=0.6, x=76, y=714)) as there,
    ):
        there.pages = tuple(_off(page, 4.0, -1.0) for page in there.pages)
        (found,) = look(words(), misread, [Span(at, at + 1, at, at + 1)], here, there)
    assert found.ink is ink


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("119.40", "719.40"),
        ("38.20", "33.20"),
        ("63021607,", "63021667,"),
        ("204.75", "204.76"),
        ("stop", "shop"),
    ],
)
def test_another_character_is_never_the_same_print(old: str, new: str) -> None:
    """One character of one word: a person has to look, or the ink says that it is different."""
    edited = replaced(old, new)
    (found,) = _seen(paper(), words(), paper(edited, turn=0.6, x=76, y=714), words(edited), old, new)
    assert found.ink is not Ink.SAME


def test_different_print_needs_a_second_reading() -> None:
    edited = replaced("119.40", "786.10")
    pages = paper(), words(), paper(edited, turn=0.6, x=76), words(edited)
    assert [one.ink for one in _seen(*pages, "11940", "78610")] == [Ink.DIFFERENT]
    assert [one.ink for one in _seen(*pages, "11940", "11940")] == [Ink.OPEN]  # read alike: not sure
    assert [one.ink for one in _seen(*pages)] == [Ink.OPEN]  # nobody there to read again


def test_a_stain_is_not_another_print() -> None:
    """Nobody can say what is below it, and it is read as something else each time."""
    read = words(replaced("119.40", "4"))
    with Paper(paper()) as here:
        box = next(one.box for one in here.pages[0].words if one.text == "119.40")
    stained = paper(stain=(box.x0 + 8, 792 - box.y1, 18, box.height))
    (found,) = _seen(paper(), words(), stained, read, "11940", "4")
    assert found.ink is Ink.OPEN and found.score < 0.7


def test_a_line_that_only_one_reading_has_is_found_on_the_other_page() -> None:
    """OCR lost "Thank you for paying in time." of the second scan; it is printed there."""
    lost = words(LETTER[:-1])
    with Paper(paper()) as here, Paper(RESCAN) as there:
        (found,) = look(words(), lost, [Span(len(lost), len(words()), len(lost), len(lost))], here, there)
    assert found.ink is Ink.SAME and found.right


def test_a_line_that_only_one_paper_has_is_not_the_same() -> None:
    lost = LETTER[:-1]
    with Paper(paper()) as here, Paper(paper(lost, turn=0.6, x=76)) as there:
        span = Span(len(words(lost)), len(words()), len(words(lost)), len(words(lost)))
        (found,) = look(words(), words(lost), [span], here, there, lambda paper, spot: f"{spot.page}")
    assert found.ink is not Ink.SAME


def test_a_sign_is_looked_at_like_a_word() -> None:
    """A minus that only one paper has is not passed over, and one that only one reading has is found."""
    signed = replaced("119.40", "- 119.40")
    at = words(signed).index("-")
    with Paper(paper(signed)) as here, Paper(RESCAN) as there:
        (other,) = look(words(signed), words(), [Span(at, at + 1, at, at)], here, there)
    with Paper(paper(signed)) as here, Paper(paper(signed, turn=0.6, x=76)) as there:
        (same,) = look(words(signed), words(), [Span(at, at + 1, at, at)], here, there)
    assert other.ink is not Ink.SAME and same.left


def test_a_word_that_is_not_on_the_page_leaves_the_place_open() -> None:
    """A sign that the text layer lacks may be the difference: the words beside it must not speak for it."""
    signed = tuple(word for one in words() for word in (("-", one) if one == "119.40" else (one,)))
    at = signed.index("-")
    with Paper(paper()) as here, Paper(RESCAN) as there:
        (found,) = look(signed, words(), [Span(at, at + 2, at, at + 1)], here, there)
    assert found.ink is Ink.OPEN


def test_a_blank_text_layer_cannot_be_looked_at() -> None:
    with Paper(paper()) as here, Paper(paper(("",))) as there, pytest.raises(CannotLook) as caught:
        look(words(), words(), [], here, there)
    assert caught.value.reason is Reason.NO_TEXT


def test_moved_text_is_compared_where_it_is() -> None:
    """A sentence was inserted above: a misread word below it is still the same print."""
    longer = (*LETTER[:4], "A sentence that is new in this letter.", *LETTER[4:])
    misread = words(replaced("47.15", "41.15", longer))
    at, other = words().index("47.15"), misread.index("41.15")
    with Paper(paper()) as here, Paper(paper(longer)) as there:
        (found,) = look(words(), misread, [Span(at, at + 1, other, other + 1)], here, there)
    assert found.ink is Ink.SAME


def test_places_on_pages_that_cannot_be_rendered_stay_open() -> None:
    with Paper(paper()) as here, Paper(RESCAN) as there:
        there.close()
        at = words().index("119.40")
        (found,) = look(words(), words(), [Span(at, at + 1, at, at + 1)], here, there)
    assert found.ink is Ink.OPEN and isinstance(found.left[0], Spot)


def test_a_word_that_was_inserted_into_a_line_is_different() -> None:
    """ "not" between two words that are side by side on the other page: there is no room for it."""
    longer = replaced("that was delivered", "that was not delivered")
    at = words(longer).index("not")
    with Paper(paper(longer)) as here, Paper(paper(turn=0.6, x=76)) as there:
        said = iter(("not", "delivered"))
        (found,) = look(
            words(longer), words(), [Span(at, at + 1, at, at)], here, there, lambda p, s: next(said)
        )
    assert found.ink is Ink.DIFFERENT


def test_a_line_that_is_printed_twice_is_not_found_in_the_one_line_of_the_other_paper() -> None:
    """Whichever of the two the texts are aligned by: the other one is missing."""
    twice = (*LETTER[:6], LETTER[5], *LETTER[6:])
    start = len(words(LETTER[:5]))
    size = len(LETTER[5].split())
    for first in (start, start + size):
        with Paper(paper(twice)) as here, Paper(paper()) as there:
            span = Span(
                first,
                first + size,
                first if first == start else start + size,
                first if first == start else start + size,
            )
            (found,) = look(words(twice), words(), [span], here, there, lambda p, s: str(s.box.y0))
        assert found.ink is not Ink.SAME


def test_an_n_for_a_u_is_left_to_a_person() -> None:
    """They are one shape, turned: of 41 letters in scans of 120 dpi, the two that were taken for the same were these."""
    (found,) = _seen(paper(), words(), RESCAN, words(replaced("number", "nnmber")))
    assert found.ink is Ink.OPEN


def test_words_that_were_read_in_another_order_are_the_same_print() -> None:
    """The last line was read first on the second scan: each of the two places is found in the other."""
    last = len(words(LETTER[:-1]))
    moved = words(LETTER[-1:]) + words(LETTER[:-1])
    end = len(moved)
    spans = [Span(last, end, end, end), Span(0, 0, 0, end - last)]
    with Paper(paper()) as here, Paper(paper(turn=0.6, x=76, y=714, last_first=True)) as there:
        found = look(words(), moved, spans, here, there)
    assert [one.ink for one in found] == [Ink.SAME, Ink.SAME]


@pytest.mark.parametrize("is_one_place", [True, False])
def test_a_line_printed_twice_is_not_found_where_it_is_printed_once(is_one_place: bool) -> None:
    """It was read otherwise on the paper that has it once, so no word there has its partner."""
    at, end = len(words(LETTER[:7])), len(words(LETTER[:8]))
    misread = words((*LETTER[:7], "Kepair 0f tbe st0p valvc 41.15", *LETTER[8:]))
    twice = (*LETTER[:8], *LETTER[7:])
    first, second = Span(at, end, at, end), Span(end, end, end, 2 * end - at)
    spans = [Span(at, end, at, 2 * end - at)] if is_one_place else [first, second]
    with Paper(paper()) as here, Paper(paper(twice)) as there:
        found = look(misread, words(twice), spans, here, there)
    assert found[-1].ink is not Ink.SAME
