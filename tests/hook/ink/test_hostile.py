"""Files that somebody sent: bounded in time and memory, nothing left running, and a clear state."""

from __future__ import annotations

import io
import os
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from hook.ink.pages import limits
from hook.ink.pages.paper import CannotLook, Paper, Reason
from hook.ink.raster import grey_of
from tests.hook.ink.hostile import BOUNDED, READABLE

SECONDS = 8.0
ENDED_S = 3.0  # of those that would take minutes; the others have ended before


def _children() -> set[str]:
    return set(Path(f"/proc/self/task/{os.getpid()}/children").read_text().split())


@pytest.mark.parametrize("name", READABLE)
def test_an_unusual_page_is_read_where_its_ink_is(name: str) -> None:
    """Rotated, cropped, landscape, with scripts, with a broken table: the box of each word covers its ink."""
    with Paper(READABLE[name]()) as paper:
        words, pixels = paper.pages[0].words, paper.pixels(0)
    assert [word.text for word in words] == ["Invoice", "4711"]
    dark = np.argwhere(grey_of(pixels) < 128)
    boxes = [[side * pixels.scale for side in word.box] for word in words]
    margin = 4
    inside = sum(
        int(
            (
                (dark[:, 1] >= x0 - margin) & (dark[:, 1] <= x1 + margin)
                & (dark[:, 0] >= y0 - margin) & (dark[:, 0] <= y1 + margin)
            ).sum()
        )
        for x0, y0, x1, y1 in boxes
    )  # fmt: skip
    assert len(dark) > 500 and inside >= len(dark)


def test_ten_thousand_pages_are_counted_and_not_all_read() -> None:
    with Paper(READABLE["10,000 pages"]()) as paper:
        assert paper.count == 10_000 and len(paper.pages) == limits.PAGES


REASONS = {  # of these, it is known
    "encrypted": Reason.ENCRYPTED,
    "noise": Reason.DAMAGED,
    "only a header": Reason.DAMAGED,
    "not a page": Reason.NOT_A_PAGE,
    "nothing": Reason.NOT_A_PAGE,
    "poster": Reason.TOO_LARGE,
    "image bomb": Reason.TOO_LARGE,
}


@pytest.mark.parametrize("name", BOUNDED)
def test_a_hostile_file_is_bounded(name: str) -> None:
    """It ends in a page or in a reason, in memory that is limited, and no process is left."""
    before, largest = _children(), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    reason, seconds = None, SECONDS if name in REASONS else ENDED_S
    try:
        with Paper(BOUNDED[name](), seconds=seconds) as paper:
            assert len(paper.pages) <= limits.PAGES
            assert sum(len(page.words) for page in paper.pages) <= limits.CHARACTERS
            assert len(paper.pixels(0).data) <= 2 * limits.PAGE_PIXELS
    except CannotLook as error:
        reason = error.reason
    assert reason is REASONS.get(name, reason)
    assert _children() == before
    grown = resource.getrusage(
        resource.RUSAGE_CHILDREN
    ).ru_maxrss  # of all children: a browser of another test was larger
    assert grown == largest or grown * 1024 <= limits.MEMORY_BYTES


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "TIFF"])
def test_an_original_that_is_an_image_is_a_page_without_words(kind: str) -> None:
    packed = io.BytesIO()
    drawn = Image.new("L", (400, 600), 255)
    drawn.paste(0, (100, 100, 200, 300))
    drawn.save(packed, kind, dpi=(100, 100))
    with Paper(packed.getvalue()) as paper:
        (page,), pixels = paper.pages, paper.pixels(0)
    assert (round(page.width), round(page.height), page.words) == (288, 432, ())
    assert (pixels.width, pixels.height) == (800, 1200)
    assert grey_of(pixels)[400, 300] < 20 and grey_of(pixels)[900, 300] > 235


def test_a_file_that_takes_too_long_is_ended_at_its_deadline() -> None:
    with pytest.raises(CannotLook) as caught, Paper(READABLE["rotated"](), seconds=0.0) as paper:
        paper.pixels(0)
    assert caught.value.reason is Reason.TOO_SLOW


def test_a_larger_file_than_the_limit_is_not_opened() -> None:
    with pytest.raises(CannotLook) as caught:
        Paper(b"%PDF-" + bytes(limits.FILE_BYTES))
    assert caught.value.reason is Reason.TOO_LARGE


def test_the_process_that_opens_a_file_can_open_nothing_else() -> None:
    """No socket, no file, no child: whatever a PDF makes of PDFium, it cannot reach anything."""
    program = """
import socket, sys
from hook.ink.pages.opener import limit_itself
limit_itself()
for attempt in (socket.socket, lambda: open("/etc/passwd"), lambda: open("/tmp/x", "w")):
    try:
        attempt()
        print("opened")
    except OSError as error:
        print(error.errno)
try:
    bytearray(2 << 30)
    print("allocated")
except MemoryError:
    print("refused")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["24", "24", "24", "refused"]


def test_the_process_does_not_get_the_environment() -> None:
    """Paperless's token and passwords are in it."""
    before = _children()
    with Paper(READABLE["rotated"]()):
        (child,) = _children() - before
        environ = Path(f"/proc/{child}/environ").read_bytes()
    assert [entry.split(b"=")[0] for entry in environ.split(b"\0") if entry] == [b"PATH"]
