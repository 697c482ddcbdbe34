"""Files that somebody may have sent: PDFs and images made to cost time or memory, broken ones, and unusual but good ones."""

from __future__ import annotations

import random
import struct
import zlib
from collections.abc import Callable, Mapping

LETTER = b"[0 0 612 792]"
FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
HELLO = b"BT /F1 24 Tf 72 700 Td (Invoice 4711) Tj ET"


def pdf(objects: Mapping[int, bytes], *, root: int = 1, trailer: bytes = b"", shift: int = 0) -> bytes:
    """A file with these objects; `shift` makes every offset of the cross-reference table wrong."""
    out = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
    offsets = {}
    for number, body in objects.items():
        offsets[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start, size = len(out), max(objects) + 1
    out += b"xref\n0 %d\n0000000000 65535 f \n" % size
    for number in range(1, size):
        out += b"%010d 00000 n \n" % (offsets.get(number, 0) + shift)
    out += b"trailer\n<< /Size %d /Root %d 0 R %s >>\nstartxref\n%d\n%%%%EOF\n" % (size, root, trailer, start)
    return bytes(out)


def stream(data: bytes, entries: bytes = b"") -> bytes:
    return b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(data), entries, data)


def packed(data: bytes, entries: bytes = b"") -> bytes:
    return stream(zlib.compress(data, 1), b"/Filter /FlateDecode " + entries)


FORM = b"/Type /XObject /Subtype /Form /BBox [0 0 612 792] "


def one_page(
    content: bytes = stream(HELLO),
    *,
    box: bytes = LETTER,
    page: bytes = b"",
    resources: bytes = b"",
    catalog: bytes = b"",
    trailer: bytes = b"",
    extra: Mapping[int, bytes] | None = None,
    shift: int = 0,
) -> bytes:
    """One page, whose content is object 4; objects from 10 on are free."""
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R %s >>" % catalog,
        2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        3: b"<< /Type /Page /Parent 2 0 R /MediaBox %s /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> %s >> %s >>"
        % (box, resources, page),
        4: content,
        5: FONT,
    }
    return pdf(objects | dict(extra or {}), trailer=trailer, shift=shift)


def drawing(extra: Mapping[int, bytes], content: bytes = b"/X Do") -> bytes:
    """A page that draws object 10."""
    return one_page(stream(content), resources=b"/XObject << /X 10 0 R >>", extra=extra)


def many_pages(count: int) -> bytes:
    kids = b" ".join(b"%d 0 R" % (10 + n) for n in range(count))
    page = (
        b"<< /Type /Page /Parent 2 0 R /MediaBox %s /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>"
    )
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        2: b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, count),
        4: stream(HELLO),
        5: FONT,
    }
    return pdf(objects | {10 + n: page % LETTER for n in range(count)})


def deep_pages(depth: int) -> bytes:
    objects = {1: b"<< /Type /Catalog /Pages 10 0 R >>", 4: stream(HELLO), 5: FONT}
    for n in range(depth):
        objects[10 + n] = b"<< /Type /Pages /Kids [%d 0 R] /Count 1 >>" % (11 + n)
    objects[10 + depth] = b"<< /Type /Page /Parent %d 0 R /MediaBox %s /Contents 4 0 R >>" % (
        9 + depth,
        LETTER,
    )
    return pdf(objects)


def image(
    width: int, height: int, data: bytes, entries: bytes = b"", space: bytes = b"/DeviceRGB", bits: int = 8
) -> bytes:
    head = b"/Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace %s /BitsPerComponent %d " % (
        width, height, space, bits,
    )  # fmt: skip
    return drawing({10: stream(data, head + entries)}, b"612 0 0 792 0 0 cm /X Do")


def forms(levels: int, calls: int, last: bytes) -> bytes:
    """Each form draws the next one several times: the last is drawn calls ** levels times."""
    extra = {}
    for n in range(levels):
        resources = b"/Resources << /XObject << /X %d 0 R >> >>" % (11 + n)
        extra[10 + n] = stream(b"/X Do " * calls, FORM + resources)
    extra[10 + levels] = stream(last, FORM)
    return drawing(extra)


def recursive_form() -> bytes:
    return drawing({10: stream(b"/X Do", FORM + b"/Resources << /XObject << /X 10 0 R >> >>")})


def tiny_tiles() -> bytes:
    head = b"/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 1 1] /XStep 0.01 /YStep 0.01 /Resources << >>"
    fill = stream(b"/Pattern cs /P scn 0 0 612 792 re f")
    return one_page(fill, resources=b"/Pattern << /P 10 0 R >>", extra={10: stream(b"0 0 1 1 re f", head)})


def nested_groups(depth: int) -> bytes:
    head = FORM + b"/Group << /S /Transparency /I true >> "
    extra = {
        10 + n: stream(
            b"/G gs /X Do",
            head + b"/Resources << /ExtGState << /G << /ca 0.5 >> >> /XObject << /X %d 0 R >> >>" % (11 + n),
        )
        for n in range(depth)
    }
    extra[10 + depth] = stream(b"0 0 600 700 re f", head)
    return drawing(extra)


def twice_packed(size: int) -> bytes:
    inner = zlib.compress(zlib.compress(b"\0" * size, 1), 1)
    return one_page(stream(inner, b"/Filter [/FlateDecode /FlateDecode]"))


def locked() -> bytes:
    secret = b"<" + bytes(range(32)).hex().encode() + b">"
    encrypt = b"/Encrypt << /Filter /Standard /V 1 /R 2 /O %s /U %s /P -4 >> /ID [%s %s]"
    return one_page(trailer=encrypt % (4 * (secret,)))


def png(width: int, height: int) -> bytes:
    """Claims this size, and holds rows of zeros for a part of it."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress(b"\0" * min(width * height + height, 20_000_000), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def looped_tiff() -> bytes:
    """Its directory of pages leads to itself."""
    entries = struct.pack("<HHHII", 4, 256, 3, 1, 8) + struct.pack("<HHII", 257, 3, 1, 8)
    entries += struct.pack("<HHII", 258, 3, 1, 8) + struct.pack("<HHII", 273, 4, 1, 8)
    return b"II*\0" + struct.pack("<I", 8) + entries + struct.pack("<I", 8) + b"\0" * 200


def _noise(size: int) -> bytes:
    return random.Random(1).randbytes(size)


def _text(characters: int, size: int) -> bytes:
    lines = b"".join(b"(%s) Tj T* " % (b"lorem ipsum " * 20) for _ in range(characters // 240))
    return packed(b"BT /F1 %d Tf 1 TL 10 780 Td %s ET" % (size, lines))


# Good files: their words have to be found where the ink is.
READABLE: dict[str, Callable[[], bytes]] = {
    "javascript": lambda: one_page(catalog=b"/OpenAction << /S /JavaScript /JS (while\\(1\\){app.alert\\(1\\)}) >>"),
    "launch": lambda: one_page(catalog=b"/OpenAction << /S /Launch /F (/bin/sh) >> /AA << /WC << /S /URI /URI (http://127.0.0.1/) >> >>"),
    "form with scripts": lambda: one_page(catalog=b"/AcroForm << /XFA (<xdp/>) /Fields [] /CO [] >>"),
    "embedded file": lambda: one_page(
        catalog=b"/Names << /EmbeddedFiles << /Names [(a) 10 0 R] >> >>",
        extra={10: b"<< /Type /Filespec /F (a) /EF << /F 11 0 R >> >>", 11: packed(b"\0" * 50_000_000)},
    ),
    "rotated": lambda: one_page(page=b"/Rotate 90"),
    "upside down": lambda: one_page(page=b"/Rotate 180"),
    "landscape": lambda: one_page(box=b"[0 0 792 612]", content=stream(HELLO.replace(b"700", b"500"))),
    "cropped": lambda: one_page(page=b"/CropBox [50 400 500 780]"),
    "box with an offset": lambda: one_page(box=b"[-100 -50 512 742]"),
    "broken xref": lambda: one_page(shift=37),
    "10,000 pages": lambda: many_pages(10_000),
}  # fmt: skip

# Anything may come of these but harm: a page, or a reason.
BOUNDED: dict[str, Callable[[], bytes]] = {
    "only a header": lambda: b"%PDF-1.7\n",
    "noise": lambda: b"%PDF-1.7\n" + _noise(100_000),
    "cut in half": lambda: one_page(_text(50_000, 10))[:2000],
    "xref to itself": lambda: one_page(trailer=b"/Prev 15"),
    "page tree in a circle": lambda: pdf(
        {1: b"<< /Type /Catalog /Pages 2 0 R >>", 2: b"<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 1000000 >>"}
    ),
    "deep page tree": lambda: deep_pages(5000),
    "flate bomb": lambda: one_page(packed(b"\0" * 300_000_000)),
    "bomb in a bomb": lambda: twice_packed(400_000_000),
    "huge bitonal image": lambda: image(40_000, 40_000, zlib.compress(b"\0" * 200_000_000, 1), b"/Filter /FlateDecode", b"/DeviceGray", 1),
    "huge image, claimed": lambda: image(60_000, 60_000, b"\0" * 1000),
    "huge image, packed": lambda: image(15_000, 15_000, zlib.compress(b"\0" * 300_000_000, 1), b"/Filter /FlateDecode"),
    "broken jpeg 2000": lambda: image(5000, 5000, _noise(5000), b"/Filter /JPXDecode"),
    "broken jbig2": lambda: image(5000, 5000, _noise(5000), b"/Filter /JBIG2Decode", b"/DeviceGray", 1),
    "poster": lambda: one_page(box=b"[0 0 14400 14400]"),
    "page without end": lambda: one_page(box=b"[0 0 1e12 1e12]"),
    "page of no size": lambda: one_page(box=b"[0 0 0 0]"),
    "encrypted": locked,
    "1-point font": lambda: one_page(_text(1_000_000, 1)),
    "text without end": lambda: one_page(_text(10_000_000, 10)),
    "form in itself": recursive_form,
    "forms that multiply": lambda: forms(12, 10, b"0 0 600 700 re f"),
    "a million paths": lambda: one_page(packed(b"0 0 m 600 700 l 300 10 l s " * 1_000_000)),
    "tiny tiles": tiny_tiles,
    "nested groups": lambda: nested_groups(200),
    "nested arrays": lambda: one_page(catalog=b"/X " + b"[" * 100_000 + b"]" * 100_000),
    "font of noise": lambda: one_page(extra={5: b"<< /Type /Font /Subtype /TrueType /BaseFont /X /FontDescriptor << /Type /FontDescriptor /FontFile2 10 0 R >> >>", 10: packed(_noise(200_000))}),
    "image bomb": lambda: png(60_000, 60_000),
    "image, short": lambda: png(9000, 6000),
    "tiff in a circle": looped_tiff,
    "not a page": lambda: b"PK\x03\x04" + _noise(1000),
    "nothing": lambda: b"",
}  # fmt: skip
