"""A printed page put on a scanner, or photographed: an image with its faults, and where each point of the page went."""

from __future__ import annotations

import io
import random
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pypdfium2 as pdfium
from PIL import Image, ImageFilter

Matrix = npt.NDArray[np.float64]
LEVELS = ("digital", "light", "medium", "heavy", "photo", "fax")
TIMEOUT_S = 180
POINTS_PER_INCH = 72.0


@dataclass(frozen=True, slots=True)
class Fault:
    """What a device does to a page."""

    dpi: int
    turn: float  # degrees
    blur: float  # pixels
    grain: float  # of 255
    quality: int  # of JPEG
    shade: float  # how much darker the page gets towards a side
    lift: float  # share of the side by which a corner is off, as in a photo
    black_white: bool = False


def drawn(level: str, rng: random.Random) -> Fault:
    turn = rng.uniform(-1, 1)
    if level == "light":
        return Fault(
            rng.choice((250, 300)), 0.4 * turn, rng.uniform(0.4, 0.8), rng.uniform(2, 6), 85, 0.0, 0.0
        )
    if level == "medium":
        return Fault(
            rng.choice((150, 200)),
            0.8 * turn,
            rng.uniform(0.5, 0.9),
            rng.uniform(5, 12),
            rng.choice((60, 75)),
            rng.uniform(0, 0.2),
            0.0,
        )
    if level == "heavy":
        return Fault(
            rng.choice((120, 130, 150)),
            turn,
            rng.uniform(0.6, 1.0),
            rng.uniform(8, 18),
            rng.choice((40, 55)),
            rng.uniform(0.05, 0.2),
            0.0,
        )
    if level == "photo":
        return Fault(
            rng.choice((150, 200)),
            1.5 * turn,
            rng.uniform(0.7, 1.1),
            rng.uniform(5, 12),
            rng.choice((50, 70)),
            rng.uniform(0.05, 0.25),
            0.03,
        )
    return Fault(
        rng.choice((150, 200)),
        0.6 * turn,
        rng.uniform(0.4, 0.8),
        rng.uniform(5, 15),
        95,
        rng.uniform(0, 0.1),
        0.0,
        True,
    )


def scanned(pdf: bytes, fault: Fault, rng: random.Random) -> list[tuple[Any, Matrix]]:
    """Each page as an image, and the matrix from points of the page to points of the image."""
    document = pdfium.PdfDocument(pdf)
    try:
        return [
            worsened(
                page.render(scale=fault.dpi / POINTS_PER_INCH, grayscale=True).to_pil().convert("L"),
                fault,
                rng,
            )
            for page in document
        ]
    finally:
        document.close()


def worsened(image: Any, fault: Fault, rng: random.Random) -> tuple[Any, Matrix]:
    width, height = image.size
    matrix = _turned(width, height, fault, rng)
    inverse = np.linalg.inv(matrix)
    inverse /= inverse[2, 2]
    image = image.transform(
        (width, height),
        Image.Transform.PERSPECTIVE,
        tuple(inverse.ravel()[:8]),
        Image.Resampling.BICUBIC,
        fillcolor=255,
    )
    image = image.filter(ImageFilter.GaussianBlur(fault.blur))
    noise = np.random.default_rng(rng.randrange(2**32))
    grey = np.asarray(image, dtype=np.float64) * rng.uniform(0.85, 1.0) + rng.uniform(0, 25)
    ramp = np.linspace(0, 1, width)[None, :] if rng.random() < 0.5 else np.linspace(1, 0, height)[:, None]
    grey = grey * (1 - fault.shade * ramp) + noise.normal(0, fault.grain, (height, width))
    if fault.black_white:
        grey = np.where(grey > rng.uniform(120, 165), 255.0, 0.0)
    packed = io.BytesIO()
    Image.fromarray(np.clip(grey, 0, 255).astype(np.uint8)).save(packed, "JPEG", quality=fault.quality)
    to_pixels = np.diag([fault.dpi / POINTS_PER_INCH] * 2 + [1.0])
    return Image.open(packed), np.linalg.inv(to_pixels) @ matrix @ to_pixels


def _turned(width: int, height: int, fault: Fault, rng: random.Random) -> Matrix:
    """Turned about the middle, moved a little, and for a photo with four corners that are off."""
    angle = np.deg2rad(fault.turn)
    cos, sin = np.cos(angle), np.sin(angle)
    x, y = width / 2, height / 2
    shift_x, shift_y = rng.uniform(-0.008, 0.008) * width, rng.uniform(-0.008, 0.008) * height
    turn = np.array(
        [[cos, -sin, x - cos * x + sin * y + shift_x], [sin, cos, y - sin * x - cos * y + shift_y], [0, 0, 1]]
    )
    if not fault.lift:
        return turn
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=float)
    inside = corners * 0.94 + np.array([0.03 * width, 0.03 * height])  # a photo shows the whole page
    moved = inside + np.array(
        [[rng.uniform(-1, 1) * fault.lift * width, rng.uniform(-1, 1) * fault.lift * height] for _ in corners]
    )
    rows: list[list[float]] = []
    for (px, py), (qx, qy) in zip(corners, moved, strict=True):
        rows.append([px, py, 1, 0, 0, 0, -qx * px, -qx * py])
        rows.append([0, 0, 0, px, py, 1, -qy * px, -qy * py])
    found = np.append(np.linalg.solve(np.array(rows), moved.ravel()), 1.0).reshape(3, 3)
    return np.asarray(found @ turn)


def read(images: list[Any], language: str, dpi: int, target: Path) -> None:
    """What tesseract makes of it: TARGET.txt, and TARGET.pdf with an invisible text layer, as OCRmyPDF's."""
    names = []
    for number, image in enumerate(images):
        name = target.with_name(f"{target.name}-{number}.jpg")
        image.save(name, quality=95, dpi=(dpi, dpi))
        names.append(name)
    listed = target.with_name(target.name + ".list")
    listed.write_text("\n".join(map(str, names)))
    command = ["tesseract", str(listed), str(target), "-l", language, "--dpi", str(dpi), "pdf", "txt"]
    subprocess.run(
        command,
        env={"OMP_THREAD_LIMIT": "1", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        timeout=TIMEOUT_S,
        check=True,
    )
    for name in (*names, listed):
        name.unlink()
