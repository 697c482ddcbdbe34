"""PDF files as Paperless gets them: text that it can read without OCR, and the same page as a picture."""

from __future__ import annotations

import io
from functools import cache

from pypdfium2 import PdfDocument

from scripts.pages.printing import Style, printed_pdf

STYLE = Style("Helvetica", 10.0, 56.0, 1.3)


@cache
def text_pdf(text: str, *, comment: str = "") -> bytes:
    """The same text is the same file, although PDFium writes the time into it; another comment makes another one."""
    return printed_pdf(text, STYLE) + (f"% {comment}\n".encode() if comment else b"")


def scanned_pdf(text: str, *, dpi: int = 300) -> bytes:
    """The first page as a picture, as a scanner would make it."""
    document = PdfDocument(printed_pdf(text, STYLE))
    picture = document[0].render(scale=dpi / 72, grayscale=True).to_pil()
    document.close()
    out = io.BytesIO()
    picture.save(out, "PDF", resolution=dpi, quality=90)
    return out.getvalue()
