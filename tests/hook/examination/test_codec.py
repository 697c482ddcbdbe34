"""Fingerprints as bytes: what goes in comes out, and damage is an error, never executed and never read in part."""

from __future__ import annotations

import struct
import zlib
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedupe_core.fingerprint.fingerprint import fingerprint
from dedupe_core.model import Document, Facts, Fingerprint
from dedupe_core.recipe import NAMED
from dedupe_core.text.normalise import KEPT_CHARS, folded
from hook.errors import IndexFault
from hook.examination.codec import _HEAD, _VERSION, decode, encode
from tests.core.core_kit import LETTER, TEXTS, print_of

ANY = st.text(st.characters(), max_size=60)  # lone surrogates too: Paperless passes on what a PDF holds
FINGERPRINTS = st.builds(
    lambda printed, **rest: Fingerprint(printed=printed, text=folded(printed), **rest),
    id=st.integers(0, 2**32 - 2),
    recipe_id=ANY,
    signature=st.binary(max_size=600),
    content_hash=st.binary(max_size=32),
    printed=ANY,
    words=st.integers(0, 10**6),
    facts=st.builds(
        Facts,
        dates=st.lists(ANY, max_size=4).map(tuple),
        amounts=st.lists(st.integers(0, 10**12), max_size=4).map(tuple),
        references=st.lists(ANY, max_size=4).map(tuple),
    ),
    parts=st.lists(st.integers(0, 2**32 - 1), max_size=20).map(
        lambda parts: struct.pack(f"<{len(parts)}I", *parts)
    ),
    title=ANY,
    checksum=ANY,
    created=ANY,
    added=ANY,
    owner=st.none() | st.integers(0, 10**6),
)


@given(FINGERPRINTS)
def test_what_goes_in_comes_out(found: Fingerprint) -> None:
    """Every field, with any characters in it."""
    assert decode(encode(found)) == found


@given(TEXTS)
def test_what_the_core_makes_comes_out(content: str) -> None:
    """The same for real fingerprints, whatever the document contains."""
    found = print_of(content)
    assert decode(encode(found)) == found


@pytest.mark.parametrize("name", sorted(NAMED))
@pytest.mark.parametrize(
    "content", ["", LETTER, "漢字かな " * 20_000, "\U0001f600x" * 100_000, "\ud800 1234 " * 30_000]
)
def test_the_longest_texts_come_out_under_every_recipe(name: str, content: str) -> None:
    """The limit when reading is never below what was written: four bytes a character."""
    found = fingerprint(Document(1, content), NAMED[name])
    assert len(found.text) <= KEPT_CHARS + 1
    assert decode(encode(found)) == found


@given(st.integers(0, 10_000), st.integers(1, 255))
def test_a_changed_byte_is_an_error_or_read_as_a_whole(place: int, change: int) -> None:
    """No other error than IndexFault, wherever the damage is."""
    record = bytearray(encode(print_of(LETTER)))
    record[place % len(record)] ^= change
    with suppress(IndexFault):
        assert decode(bytes(record)).text is not None


@given(st.binary(max_size=200))
def test_any_bytes_are_an_error(record: bytes) -> None:
    """What was never a record is not read as one."""
    with pytest.raises(IndexFault):
        decode(record)


RECORD = encode(print_of(LETTER))
TEXT = zlib.compress(print_of(LETTER).printed.encode("utf-8", "surrogatepass"), 6)
DEEP, LONG = zlib.compress(b"[" * 900_000), zlib.compress(b'{"id": 1, "pad": "%s"}' % (b"x" * 50_000_000), 9)


@pytest.mark.parametrize(
    "record",
    [
        *(RECORD[:cut] for cut in (0, 1, 5, 40, -1)),
        bytes([RECORD[0] + 1]) + RECORD[1:],
        RECORD.removesuffix(TEXT) + zlib.compress(b"a" * 50_000_000, 9),
        *(_HEAD.pack(_VERSION, len(meta), 0, 0, 0) + meta + zlib.compress(b"") for meta in (LONG, DEEP)),
    ],
    ids=["empty", "1", "5", "40", "the last byte", "another version", "text", "facts", "nested"],
)
def test_a_damaged_record_is_an_error_and_a_zip_bomb_is_not_inflated(record: bytes) -> None:
    """A half-written record never becomes half a document, and a few bytes that become 50 MB are refused at the length of
    the longest possible text; the message names the command that helps."""
    assert RECORD.endswith(TEXT) and len(record) < 60_000
    with pytest.raises(IndexFault, match="paperless-dedupe check --repair"):
        decode(record)


@pytest.mark.parametrize("title", ["x" * 10_000, "\U0001f600" * 10_000])
def test_a_long_title_is_cut(title: str) -> None:
    """The index keeps the first 500 characters."""
    found = decode(encode(replace(print_of(LETTER), title=title)))
    assert found.title == title[:500]
