"""A place as a picture: the line around it, the place itself on a yellow ground. PNG, without Pillow."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from functools import reduce
from typing import Final

import numpy as np
import numpy.typing as npt

from hook.ink.located import Spot
from hook.ink.pages.page import Box, Pixels
from hook.ink.raster import grey_of

_BESIDE: Final = 90.0  # points of the line on each side of the place
_ABOVE: Final = 5.0
_WIDEST: Final = 420.0  # points; of a longer place the beginning is shown
_HIGHEST: Final = 90.0
_YELLOW: Final = np.array([255, 236, 130], np.float32) / 255
_MARGIN: Final = 1.5  # points of yellow around the letters


def crop_png(pixels: Pixels, spots: Sequence[Spot]) -> bytes:
    """Of the spots that are on the page of the first one."""
    boxes = [spot.box for spot in spots if spot.page == spots[0].page]
    shown = _shown(reduce(Box.joined, boxes), pixels)
    x0, y0, x1, y1 = (round(side * pixels.scale) for side in shown)
    grey = grey_of(pixels)[y0:y1, x0:x1]
    coloured = np.repeat(grey[:, :, None], 3, axis=2).astype(np.float32)
    for box in boxes:
        left, top, right, bottom = (round(side * pixels.scale) for side in box.grown(_MARGIN, _MARGIN))
        coloured[max(0, top - y0) : max(0, bottom - y0), max(0, left - x0) : max(0, right - x0)] *= _YELLOW
    return png(coloured.astype(np.uint8))


def _shown(box: Box, pixels: Pixels) -> Box:
    width, height = pixels.width / pixels.scale, pixels.height / pixels.scale
    box = Box(box.x0, box.y0, min(box.x1, box.x0 + _WIDEST), min(box.y1, box.y0 + _HIGHEST))
    box = box.grown(_BESIDE, _ABOVE)
    x0, y0 = min(max(0.0, box.x0), width - 1), min(max(0.0, box.y0), height - 1)
    return Box(x0, y0, max(x0 + 1, min(width, box.x1)), max(y0 + 1, min(height, box.y1)))


def page_png(pixels: Pixels) -> bytes:
    """The whole page at half of the resolution."""
    grey = grey_of(pixels)
    rows, columns = grey.shape[0] // 2 * 2, grey.shape[1] // 2 * 2
    half = grey[:rows, :columns].reshape(rows // 2, 2, columns // 2, 2).mean(axis=(1, 3))
    return png(np.repeat(half.astype(np.uint8)[:, :, None], 3, axis=2))


def png(image: npt.NDArray[np.uint8]) -> bytes:
    """Of rows of red, green and blue."""
    rows, columns, _ = image.shape
    lines = np.concatenate([np.zeros((rows, 1), np.uint8), image.reshape(rows, -1)], axis=1)
    head = struct.pack(">IIBBBBB", columns, rows, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(lines.tobytes(), 6)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )
