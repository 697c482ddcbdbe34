"""A PDF by PDFium: words with their boxes, pages in grey. Used inside the process of `opener` alone."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from hook.ink.pages import limits
from hook.ink.pages.opener import Refused
from hook.ink.pages.page import POINTS_PER_INCH

_HYPHENS = (0x02, 0xAD, 0xFFFE)  # how PDFium says that a word was broken at the end of a line
_FINE = 1 << 20  # steps into which a side of a page is divided when its corners are computed
_LEAST_SIDE, _MOST_SIDE = 1.0, 14_400.0  # points; PDF allows 14,400

WordRow = tuple[str, float, float, float, float]
Corners = tuple[float, float, float, float]


class Pdf:
    def __init__(self, data: bytes) -> None:
        try:
            self._document = pdfium.PdfDocument(data)
            self.count = len(self._document)
        except pdfium.PdfiumError as error:
            is_locked = getattr(error, "err_code", None) in (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY)
            raise Refused("encrypted" if is_locked else "damaged") from error
        if not self.count:
            raise Refused("no pages")
        self._characters = 0

    def pages(self) -> list[dict[str, Any]]:
        return [self._page(number) for number in range(min(self.count, limits.PAGES))]

    def _page(self, number: int) -> dict[str, Any]:
        """A page that cannot be read is an empty one: the others may be fine."""
        try:
            page = self._document[number]
            width, height = page.get_size()
        except pdfium.PdfiumError:
            return {"width": 0.0, "height": 0.0, "words": []}
        is_read = _is_sized(width, height) and self._characters < limits.CHARACTERS
        words = list(self._words(page, width, height)) if is_read else []
        return {"width": width, "height": height, "words": words}

    def _words(self, page: Any, width: float, height: float) -> Iterator[WordRow]:
        try:
            text = page.get_textpage()
        except pdfium.PdfiumError:
            return
        count = min(raw.FPDFText_CountChars(text), limits.PAGE_CHARACTERS)
        self._characters += max(0, count)
        yield from _words_of(_characters(text, count), _Placing(page, width, height))

    def grey(self, number: int, dpi: float) -> tuple[dict[str, Any], bytes]:
        try:
            page = self._document[number]
        except pdfium.PdfiumError as error:
            raise Refused("damaged") from error
        width, height = page.get_size()
        scale = fitting_scale(width, height, dpi)
        columns, rows = max(1, round(width * scale)), max(1, round(height * scale))
        bitmap = pdfium.PdfBitmap.new_native(columns, rows, raw.FPDFBitmap_Gray)
        raw.FPDFBitmap_FillRect(bitmap, 0, 0, columns, rows, 0xFFFFFFFF)
        flags = raw.FPDF_ANNOT | raw.FPDF_GRAYSCALE
        raw.FPDF_RenderPageBitmap(bitmap, page, 0, 0, columns, rows, 0, flags)
        shape = {"width": columns, "height": rows, "stride": bitmap.stride, "scale": scale}
        return shape, bytes(bitmap.buffer)


def fitting_scale(width: float, height: float, dpi: float) -> float:
    """Pixels a point, fewer for a large page; a poster is refused."""
    if not _is_sized(width, height):
        raise Refused("too large")
    scale = min(dpi / POINTS_PER_INCH, (limits.PAGE_PIXELS / (width * height)) ** 0.5)
    if scale < limits.LEAST_DPI / POINTS_PER_INCH:
        raise Refused("too large")
    return float(scale)


def _is_sized(width: float, height: float) -> bool:
    return min(width, height) >= _LEAST_SIDE and max(width, height) <= _MOST_SIDE


Character = tuple[int, bool, Corners | None]


def _characters(text: Any, count: int) -> Iterator[Character]:
    """Code, whether PDFium made it up, and its box in the space of the page; a blank of no width has none."""
    rect = raw.FS_RECTF()
    pointer = ctypes.byref(rect)
    for place in range(count):
        is_boxed = raw.FPDFText_GetLooseCharBox(text, place, pointer)
        yield (
            raw.FPDFText_GetUnicode(text, place),
            raw.FPDFText_IsGenerated(text, place) == 1,
            (rect.left, rect.bottom, rect.right, rect.top) if is_boxed else None,
        )


class _Placing:
    """From the space of a page to points from its top left corner, as it is shown: cropped and rotated."""

    def __init__(self, page: Any, width: float, height: float) -> None:
        corners = [_device(page, x, y) for x, y in ((0.0, 0.0), (1000.0, 0.0), (0.0, 1000.0))]
        (x0, y0), (x1, y1), (x2, y2) = ((x * width / _FINE, y * height / _FINE) for x, y in corners)
        self._xx, self._xy, self._x = (x1 - x0) / 1000, (x2 - x0) / 1000, x0
        self._yx, self._yy, self._y = (y1 - y0) / 1000, (y2 - y0) / 1000, y0

    def __call__(self, box: Corners) -> Corners:
        left, bottom, right, top = box
        xs = [self._xx * x + self._xy * y + self._x for x in (left, right) for y in (bottom, top)]
        ys = [self._yx * x + self._yy * y + self._y for x in (left, right) for y in (bottom, top)]
        return min(xs), min(ys), max(xs), max(ys)


def _device(page: Any, x: float, y: float) -> tuple[int, int]:
    found_x, found_y = ctypes.c_int(), ctypes.c_int()
    raw.FPDF_PageToDevice(page, 0, 0, _FINE, _FINE, 0, x, y, ctypes.byref(found_x), ctypes.byref(found_y))
    return found_x.value, found_y.value


def _words_of(characters: Iterator[Character], placed: _Placing) -> Iterator[WordRow]:
    letters: list[str] = []
    boxes: list[Corners] = []
    for code, is_made_up, raw_box in characters:
        character = "-" if code in _HYPHENS else chr(code) if 0 < code < 0x110000 else "\ufffd"
        box = placed(raw_box) if raw_box else None
        is_blank = character.isspace() or box is None
        if letters and (is_blank or _is_elsewhere(boxes[-1], box)):
            blank = box if is_blank and not is_made_up and character == " " else None
            yield _word(letters, boxes, blank)
            letters, boxes = [], []
        if not is_blank and box is not None and len(letters) < limits.WORD_CHARACTERS:
            letters.append(character)
            boxes.append(box)
    if letters:
        yield _word(letters, boxes, None)


def _is_elsewhere(last: Corners, box: Corners | None) -> bool:
    """The next character is on another line, or columns away, without a blank between them; in any direction of writing."""
    if box is None:
        return False
    size = max(min(last[2] - last[0], last[3] - last[1]), min(box[2] - box[0], box[3] - box[1]), 0.1)
    across = max(box[0] - last[2], last[0] - box[2])
    down = max(box[1] - last[3], last[1] - box[3])
    return max(across, down) > 1.5 * size


def _word(letters: list[str], boxes: list[Corners], blank: Corners | None) -> WordRow:
    """With the blank behind it, up to the width of a character: Tesseract stretches a word over it, and without it the
    last digit is cut off."""
    x0, y0 = min(box[0] for box in boxes), min(box[1] for box in boxes)
    x1, y1 = max(box[2] for box in boxes), max(box[3] for box in boxes)
    text = "".join(letters).encode("utf-8", "replace").decode("utf-8")
    if blank and abs(blank[0] - x1) < 0.5 * (y1 - y0):
        x1 += min(max(0.0, blank[2] - x1), 1.2 * (x1 - x0) / len(letters))
    return text, x0, y0, x1, y1
