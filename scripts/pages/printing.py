"""Text printed on pages of a PDF, as a program does it: with a text layer. By PDFium."""

from __future__ import annotations

import ctypes
import io
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as raw

WIDTH, HEIGHT = 595.0, 842.0  # A4, points
FONTS = Path("/usr/share/fonts/truetype")
STANDARD = ("Helvetica", "Times-Roman", "Courier", "Helvetica-Bold")  # PDFium has them itself
FILES = ("dejavu/DejaVuSans.ttf", "dejavu/DejaVuSerif.ttf", "dejavu/DejaVuSansCondensed.ttf")


@dataclass(frozen=True, slots=True)
class Style:
    font: str
    size: float
    margin: float
    leading: float

    @classmethod
    def draw(cls, rng: random.Random) -> Style:
        files = [name for name in FILES if (FONTS / name).exists()]
        font = rng.choice((*STANDARD[:3], *files, STANDARD[0], STANDARD[1]))
        return cls(
            font,
            rng.choice((9.0, 10.0, 10.0, 11.0, 12.0)),
            rng.choice((50.0, 60.0, 72.0)),
            rng.choice((1.2, 1.35, 1.5)),
        )


def printed_pdf(text: str, style: Style) -> bytes:
    document = pdfium.PdfDocument.new()
    font = _font(document, style.font)
    lines = _fitting(text.rstrip("\n").split("\n"), style, font)
    a_page = max(1, int((HEIGHT - 2 * style.margin) / (style.size * style.leading)))
    for start in range(0, max(1, len(lines)), a_page):
        page = document.new_page(WIDTH, HEIGHT)
        for row, line in enumerate(lines[start : start + a_page]):
            if line.strip():
                _write(
                    document,
                    page,
                    font,
                    line,
                    style,
                    HEIGHT - style.margin - (row + 1) * style.size * style.leading,
                )
        page.gen_content()
        page.close()
    out = io.BytesIO()
    document.save(out)
    document.close()
    return out.getvalue()


def _font(document: pdfium.PdfDocument, name: str) -> Any:
    if name in STANDARD:
        return raw.FPDFText_LoadStandardFont(document, name.encode())
    data = (FONTS / name).read_bytes()
    buffer = (ctypes.c_ubyte * len(data)).from_buffer_copy(data)
    return raw.FPDFText_LoadFont(document, buffer, len(data), raw.FPDF_FONT_TRUETYPE, True)


def _fitting(lines: list[str], style: Style, font: Any) -> list[str]:
    """Long lines are broken between words; the width of a character is taken as the font's widest usual share."""
    most = int((WIDTH - 2 * style.margin) / (style.size * (0.6 if "Courier" in style.font else 0.54)))
    found: list[str] = []
    for line in lines:
        while len(line) > most and " " in line[1:most].strip():
            cut = line.rfind(" ", 1, most)
            found.append(line[:cut])
            line = line[cut + 1 :]
        found.append(line)
    return found


def _write(
    document: pdfium.PdfDocument,
    page: pdfium.PdfPage,
    font: Any,
    line: str,
    style: Style,
    y: float,
) -> None:
    target = raw.FPDFPageObj_CreateTextObj(document, font, style.size)
    encoded = (line + "\0").encode("utf-16-le")
    buffer = (ctypes.c_ushort * (len(encoded) // 2)).from_buffer_copy(encoded)
    raw.FPDFText_SetText(target, buffer)
    raw.FPDFPageObj_Transform(target, 1, 0, 0, 1, style.margin, y)
    raw.FPDFPage_InsertObject(page, target)
