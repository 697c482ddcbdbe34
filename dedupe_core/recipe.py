"""Every parameter that shapes a fingerprint, and the id under which an index remembers them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final, get_type_hints


class RecipeError(ValueError):
    """A recipe that cannot work; the message says which parameter to change."""


class Shingle(StrEnum):
    CHARACTERS = "c"
    WORDS = "w"


def ranges_of(parameters: type) -> dict[str, tuple[float, float]]:
    """The smallest and the largest value of each field that can be changed in the policy file."""
    hints = get_type_hints(parameters, include_extras=True)
    return {name: hint.__metadata__[0] for name, hint in hints.items() if hasattr(hint, "__metadata__")}


# Sampled passages of one document. A sample of this size was cut off, and the comparison of two samples relies on it.
PART_LIMIT = 4096


@dataclass(frozen=True, slots=True)
class Recipe:
    """What shapes a fingerprint. A change of any field needs a backfill, and changes the id.

    The default finds 94% of what was scanned twice, 88% under heavy noise (docs/accuracy.md): 64 bands x 3 rows
    find a pair with p=0.99 at Jaccard 0.42, p=0.4 at 0.2, p=0.005 at 0.04, where unrelated pages are.
    The upper bounds keep a typing error from costing gigabytes.
    """

    shingle: Shingle = Shingle.CHARACTERS
    size: Annotated[int, (1, 32)] = 6
    permutations: Annotated[int, (1, 4096)] = 192
    bands: Annotated[int, (1, 4096)] = 64
    rows: Annotated[int, (1, 64)] = 3
    minimum_words: Annotated[int, (1, 1000)] = 4
    # Only the smallest this many shingle hashes of a long text are permuted: bounds the cost of one document.
    sample: Annotated[int, (1, 65536)] = 4096
    # Parts of a text are found by a sample of longer shingles: one in `part_rate`, some 60 a page, whatever is
    # around them. 10 characters survive 5% of misread characters with p=0.6, and few pages share them by chance.
    part_size: Annotated[int, (4, 32)] = 10
    part_rate: Annotated[int, (1, 4096)] = 48
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


RANGES: Final = ranges_of(Recipe)
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
