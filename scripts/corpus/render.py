"""Text printed on a page image, the image worsened as a scanner does it, and read again by tesseract.

Optional tools, for measuring alone: Pillow from PyPI; tesseract with its language data and a few fonts from the system.
"""

from __future__ import annotations

import hashlib
import io
import os
import random
import subprocess
from pathlib import Path
from typing import Any

import numpy as np

LANGUAGES = {
    "en": "eng",
    "de": "deu",
    "fr": "fra",
    "es": "spa",
    "it": "ita",
    "nl": "nld",
    "pl": "pol",
    "pt": "por",
    "sv": "swe",
    "cs": "ces",
}
FONTS = Path("/usr/share/fonts/truetype")
NAMES = (
    "dejavu/DejaVuSans.ttf", "dejavu/DejaVuSerif.ttf", "liberation/LiberationSerif-Regular.ttf",
    "liberation/LiberationSans-Regular.ttf", "liberation2/LiberationSerif-Regular.ttf", "liberation2/LiberationSans-Regular.ttf",
)  # fmt: skip
WIDTH_INCHES, MARGIN_INCHES = 8.27, 0.8
TIMEOUT_S = 120
ONE_THREAD = {"OMP_THREAD_LIMIT": "1"}  # several threads on one page wait for each other more than they help


class ToolMissing(Exception):
    """Something that is not installed with the project is needed; the message says what."""


def fonts() -> list[Path]:
    found = [FONTS / name for name in NAMES if (FONTS / name).exists()]
    if not found:
        raise ToolMissing(f"no fonts in {FONTS}: install fonts-dejavu-core or fonts-liberation")
    return found


def printed(text: str, font: Path, dpi: int, rng: random.Random) -> Any:
    """A grey image of a page with this text on it, its lines as they are."""
    try:
        from PIL import Image, ImageDraw, ImageFont
    except ImportError as error:
        raise ToolMissing("rendering needs Pillow: pip install pillow") from error
    lines = text.split("\n")
    margin = round(MARGIN_INCHES * dpi)
    wide = round(WIDTH_INCHES * dpi) - 2 * margin
    size = rng.choice((10, 10.5, 11, 12)) * dpi / 72
    face = ImageFont.truetype(str(font), round(size))
    longest = max(face.getlength(line) for line in lines)
    if longest > wide:
        face = ImageFont.truetype(str(font), max(6, int(size * wide / longest)))
    height = round(face.size * 1.35)
    image = Image.new("L", (wide + 2 * margin, height * len(lines) + 2 * margin), 255)
    pen = ImageDraw.Draw(image)
    for number, line in enumerate(lines):
        pen.text((margin, margin + number * height), line, font=face, fill=20)
    return image


def worsened(image: Any, rng: random.Random) -> Any:
    """A little crooked, soft, grainy and compressed, as an office scanner or its neighbour leaves it."""
    from PIL import Image, ImageFilter

    image = image.rotate(rng.uniform(-0.7, 0.7), resample=Image.Resampling.BICUBIC, fillcolor=255)
    image = image.filter(ImageFilter.GaussianBlur(rng.uniform(0.3, 1.0)))
    grain = np.random.default_rng(rng.randrange(2**32)).normal(
        0, rng.uniform(3, 16), (image.height, image.width)
    )
    grey = np.clip(
        np.asarray(image, dtype=np.float64) * rng.uniform(0.85, 1.0) + rng.uniform(0, 25) + grain, 0, 255
    )
    packed = io.BytesIO()
    Image.fromarray(grey.astype(np.uint8)).save(packed, "JPEG", quality=rng.choice((45, 60, 80)))
    return Image.open(packed)


def read(image: Any, lang: str, dpi: int) -> str:
    """What tesseract reads."""
    packed = io.BytesIO()
    image.save(packed, "PNG")
    command = ["tesseract", "stdin", "stdout", "-l", LANGUAGES[lang], "--dpi", str(dpi)]
    try:
        done = subprocess.run(
            command,
            env=os.environ | ONE_THREAD,
            input=packed.getvalue(),
            capture_output=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    except FileNotFoundError as error:
        raise ToolMissing("reading pages needs tesseract: install tesseract-ocr") from error
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise ToolMissing(
            f"tesseract failed ({said[0] if said else done.returncode}): install tesseract-ocr-{LANGUAGES[lang]}"
        )
    return done.stdout.decode("utf-8").strip("\f\n") + "\n"


def page_of(text: str, font: Path, rng: random.Random) -> tuple[Any, int]:
    """The image of a scanned page, and its dots per inch."""
    dpi = rng.choice((130, 150, 200))
    return worsened(printed(text, font, dpi, rng), rng), dpi


def scanned(text: str, lang: str, font: Path, rng: random.Random, cache: Path | None = None) -> str:
    """The text printed, scanned and read once; read from `cache` if the same page was read before."""
    seed = rng.random()
    key = hashlib.sha256(f"{lang}/{font.name}/{seed}/{text}".encode()).hexdigest()[:32]
    known = cache / f"{key}.txt" if cache else None
    if known and known.exists():
        return known.read_text(encoding="utf-8")
    image, dpi = page_of(text, font, random.Random(seed))
    found = read(image, lang, dpi)
    if known:
        known.parent.mkdir(parents=True, exist_ok=True)
        known.write_text(found, encoding="utf-8")
    return found
