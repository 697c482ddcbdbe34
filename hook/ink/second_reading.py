"""Reads a place again, by itself, with tesseract where it is installed: a second opinion where the ink is different, or nearly alike."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np

from hook.ink.located import Spot
from hook.ink.pages.page import Pixels
from hook.ink.pages.paper import Paper
from hook.ink.raster import grey_of

_TIMEOUT_S: Final = 15.0  # for all places of a pair; what is not read by then stays open
_MARGIN: Final = 2.0  # points of the page around a place
_BORDER: Final = 20  # white pixels around the crop: tesseract wants some
_TIMES: Final = 2  # 200 dpi enlarged to 400: its models were trained on about 300


def second_reading(seconds: float = _TIMEOUT_S) -> Callable[[Paper, Spot], str | None] | None:
    """None if tesseract is not installed."""
    program = shutil.which("tesseract")
    return partial(_read, program, time.monotonic() + seconds) if program else None


def _read(program: str, until_s: float, paper: Paper, spot: Spot) -> str | None:
    """In English, which is always installed: several languages take several times as long, and only a difference counts."""
    left_s = until_s - time.monotonic()
    if left_s <= 0:
        return None
    try:
        done = subprocess.run(
            [program, "stdin", "stdout", "-l", "eng", "--psm", "7", "--dpi", "400"],
            input=_graymap(paper.pixels(spot.page), spot),
            capture_output=True,
            timeout=left_s,
            check=True,
            env={"OMP_THREAD_LIMIT": "1"},
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.decode("utf-8", "replace").strip()


def _graymap(pixels: Pixels, spot: Spot) -> bytes:
    x0, y0, x1, y1 = (max(0, int(side * pixels.scale)) for side in spot.box.grown(_MARGIN, _MARGIN))
    crop = grey_of(pixels)[y0:y1, x0:x1].repeat(_TIMES, 0).repeat(_TIMES, 1)
    crop = np.pad(crop, _BORDER, constant_values=255) if not crop.size else np.pad(crop, _BORDER, mode="edge")
    return b"P5 %d %d 255\n" % crop.shape[::-1] + crop.tobytes()
