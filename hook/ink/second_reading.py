"""Reads a place again, by itself, with tesseract where it is installed: a second opinion before ink is called different."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from typing import Final

import numpy as np

from dedupe_core.text.words import word_key
from hook.ink.located import Spot
from hook.ink.pages.page import Pixels
from hook.ink.pages.paper import Paper
from hook.ink.raster import grey_of

_TIMEOUT_S: Final = 10.0
_MARGIN: Final = 2.0  # points of the page around a place
_BORDER: Final = 20  # white pixels around the crop: tesseract wants some
_TIMES: Final = 2  # 200 dpi enlarged to 400: its models were trained on about 300


def second_reading() -> Callable[[Paper, Spot], str | None] | None:
    """None if tesseract is not installed."""
    program = shutil.which("tesseract")
    if program is None:
        return None
    language = _language(program)
    return (lambda paper, spot: _read(program, language, paper, spot)) if language else None


@cache
def _language(program: str) -> str:
    """English if it is there: both sides are read in the same way, and several languages take several times as long."""
    done = subprocess.run(
        [program, "--list-langs"], capture_output=True, timeout=_TIMEOUT_S, check=False, env={}
    )
    names = [line.strip() for line in done.stdout.decode("utf-8", "replace").splitlines()[1:]]
    return min((name for name in names if name != "osd"), key=lambda name: name != "eng", default="")


def _read(program: str, language: str, paper: Paper, spot: Spot) -> str | None:
    image = _graymap(paper.pixels(spot.page), spot)
    command = [program, "stdin", "stdout", "-l", language, "--psm", "7", "--dpi", "400"]
    try:
        done = subprocess.run(
            command,
            input=image,
            capture_output=True,
            timeout=_TIMEOUT_S,
            check=True,
            env={"OMP_THREAD_LIMIT": "1"},
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return "".join(word_key(word) for word in done.stdout.decode("utf-8", "replace").split())


def _graymap(pixels: Pixels, spot: Spot) -> bytes:
    x0, y0, x1, y1 = (max(0, int(side * pixels.scale)) for side in spot.box.grown(_MARGIN, _MARGIN))
    crop = grey_of(pixels)[y0:y1, x0:x1].repeat(_TIMES, 0).repeat(_TIMES, 1)
    crop = np.pad(crop, _BORDER, constant_values=255) if not crop.size else np.pad(crop, _BORDER, mode="edge")
    return b"P5 %d %d 255\n" % crop.shape[::-1] + crop.tobytes()
