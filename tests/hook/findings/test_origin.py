"""Born digital or a scan: by Paperless's archive file, else by what is in the file."""

from __future__ import annotations

import io
import zlib
from pathlib import Path

import pytest

from hook.findings.origin import is_digital
from tests.fakes import FakePaperless
from tests.hook.findings.writing_kit import LETTER, RESCAN, desk
from tests.live.pdf import text_pdf


def stream(dictionary: str, data: bytes, *, packed: bool = True) -> bytes:
    body = zlib.compress(data) if packed else data
    head = f"<< {dictionary} {'/Filter /FlateDecode ' if packed else ''}/Length {len(body)} >>"
    return b"1 0 obj\n" + head.encode() + b"\nstream\n" + body + b"\nendstream\nendobj\n"


PAGE = "/Type /XObject /Subtype /Image /Width 1654 /Height 2339"
LOGO = "/Type /XObject /Subtype /Image /Width 200 /Height 80"
TEXT = b"BT /F1 10 Tf (Dear Mr Miller) Tj ET"
HIDDEN = b"BT 3 Tr /F1 10 Tf (Dear Mr Miller) Tj ET"


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ([stream("", TEXT)], True),
        ([stream("", TEXT, packed=False)], True),
        ([stream("", TEXT), stream(LOGO, b"pixels")], True),
        ([stream(PAGE, b"pixels")], False),
        ([stream(PAGE, b"pixels"), stream("", TEXT)], False),
        ([stream("", HIDDEN)], False),
        ([stream("", TEXT), b"<< /Producer (ScanSnap Manager) >>"], False),
        ([stream("", TEXT), b"<< /Producer (LibreOffice 7.4) >>"], True),
        ([stream("", TEXT), b"<< /Encrypt 5 0 R >>"], None),
        ([b"nothing"], None),
    ],
)
def test_what_a_pdf_shows(parts: list[bytes], expected: bool | None) -> None:
    """Text that can be seen and no picture of a page; what cannot be known is not guessed."""
    assert is_digital(io.BytesIO(b"%PDF-1.4\n" + b"".join(parts))) is expected


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"not a pdf",
        b"%PDF" + b"stream\n" * 300_000,
        b"%PDF" + b"<</FlateDecode>>stream\n" + b"\x00" * 1000,
        b"%PDF" + stream("", b"\x00" * (64 << 20)),
        b"%PDF" + b"/Producer (" + b"a" * 500_000,
    ],
)
def test_a_hostile_file_costs_little(data: bytes) -> None:
    """No error, no guess, and bounded time: the file is anybody's."""
    assert is_digital(io.BytesIO(data)) is None


@pytest.mark.parametrize("first", ["scan", "digital"])
def test_the_suggestion_is_the_digital_original(first: str, tmp_path: Path) -> None:
    """3.0 made an archive file for the scan only; the file itself is not even downloaded."""
    with FakePaperless() as fake, desk(fake, tmp_path) as at:
        texts = {"scan": RESCAN, "digital": LETTER}
        order = [first, "digital" if first == "scan" else "scan"]
        made = {name: fake.add_document(texts[name], has_archive=name == "scan") for name in order}
        at.run(*made.values())
        notes = [note for number in made.values() for note in fake.document(number).notes]
        assert any(f"Suggestion: keep #{made['digital']} (born digital" in note for note in notes)
        assert not [seen for seen in fake.requests if "download" in seen.path]


def test_where_paperless_does_not_tell_the_files_are_looked_at(tmp_path: Path) -> None:
    """2.20 makes an archive file of everything."""
    with FakePaperless("2.20.15") as fake, desk(fake, tmp_path) as at:
        picture = b"%PDF-1.4\n" + stream(PAGE, b"pixels")
        scan = fake.add_document(LETTER, data=picture, archive_serial_number=4)
        digital = fake.add_document(RESCAN, data=text_pdf(LETTER))
        at.run(scan, digital)
        (note,) = fake.document(digital).notes
        assert f"Suggestion: keep #{digital} (born digital)" in note
