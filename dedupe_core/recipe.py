"""Every parameter that shapes a fingerprint, and the id under which an index remembers them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class RecipeError(ValueError):
    """A recipe that cannot work; the message says which parameter to change."""


class Shingle(StrEnum):
    CHARACTERS = "c"
    WORDS = "w"


@dataclass(frozen=True, slots=True)
class Recipe:
    """What shapes a fingerprint. A change of any field needs a backfill, and changes the id.

    The default finds 94% of what was scanned twice, 88% under heavy noise (docs/accuracy.md): 64 bands x 3 rows
    find a pair with p=0.99 at Jaccard 0.42, p=0.4 at 0.2, p=0.004 at 0.04, where unrelated pages are.
    """

    shingle: Shingle = Shingle.CHARACTERS
    size: int = 6
    permutations: int = 192
    bands: int = 64
    rows: int = 3
    minimum_words: int = 4
    # Only the smallest this many shingle hashes of a long text are permuted: bounds the cost of one document.
    sample: int = 4096
    # Parts of a text are found by a sample of longer shingles: one in `part_rate`, some 60 a page, whatever stands
    # around them. 10 characters survive 5% of misread characters with p=0.6, and few pages share them by chance.
    part_size: int = 10
    part_rate: int = 48
    part_limit: int = 4096  # of one document: 70 pages whole, of a longer one the smallest hashes

    def __post_init__(self) -> None:
        for name in (
            "size",
            "permutations",
            "bands",
            "rows",
            "sample",
            "part_size",
            "part_rate",
            "part_limit",
        ):
            if getattr(self, name) < 1:
                raise RecipeError(f"{name} must be at least 1, it is {getattr(self, name)}")
        if self.bands * self.rows > self.permutations:
            raise RecipeError(
                f"{self.bands} bands x {self.rows} rows need {self.bands * self.rows} permutations, "
                f"there are {self.permutations}: lower bands or rows, or raise permutations"
            )
        if self.permutations > 4096 or self.size > 32:
            raise RecipeError("at most 4096 permutations and shingles of 32: lower them")

    @property
    def id(self) -> str:
        """For example `t1-c6-192-64x3-m4-s4096-p10-48-4096-affine32`; t1 is the version of text folding and hashing."""
        return (
            f"t1-{self.shingle.value}{self.size}-{self.permutations}-{self.bands}x{self.rows}"
            f"-m{self.minimum_words}-s{self.sample}-p{self.part_size}-{self.part_rate}-{self.part_limit}-affine32"
        )


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
