"""Normalised text in, shingle hashes out: characters of the OCR skeleton, or words."""

from __future__ import annotations

import zlib

import numpy as np
from numpy.typing import NDArray

from dedupe_core.recipe import Recipe, Shingle
from dedupe_core.text.skeleton import skeleton_codes

Hashes = NDArray[np.uint32]

_MULTIPLIER = np.uint32(0x9E3779B1)  # the golden ratio; odd, so no position of a shingle is lost modulo 2^32


def shingle_hashes(text: str, recipe: Recipe) -> Hashes:
    """The hashes of every shingle of the text, in order of appearance; repeats stay."""
    units = skeleton_codes(text) if recipe.shingle is Shingle.CHARACTERS else word_codes(text)
    return _rolling(units, recipe.size)


def text_hashes(text: str, recipe: Recipe) -> tuple[Hashes, Hashes]:
    """`shingle_hashes`, and a sample of the longer shingles, the same wherever a passage stands, ascending without repeats."""
    skeleton = skeleton_codes(text)
    units = skeleton if recipe.shingle is Shingle.CHARACTERS else word_codes(text)
    return _rolling(units, recipe.size), _sample(skeleton, recipe)


def runs_of(text: str, size: int, bits: int) -> Hashes:
    """The distinct runs of `size` characters of the skeleton, as hashes of so many bits; ascending."""
    return distinct(_rolling(skeleton_codes(text), size) >> np.uint32(32 - bits))


def _sample(skeleton: Hashes, recipe: Recipe) -> Hashes:
    hashes = _rolling(skeleton, recipe.part_size)
    return distinct(hashes[hashes < np.uint32(0xFFFFFFFF // recipe.part_rate)])[: recipe.part_limit]


def distinct(hashes: Hashes) -> Hashes:
    """Ascending, without repeats; np.unique takes five times as long."""
    if len(hashes) < 2:
        return hashes
    ordered = np.sort(hashes)
    return ordered[np.concatenate(([True], ordered[1:] != ordered[:-1]))]


def word_codes(text: str) -> Hashes:
    """One 32-bit code a word."""
    words = text.split()
    return np.fromiter(
        (zlib.crc32(word.encode("utf-8", "surrogatepass")) for word in words), np.uint32, len(words)
    )


def _rolling(units: Hashes, size: int) -> Hashes:
    count = len(units) - size + 1
    return mixed(_polynomials(units, size)) if count > 0 else np.empty(0, np.uint32)


def _polynomials(units: Hashes, size: int) -> Hashes:
    """Of each `size` units in a row, from those of half as many: 4 multiplications for 10 units, not 10."""
    if size == 1:
        return units
    half = _polynomials(units, size // 2)
    behind = size // 2
    joined = half[: len(half) - behind] * np.uint32(pow(int(_MULTIPLIER), behind, 1 << 32))
    joined += half[behind:]
    if size % 2 == 0:
        return joined
    odd = joined[: len(units) - size + 1] * _MULTIPLIER
    odd += units[size - 1 :]
    return odd


def mixed(hashes: Hashes) -> Hashes:
    """Spread hashes over the 32 bits (the MurmurHash3 finaliser, a bijection), so that any bits can be used."""
    hashes = hashes ^ (hashes >> np.uint32(16))
    hashes *= np.uint32(0x85EBCA6B)
    hashes ^= hashes >> np.uint32(13)
    hashes *= np.uint32(0xC2B2AE35)
    hashes ^= hashes >> np.uint32(16)
    return hashes
