"""Every parameter that shapes a fingerprint, and the id under which an index remembers them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class RecipeError(ValueError):
    """A recipe that cannot work; the message says which parameter to change."""


class Shingle(StrEnum):
    CHARACTERS = "c"
    WORDS = "w"


# Smallest and largest value of each parameter that can be changed in the policy file. The upper bounds keep a typing
# error from costing gigabytes; `part_limit` is not here because the comparison of two samples relies on its value.
RANGES: Final = {
    "size": (1, 32),
    "permutations": (1, 4096),
    "bands": (1, 4096),
    "rows": (1, 64),
    "minimum_words": (1, 1000),
    "sample": (1, 65536),
    "part_size": (4, 32),
    "part_rate": (1, 4096),
}


# Sampled passages of one document. A sample of this size was cut off, and the comparison of two samples relies on it.
PART_LIMIT = 4096


@dataclass(frozen=True, slots=True)
class Recipe:
    """What shapes a fingerprint. A change of any field needs a backfill, and changes the id.

    The default finds 94% of what was scanned twice, 88% under heavy noise (docs/accuracy.md): 64 bands x 3 rows
    find a pair with p=0.99 at Jaccard 0.42, p=0.4 at 0.2, p=0.005 at 0.04, where unrelated pages are.
    """

    shingle: Shingle = Shingle.CHARACTERS
    size: int = 6
    permutations: int = 192
    bands: int = 64
    rows: int = 3
    minimum_words: int = 4
    # Only the smallest this many shingle hashes of a long text are permuted: bounds the cost of one document.
    sample: int = 4096
    # Parts of a text are found by a sample of longer shingles: one in `part_rate`, some 60 a page, whatever is
    # around them. 10 characters survive 5% of misread characters with p=0.6, and few pages share them by chance.
    part_size: int = 10
    part_rate: int = 48
    part_limit: int = PART_LIMIT  # of one document: 70 pages whole, of a longer one the smallest hashes

    def __post_init__(self) -> None:
        for name, (low, high) in RANGES.items():
            if not low <= (value := getattr(self, name)) <= high:
                raise RecipeError(f"{name} must be from {low} to {high}, it is {value}")
        if self.bands * self.rows > self.permutations:
            raise RecipeError(
                f"{self.bands} bands x {self.rows} rows need {self.bands * self.rows} permutations, "
                f"there are {self.permutations}: lower bands or rows, or raise permutations"
            )

    @property
    def id(self) -> str:
        """For example `t1-c6-192-64x3-m4-s4096-p10-48-4096-affine32`; t1 is the version of text folding and hashing."""
        return (
            f"t1-{self.shingle.value}{self.size}-{self.permutations}-{self.bands}x{self.rows}"
            f"-m{self.minimum_words}-s{self.sample}-p{self.part_size}-{self.part_rate}-{self.part_limit}-affine32"
        )


def probability_found(jaccard: float, recipe: Recipe) -> float:
    """The S-curve: how likely two texts with this Jaccard similarity share a band key, so that one finds the other.

    One byte of each value is kept, so two different values agree with p=1/256.
    """
    agreement = jaccard + (1 - jaccard) / 256
    return 1.0 - (1.0 - agreement**recipe.rows) ** recipe.bands


def s_curve(recipe: Recipe) -> dict[float, float]:
    """The probability at each tenth of similarity, from 0.1 to 0.9."""
    return {tenth / 10: probability_found(tenth / 10, recipe) for tenth in range(1, 10)}


DEFAULT = Recipe()
# What the tools of today use; kept to compare with, see docs/accuracy.md.
CLASSICAL = Recipe(Shingle.WORDS, size=3, permutations=256, bands=32, rows=8, minimum_words=20)
CLASSICAL_5 = Recipe(Shingle.WORDS, size=5, permutations=512, bands=64, rows=8, minimum_words=20)

NAMED = {"default": DEFAULT, "classical": CLASSICAL, "classical-5": CLASSICAL_5}


def by_name(name: str) -> Recipe:
    """The recipe of that name, or a clear error that lists the names."""
    try:
        return NAMED[name]
    except KeyError:
        raise RecipeError(f"no recipe is called {name!r}; there are {', '.join(NAMED)}") from None
