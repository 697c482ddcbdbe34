"""A page as a PNG: each character of a text is a dark block, so that two pages look as alike as their texts."""

from __future__ import annotations

import struct
import zlib

WIDTH, HEIGHT = 420, 594
_MARGIN, _CELL, _LINE = 30, 4, 9
_PAPER, _INK = 250, 70


def page(text: str) -> bytes:
    rows = [bytearray([_PAPER]) * WIDTH for _ in range(HEIGHT)]
    top = _MARGIN
    for line in text.splitlines():
        if top + _LINE > HEIGHT - _MARGIN:
            break
        for place, character in enumerate(line[: (WIDTH - 2 * _MARGIN) // _CELL]):
            if not character.isspace():
                _block(rows, _MARGIN + place * _CELL, top, character)
        top += _LINE
    return png(rows)


def _block(rows: list[bytearray], x: int, y: int, character: str) -> None:
    """Capitals and digits are taller; the shade depends on the character."""
    tall = character.isupper() or character.isdigit()
    shade = _INK + 6 * (ord(character) % 11)
    for row in range(y if tall else y + 2, y + 6):
        rows[row][x : x + _CELL - 1] = bytes([shade]) * (_CELL - 1)


def png(rows: list[bytearray]) -> bytes:
    head = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 0, 0, 0, 0)
    body = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows))
    chunks = ((b"IHDR", head), (b"IDAT", body), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
