"""The buckets of all keys that a batch asks for, opened at once: a page is unpacked once a batch, not once a document."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Final

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint32]
_NONE: Final[Sequence[int]] = ()


class Buckets:
    """By hash, the slots in the order of their page. Changes are kept here until the table writes them to its pages."""

    def __init__(self, hashes: Words, cap: int, most: int) -> None:
        """`cap` and `most` as those of the key table; every hash that will be asked for."""
        self._slots: dict[int, Sequence[int]] = dict.fromkeys(hashes.tolist(), _NONE)
        self._cap, self._most = cap, most
        self._added: list[tuple[list[int], int]] = []
        self._rewritten: set[int] = set()

    def read(self, hashes: Words, slots: Words) -> None:
        """What the pages have."""
        for number, slot in zip(hashes.tolist(), slots.tolist(), strict=True):
            self._append(number, slot)

    def find(self, hashes: Words) -> tuple[Words, NDArray[np.intp], NDArray[np.intp]] | None:
        """The slots of these hashes, which of them each has, and how many each has; None if one was not foreseen."""
        try:
            found = [self._slots[number] for number in hashes.tolist()]
        except KeyError:
            return None
        sizes = np.fromiter(map(len, found), np.intp, len(found))
        slots = np.fromiter(chain.from_iterable(found), np.uint32, int(sizes.sum()))
        return slots, np.repeat(np.arange(len(found)), sizes), sizes

    def add(self, slot: int, hashes: Words) -> int | None:
        """Adds the slot to each; by how many the entries have grown, or None if one was not foreseen."""
        numbers = hashes.tolist()
        known = self._slots
        if not all(map(known.__contains__, numbers)):
            return None
        dropped = sum(self._drop_lowest(one) for one in numbers if len(known[one]) >= self._most)
        for number in numbers:
            self._append(number, slot)
        self._added.append((numbers, slot))
        return len(numbers) - dropped

    def added(self) -> tuple[Words, Words]:
        """Hashes and slots that are in no page yet, in the order in which they came."""
        hashes = [one for numbers, _ in self._added for one in numbers]
        slots = np.repeat(
            np.array([slot for _, slot in self._added], np.uint32),
            [len(numbers) for numbers, _ in self._added],
        )
        if not self._rewritten:
            return np.array(hashes, np.uint32), slots
        kept = [one not in self._rewritten for one in hashes]
        return np.array(hashes, np.uint32)[kept], slots[kept]

    def rewritten(self) -> Iterable[tuple[int, Sequence[int]]]:
        """Hashes whose buckets lost slots, with what is in them now."""
        return ((number, self._slots[number]) for number in sorted(self._rewritten))

    def _append(self, number: int, slot: int) -> None:
        bucket = self._slots[number]
        if isinstance(bucket, list):
            bucket.append(slot)
        else:
            self._slots[number] = [slot]

    def _drop_lowest(self, number: int) -> int:
        """Vacated entries first, then the lowest ids: one less than the cap stay, and one is about to come."""
        bucket = self._slots[number]
        dropped = sorted(range(len(bucket)), key=bucket.__getitem__)[: len(bucket) - self._cap + 1]
        gone = set(dropped)
        self._slots[number] = [slot for place, slot in enumerate(bucket) if place not in gone]
        self._rewritten.add(number)
        return len(dropped)
