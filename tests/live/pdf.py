"""A tiny PDF writer: pages of Helvetica text that Paperless can read without OCR."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

LINES_PER_PAGE = 60
FONT_SIZE, LEADING, LEFT, TOP = 10, 13, 56, 800


def text_pdf(text: str, *, comment: str = "") -> bytes:
    """The text, line by line, on A4. Another comment makes another file of the same text."""
    lines = text.splitlines() or [""]
    pages = [lines[start : start + LINES_PER_PAGE] for start in range(0, len(lines), LINES_PER_PAGE)]
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", _page_tree(len(pages)), _font()]
    for number, page in enumerate(pages):
        objects += [_page(4 + 2 * number + 1), _stream(page)]
    return _file(objects, comment)


def _page_tree(count: int) -> bytes:
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(count))
    return f"<< /Type /Pages /Kids [{kids}] /Count {count} >>".encode()


def _font() -> bytes:
    return b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"


def _page(contents: int) -> bytes:
    return (
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] "
        f"/Resources << /Font << /F1 3 0 R >> >> /Contents {contents} 0 R >>"
    ).encode()


def _stream(lines: list[str]) -> bytes:
    body = b"\n".join(b"(" + _escaped(line) + b") Tj T*" for line in lines)
    drawn = f"BT /F1 {FONT_SIZE} Tf {LEADING} TL {LEFT} {TOP} Td\n".encode() + body + b"\nET"
    return b"<< /Length %d >>\nstream\n" % len(drawn) + drawn + b"\nendstream"


def _escaped(line: str) -> bytes:
    raw = line.encode("cp1252", errors="replace")
    return raw.replace(b"\\", rb"\\").replace(b"(", rb"\(").replace(b")", rb"\)")


def _file(objects: list[bytes], comment: str) -> bytes:
    out = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    if comment:
        out += b"% " + comment.encode("ascii") + b"\n"
    offsets = []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(out))
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, table)
    return bytes(out)


def scanned_pdf(text: str, *, dpi: int = 300) -> bytes:
    """The same pages as pictures, as a scanner would make them; needs pdftoppm (poppler)."""
    with tempfile.TemporaryDirectory() as place:
        source = Path(place) / "page.pdf"
        source.write_bytes(text_pdf(text))
        command = ["pdftoppm", "-r", str(dpi), "-gray", "-jpeg", "-f", "1", "-l", "1", "-singlefile"]
        subprocess.run([*command, source, Path(place) / "page"], check=True)
        picture = (Path(place) / "page.jpg").read_bytes()
    size = picture.index(b"\xff\xc0") + 5  # the frame header: height, width, number of colours
    height, width = (int.from_bytes(picture[at : at + 2], "big") for at in (size, size + 2))
    colour = "DeviceGray" if picture[size + 4] == 1 else "DeviceRGB"
    image = (
        f"<< /Type /XObject /Subtype /Image /Width {width} /Height {height} /ColorSpace /{colour} "
        f"/BitsPerComponent 8 /Filter /DCTDecode /Length {len(picture)} >>\nstream\n"
    ).encode()
    drawn = b"q 595 0 0 842 0 0 cm /I Do Q"
    page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /XObject << /I 5 0 R >> >> /Contents 4 0 R >>"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        page.encode(),
        b"<< /Length %d >>\nstream\n" % len(drawn) + drawn + b"\nendstream",
        image + picture + b"\nendstream",
    ]
    return _file(objects, "")
