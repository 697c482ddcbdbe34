"""A document in, its fingerprint out; and the keys under which the index finds it again."""

from __future__ import annotations

import hashlib
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from dedupe_core.facts.facts import read_facts
from dedupe_core.fingerprint.shingles import text_hashes
from dedupe_core.fingerprint.signature import packed, signature
from dedupe_core.model import Document, Fingerprint
from dedupe_core.recipe import Recipe, Shingle
from dedupe_core.text.normalise import bounded, content_hash, folded, kept, printed
from dedupe_core.text.tokens import tokens_of

Keys = NDArray[np.uint64]

_LEGIBLE = 4  # letters and digits: less is too little text to match anything
_LOOKED_AT = 2000
_CHARS_OF_WORD = 12
_NO_HASHES = np.empty(0, np.uint32)
_FACT_KEYS = 16  # numbers of a document that can be looked up; the same ones for the same numbers
_FACT_CHARS = 5
_DATE_KEYS = 4
_PART_SPACE = 1 << 40  # apart from the band keys, which start from their band's number


def fingerprint(document: Document, recipe: Recipe) -> Fingerprint:
    """Read a document once; everything that compares it later works on the result."""
    as_printed = printed(document.content)
    text = folded(as_printed)
    excerpt = kept(as_printed)
    legible = is_legible(text)
    is_short = excerpt == as_printed
    words = tokens_of(text).count if is_short else len(text.split())
    shingles = parts = _NO_HASHES
    if legible and _is_long_enough(text, words, recipe):
        shingles, parts = text_hashes(text, recipe)
    return Fingerprint(
        id=document.id,
        recipe_id=recipe.id,
        signature=packed(signature(shingles, recipe)) if len(shingles) else b"",
        content_hash=content_hash(document.content, text) if legible else b"",
        text=(text if is_short else folded(excerpt)) if legible else "",
        words=words,
        facts=read_facts(bounded(document.content)),
        printed=excerpt if legible else "",
        parts=parts.tobytes() if len(shingles) else b"",
        title=document.title,
        checksum=document.checksum,
        created=document.created,
        added=document.added,
        owner=document.owner,
    )


def _is_long_enough(text: str, words: int, recipe: Recipe) -> bool:
    """By words, or by characters in a script that puts no spaces between them."""
    by_characters = (
        recipe.shingle is Shingle.CHARACTERS and len(text) >= recipe.minimum_words * _CHARS_OF_WORD
    )
    return words >= recipe.minimum_words or by_characters


def is_legible(text: str) -> bool:
    """Empty, encrypted and garbage text must never match anything: other tools lost documents to that."""
    return len(list(islice(filter(str.isalnum, text[:_LOOKED_AT]), _LEGIBLE))) == _LEGIBLE


def band_keys(signature: bytes, recipe: Recipe) -> Keys:
    """One key a band; of a document without a signature none."""
    if not signature:
        return np.empty(0, np.uint64)
    values = np.frombuffer(signature, np.uint8)[: recipe.bands * recipe.rows].reshape(
        recipe.bands, recipe.rows
    )
    keys = np.arange(1, recipe.bands + 1, dtype=np.uint64)
    for row in range(recipe.rows):
        keys = _spread(keys * np.uint64(256) + values[:, row])
    return keys


def fact_keys(found: Fingerprint) -> Keys:
    """Keys of the numbers and dates that are likely rare: they find a rescan among thousands of siblings."""
    numbers = sorted(
        _token_key("n", number) for number in tokens_of(found.text).numbers if len(number) >= _FACT_CHARS
    )
    dates = [_token_key("d", date) for date in found.facts.dates[:_DATE_KEYS]]
    return np.array(numbers[:_FACT_KEYS] + dates, np.uint64)


def part_keys(found: Fingerprint) -> Keys:
    """Keys of the sampled passages: a part shares them with its whole, however long that is."""
    hashes = np.frombuffer(found.parts, np.uint32).astype(np.uint64)
    return _spread(hashes + np.uint64(_PART_SPACE))


def exact_keys(found: Fingerprint) -> Keys:
    """Keys of the exact tier: the whole text, and Paperless's checksum of the file."""
    keys = [_token_key("t", found.content_hash.hex())] if found.content_hash else []
    keys += [_token_key("f", found.checksum.lower())] if found.checksum else []
    return np.array(keys, np.uint64)


def _token_key(kind: str, token: str) -> int:
    data = f"{kind}:{token}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little")


def _spread(keys: Keys) -> Keys:
    """Mix the bits (the SplitMix64 finaliser, a bijection): the index takes any of them for its pages."""
    keys = (keys ^ (keys >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    keys = (keys ^ (keys >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return keys ^ (keys >> np.uint64(31))
