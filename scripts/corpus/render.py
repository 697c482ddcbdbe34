"""Text set in type on a page image, and a scanned page read by tesseract; scripts/pages/scanning.py is between the two.

Optional tools, for measuring alone: Pillow from PyPI; tesseract with its language data and a few fonts from the system.
"""

from __future__ import annotations

import hashlib
import io
import os
import random
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.corpus.locales import LOCALES

LANGUAGES = {lang: locale.tesseract for lang, locale in LOCALES.items()}
FONTS = Path("/usr/share/fonts")
NAMES = (
    "DejaVuSans", "DejaVuSerif", "DejaVuSansMono", "LiberationSans-Regular", "LiberationSerif-Regular", "LiberationMono-Regular",
    "LiberationSansNarrow-Regular", "Lato-Regular", "Roboto-Regular", "Carlito-Regular", "NotoSans-Regular", "NotoSerif-Regular",
    "FreeSans", "FreeSerif", "EBGaramond12-Regular",
)  # fmt: skip
PAPER_INCHES, MARGIN_INCHES = (8.27, 11.69), 0.8
TIMEOUT_S = 1800  # on a busy machine
ONE_THREAD = {"OMP_THREAD_LIMIT": "1"}  # several threads on one page wait for each other more than they help


class ToolMissing(Exception):
    """Something that is not installed with the project is needed; the message says what."""


def faces() -> list[Path]:
    """The typefaces that are installed, of those that letters are set in."""
    found = [path for path in sorted(FONTS.rglob("*.[to]tf")) if path.stem in NAMES]
    if not found:
        raise ToolMissing(f"no fonts in {FONTS}: install fonts-dejavu-core or fonts-liberation")
    return found


@dataclass(frozen=True, slots=True)
class Face:
    """How one sender sets its papers."""

    font: Path
    points: float
    leading: float
    columns: tuple[float, ...]  # where the cells of a row begin, as shares of the line
    right: bool  # the last cell ends at the margin

    @classmethod
    def draw(cls, found: list[Path], rng: random.Random) -> Face:
        second = rng.choice((0.4, 0.5, 0.6))
        columns = (0.0, second, second + (1 - second) * 0.45, second + (1 - second) * 0.72)
        return cls(rng.choice(found), rng.choice((9, 10, 10.5, 11, 12)), rng.choice((1.15, 1.3, 1.45)), columns, rng.random() < 0.5)  # fmt: skip


def set_in_type(lines: list[str], face: Face, dpi: int) -> list[Any]:
    """Grey pages with these lines on them; the cells of a row are parted by tabs."""
    try:
        from PIL import Image, ImageDraw, ImageFont
    except ImportError as error:
        raise ToolMissing("rendering needs Pillow: pip install pillow") from error
    size, margin = tuple(round(side * dpi) for side in PAPER_INCHES), round(MARGIN_INCHES * dpi)
    wide = size[0] - 2 * margin
    font = ImageFont.truetype(str(face.font), round(face.points * dpi / 72))
    longest = max((font.getlength(line) for line in lines if "\t" not in line), default=wide)
    if longest > wide:
        font = ImageFont.truetype(str(face.font), max(6, int(font.size * wide / longest)))
    height = round(font.size * face.leading)
    rows = (size[1] - 2 * margin) // height
    pages = []
    for start in range(0, len(lines), rows):
        used = min(size[1], 2 * margin + height * len(lines[start : start + rows]))
        image = Image.new("L", (size[0], used), 255)
        pen = ImageDraw.Draw(image)
        for number, line in enumerate(lines[start : start + rows]):
            cells, edge = line.split("\t"), 0.0
            for column, cell in enumerate(cells):
                share = face.columns[column] if column < len(face.columns) else 0.9
                at = max(share * wide, edge)
                length = font.getlength(cell)
                if face.right and 0 < column == len(cells) - 1:
                    at = max(at, wide - length)
                pen.text((margin + at, margin + number * height), cell, font=font, fill=20)
                edge = at + length + font.size * 0.6
        pages.append(image)
    return pages


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


def scanned(text: str, lang: str, face: Face, rng: random.Random, cache: Path | None = None) -> str:
    """The text printed, scanned as an office scanner does and read once; read from `cache` if the same page was read before."""
    from scripts.pages.scanning import drawn, worsened

    seed = rng.random()
    key = hashlib.sha256(f"{lang}/{face}/{seed}/{text}".encode()).hexdigest()[:32]
    known = cache / f"{key}.txt" if cache else None
    if known and known.exists():
        return known.read_text(encoding="utf-8")
    fresh = random.Random(seed)
    fault = drawn("medium", fresh)
    pages = set_in_type(text.split("\n"), face, fault.dpi)
    found = "\n".join(read(worsened(page, fault, fresh)[0], lang, fault.dpi) for page in pages)
    if known:
        known.parent.mkdir(parents=True, exist_ok=True)
        known.write_text(found, encoding="utf-8")
    return found
