"""Is a document born digital, or is it a scan? By its type, Paperless's archive file, and the file itself.

Paperless 3 makes an archive file for what it had to OCR; 2.20 makes one for every PDF, so there the file is looked at.
What is read is untrusted: sizes are limited, nothing is interpreted but a few words.
"""

from __future__ import annotations

import re
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import IO, Final

from hook.errors import PaperlessError
from hook.paperless.client import Paperless
from hook.paperless.values import RawDocument

PDF: Final = "application/pdf"
# A larger one is not looked at: it is mostly images, but that proves nothing.
MAX_FILE_BYTES: Final = 24 << 20
_STREAM_BYTES: Final = 1 << 20  # of one stream, inflated
_ALL_BYTES: Final = 16 << 20  # of all streams, inflated
_STREAMS: Final = 2000
_STREAM: Final = re.compile(rb"stream\r?\n")
_DICTIONARY_BYTES: Final = 1024  # before a stream
_SHOWS_TEXT: Final = re.compile(rb"[)\]>]\s{0,8}T[jJ]\b")
_HIDDEN_TEXT: Final = re.compile(rb"\b3 Tr\b")  # what a scanner puts under its picture
_PAGE_PIXELS: Final = 600  # a page at 75 dpi; logos are smaller
_SIZE: Final = re.compile(rb"/(?:Width|Height)\s{0,4}(\d{1,6})\b")
_SCANNERS: Final = re.compile(
    rb"/(?:Producer|Creator)\s{0,4}\([^)]{0,80}?(?:scan|OCR|paper capture|img2pdf|tesseract|CamScanner|Lens|NAPS2|"
    rb"FineReader|Omnipage|Readiris|bizhub|imageRUNNER|WorkCentre|TASKalfa|MFP)",
    re.IGNORECASE,
)


class Origins:
    """Asks Paperless once for each document."""

    def __init__(self, client: Paperless) -> None:
        self._client = client
        self._looked_at: dict[int, bool | None] = {}

    def digital(self, one: RawDocument, two: RawDocument) -> tuple[bool | None, bool | None]:
        """For each of the two whether it is born digital; None if that is not known. A file is looked at only if
        Paperless's own word does not tell the two apart."""
        said = _said(one), _said(two)
        if one.mime_type == two.mime_type == PDF and said[0] == said[1]:
            return self._looked(one.id), self._looked(two.id)
        return said

    def _looked(self, number: int) -> bool | None:
        if number not in self._looked_at:
            self._looked_at[number] = self._look(number)
        return self._looked_at[number]

    def _look(self, number: int) -> bool | None:
        try:
            with tempfile.TemporaryFile() as file:
                self._client.download_original(number, file, limit_bytes=MAX_FILE_BYTES)
                return is_digital(file)
        except PaperlessError:  # a suggestion is not worth an error: the trash looks again
            return None


def _said(document: RawDocument) -> bool | None:
    if document.mime_type == PDF:
        return None if document.has_archive is None else not document.has_archive
    return not document.mime_type.startswith("image/") if document.mime_type else None


def is_digital(file: IO[bytes]) -> bool | None:
    """True for a PDF with visible text and no picture of a page; False for a picture, None for anything else."""
    file.seek(0)
    data = file.read(MAX_FILE_BYTES)
    if not data.startswith(b"%PDF") or b"/Encrypt" in data:
        return None
    has_text = has_picture = has_page = is_hidden = False
    for dictionary, stream in _streams(data):
        if b"/Image" in dictionary:
            has_picture, has_page = True, has_page or _is_page(dictionary)
        elif _SHOWS_TEXT.search(stream):
            has_text = True
            is_hidden = is_hidden or _HIDDEN_TEXT.search(stream) is not None
    if has_page or is_hidden or _SCANNERS.search(data):
        return False
    return True if has_text else False if has_picture else None


def _is_page(dictionary: bytes) -> bool:
    sizes = [int(size) for size in _SIZE.findall(dictionary)]
    return len(sizes) >= 2 and min(sizes) >= _PAGE_PIXELS


def _streams(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The first streams, each with the dictionary before it; images are left out."""
    left = _ALL_BYTES
    for start in islice(_STREAM.finditer(data), _STREAMS):
        dictionary = data[max(0, start.start() - _DICTIONARY_BYTES) : start.start()].rpartition(b" obj")[2]
        stream = b"" if b"/Image" in dictionary else _inflated(data, start.end(), dictionary)
        left -= len(stream)
        if left < 0:
            return
        yield dictionary, stream


def _inflated(data: bytes, start: int, dictionary: bytes) -> bytes:
    raw = data[start : start + _STREAM_BYTES]
    if b"/FlateDecode" not in dictionary:
        return raw.partition(b"endstream")[0]
    with suppress(zlib.error):
        return zlib.decompressobj().decompress(raw, _STREAM_BYTES)
    return b""
