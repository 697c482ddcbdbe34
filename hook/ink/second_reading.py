"""Reads places again, each by itself, with tesseract where it is installed: a second opinion where the ink is different, or nearly
alike. All places of a pair are read in one run, as the pages of a TIFF: a run takes 0.2 s to start, and a word 0.01 s."""

from __future__ import annotations

import shutil
import struct
import subprocess
from collections.abc import Callable, Sequence
from functools import partial
from itertools import accumulate
from typing import Final

import numpy as np

from dedupe_core.text.words import word_key
from hook.ink.located import Spot
from hook.ink.pages.paper import Paper
from hook.ink.raster import Grey, grey_of

_TIMEOUT_S: Final = 15.0  # for all places of a pair; what is not read by then stays open
_MOST_BYTES: Final = 32 << 20  # of all crops; a line at 400 dpi has 0.2 MB
_MARGIN: Final = 1.0  # points above and below a place; beside it are strokes of its neighbours
_BORDER: Final = 20  # white pixels around the crop: tesseract wants some
_TIMES: Final = 2  # 200 dpi enlarged to 400: its models were trained on about 300

Reread = Callable[[Sequence[tuple[Paper, Spot]]], list[str | None]]


def second_reading(seconds: float = _TIMEOUT_S) -> Reread | None:
    """None if tesseract is not installed."""
    program = shutil.which("tesseract")
    return partial(_read, program, seconds) if program else None


def is_read_alike(here: str | None, there: str | None) -> bool:
    """To the last sign, if there is a digit or no letter."""
    if not here or not there:
        return False
    letters = ["".join(filter(str.isalnum, text.casefold())) for text in (here, there)]
    is_word = bool(letters[0]) and not any(map(str.isdigit, here + there))
    return letters[0] == letters[1] if is_word else here.split() == there.split()


def is_read_otherwise(here: str | None, there: str | None) -> bool:
    if here is None or there is None:
        return False
    return "".join(map(word_key, here.split())) != "".join(map(word_key, there.split()))


def _read(program: str, seconds: float, places: Sequence[tuple[Paper, Spot]]) -> list[str | None]:
    """In English, which is always installed: several languages take several times as long, and only a difference counts."""
    crops = [_crop(*place) for place in places]
    sizes = accumulate(crop.size for crop in crops)
    crops = [crop for crop, size in zip(crops, sizes, strict=True) if size <= _MOST_BYTES]
    if not crops:
        return [None] * len(places)
    try:
        read = subprocess.run(
            [program, "stdin", "stdout", "-l", "eng", "--psm", "7", "--dpi", "400"],
            input=_tiff(crops),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=seconds,
            check=True,
            env={"OMP_THREAD_LIMIT": "1"},
        ).stdout.split(b"\f")
    except subprocess.TimeoutExpired as error:
        read = (error.stdout or b"").split(b"\f")[:-1]  # the last one may be cut off
    except (OSError, subprocess.SubprocessError):
        read = []
    texts: list[str | None] = [one.decode("utf-8", "replace").strip() for one in read[: len(crops)]]
    return texts + [None] * (len(places) - len(texts))


def _crop(paper: Paper, spot: Spot) -> Grey:
    pixels = paper.pixels(spot.page)
    x0, y0, x1, y1 = (max(0, int(side * pixels.scale)) for side in spot.box.grown(0.0, _MARGIN))
    crop = grey_of(pixels)[y0:y1, x0:x1].repeat(_TIMES, 0).repeat(_TIMES, 1)
    return np.pad(crop, _BORDER, constant_values=255) if not crop.size else np.pad(crop, _BORDER, mode="edge")


def _tiff(images: Sequence[Grey]) -> bytes:
    """A page each, grey and not compressed."""
    out = bytearray(b"II*\0\0\0\0\0")
    link = 4  # where the address of the next page is written
    for image in images:
        rows, columns = image.shape
        at = len(out)
        out += image.tobytes() + b"\0" * (image.size % 2)
        struct.pack_into("<I", out, link, len(out))
        # width, height, 8 bits, not compressed, black is 0, where the pixels are, rows in this strip, bytes in it
        tags = {256: columns, 257: rows, 258: 8, 259: 1, 262: 1, 273: at, 278: rows, 279: image.size}
        out += struct.pack("<H", len(tags))
        for tag, value in tags.items():
            out += struct.pack("<HHII", tag, 4, 1, value)
        link = len(out)
        out += b"\0\0\0\0"
    return bytes(out)
