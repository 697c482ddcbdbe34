"""A second reading: all places of a pair in one run of tesseract."""

from __future__ import annotations

import shutil

import pytest

from hook.ink import second_reading as module
from hook.ink.located import Spot
from hook.ink.pages.page import Box
from hook.ink.pages.paper import Paper
from hook.ink.second_reading import second_reading
from tests.hook.ink.papers import paper

pytestmark = pytest.mark.skipif(shutil.which("tesseract") is None, reason="needs tesseract")
BLANK = Spot(0, Box(300, 600, 340, 612))


def _read(*texts: str | None, seconds: float = 120.0) -> list[str | None]:
    """These words of the letter, and blank paper for None."""
    reread = second_reading(seconds)
    assert reread is not None
    with Paper(paper()) as letter:
        boxes = {word.text: word.box for word in letter.pages[0].words}
        return reread([(letter, Spot(0, boxes[text]) if text else BLANK) for text in texts])


def test_each_place_gets_its_own_text() -> None:
    """Also behind one where nothing can be read."""
    first, blank, second, third = _read("119.40", None, "Metered", "204.75")
    assert (first, second, third) == ("119.40", "Metered", "204.75")
    assert blank is not None and not any(map(str.isalnum, blank))


def test_there_may_be_nothing_to_read() -> None:
    assert _read() == []


def test_what_cannot_be_read_in_time_is_not_guessed() -> None:
    assert _read("119.40", "Metered", seconds=0.001) == [None, None]


def test_crops_have_a_bounded_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """A box in a file may be as large as its page."""
    monkeypatch.setattr(module, "_MOST_BYTES", 40_000)
    first, *others = _read("119.40", "Metered", "204.75", "Metered", "204.75")
    assert first == "119.40" and others[-1] is None
