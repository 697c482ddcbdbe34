"""Fingerprints: what is kept of a document, what is never matched, and the keys it is found by."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedupe_core.fingerprint.fingerprint import band_keys, exact_keys, fact_keys, fingerprint
from dedupe_core.model import Document
from dedupe_core.recipe import CLASSICAL, DEFAULT
from dedupe_core.text.normalise import KEPT_CHARS
from tests.core.core_kit import LETTER, NEXT_LETTER, print_of
from tests.corpus.noise import scanned


def test_a_fingerprint_carries_what_the_index_needs() -> None:
    document = Document(7, LETTER, "Water", "abc", "2023-02-03", "2023-02-10T08:00:00Z", 3)
    found = fingerprint(document, DEFAULT)
    assert (found.id, found.title, found.checksum, found.owner) == (7, "Water", "abc", 3)
    assert (found.created, found.added) == ("2023-02-03", "2023-02-10T08:00:00Z")
    assert found.recipe_id == DEFAULT.id
    assert len(found.signature) == DEFAULT.permutations
    assert found.facts.references == ("7710982", "RE202345588")
    assert found.words == len(found.text.split())


def test_layout_and_case_make_no_other_fingerprint() -> None:
    """The same words in capitals, broken and indented elsewhere: the same text, hash and signature."""
    other = fingerprint(Document(1, "   " + LETTER.replace("\n", "\r\n\t")), DEFAULT)
    assert other == print_of(LETTER)


@pytest.mark.parametrize(
    "content", ["", "  \n\f ", "\0" * 100, ". , ~ | ' - _", "¤ § ¶ …", "\ud800\udfff", "a 1 !"]
)
def test_empty_and_garbage_text_is_found_by_nothing(content: str) -> None:
    """No hash, no signature, no key: other tools lost documents to "identical" empty pages."""
    found = print_of(content)
    assert (found.content_hash, found.signature, found.text) == (b"", b"", "")
    assert not len(exact_keys(found))
    assert not len(band_keys(found.signature, DEFAULT))
    assert not len(fact_keys(found))


def test_short_texts_have_an_exact_tier_only() -> None:
    words = ["ticket"] * (DEFAULT.minimum_words - 1)
    found = print_of(" ".join(words))
    assert found.signature == b""
    assert len(exact_keys(found)) == 1
    assert fingerprint(Document(1, "word " * 19), CLASSICAL).signature == b""
    assert fingerprint(Document(1, "word " * 20), CLASSICAL).signature != b""


def test_a_checksum_is_an_exact_key_in_any_case() -> None:
    """Paperless's checksum finds the same file even when there is no text."""
    one, other = print_of("", checksum="ABCDEF01"), print_of("", checksum="abcdef01")
    assert exact_keys(one).tolist() == exact_keys(other).tolist() != []


@given(
    st.binary(min_size=DEFAULT.permutations, max_size=DEFAULT.permutations), st.integers(0, DEFAULT.bands - 1)
)
def test_a_band_key_depends_on_its_band_alone(values: bytes, band: int) -> None:
    """Documents meet in a band exactly where all rows of that band are equal."""
    first = band * DEFAULT.rows
    other = bytearray(255 - value for value in values)
    other[first : first + DEFAULT.rows] = values[first : first + DEFAULT.rows]
    equal = band_keys(values, DEFAULT) == band_keys(bytes(other), DEFAULT)
    assert np.flatnonzero(equal).tolist() == [band]


@pytest.mark.parametrize("level", ["light", "medium", "heavy"])
def test_a_rescan_meets_its_first_scan(level: str) -> None:
    """Under any noise of ours two scans of one letter share a band key or a key of a rare number."""
    for seed in range(10):
        one, other = print_of(LETTER, 1), print_of(scanned(LETTER, level, seed), 2)
        bands = np.intersect1d(band_keys(one.signature, DEFAULT), band_keys(other.signature, DEFAULT))
        assert len(bands) + len(np.intersect1d(fact_keys(one), fact_keys(other)))


def test_rare_numbers_tell_the_rescan_from_the_next_letter() -> None:
    """The scan shares the keys of its numbers, the letter of next month only those of the customer."""
    letter, rescan, following = (
        fact_keys(print_of(text)) for text in (LETTER, scanned(LETTER, "light", 1), NEXT_LETTER)
    )
    assert len(np.intersect1d(letter, rescan)) > len(np.intersect1d(letter, following))


def test_the_number_of_keys_is_bounded() -> None:
    """A page full of numbers has no more keys than a bill."""
    table = (
        " ".join(f"{n * 7919:09}" for n in range(5000))
        + " 01.01.2024 02.01.2024 03.01.2024 04.01.2024 05.01.2024"
    )
    assert len(fact_keys(print_of(table))) <= 20


def test_a_long_text_is_kept_in_part_and_hashed_whole() -> None:
    """Two long reports that differ in the middle are not identical, though the same excerpt is kept."""
    report = " ".join(f"w{n}" for n in range(20_000))
    one, other = print_of(report), print_of(report.replace(" w10000 ", " changed "))
    assert len(one.text) <= KEPT_CHARS + 1
    assert one.text == other.text
    assert one.content_hash != other.content_hash


def test_the_recipe_shapes_the_signature() -> None:
    """Another number of permutations, another length; the same number, another shingle: other values."""
    document = Document(1, LETTER)
    longer = replace(DEFAULT, permutations=256)
    assert len(fingerprint(document, longer).signature) == 256
    shorter_shingles = fingerprint(document, replace(DEFAULT, size=5))
    assert shorter_shingles.signature != print_of(LETTER).signature
