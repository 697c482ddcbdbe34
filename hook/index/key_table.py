"""Which documents have a key: a linear hash table over packed pages, which the caller stores.

It grows by splitting one page at a time, in turn. Pages keep their mean load, and no insert causes a large
rebuild.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hook.index.interface import BUCKET_CAP, BUCKET_SLACK
from hook.index.pages import (
    HASH_BITS,
    ONE,
    Entries,
    Positions,
    Words,
    append,
    append_to_each,
    extend_each,
    gather,
    gather_residuals,
    pack,
    pack_each,
    unpack,
)
from hook.index.query.buckets import Buckets

PAGE_LOAD = 170  # mean entries in a page: rows of 0.7 kB, 6% of them row overhead, 5 to a SQLite page
VACATED = np.uint32(0)
NOWHERE: Positions = np.empty(0, np.intp)
PAGES_AT_ONCE = 2048  # unpacked for a batch: 350,000 entries, some 10 MB
FILTER_BITS = (
    20  # of a hash: of the entries of a page, one in 40 passes and is compared with the keys of the batch
)
MIX = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio, odd: all bits of a key reach the upper 32


def hash_keys(keys: NDArray[np.uint64]) -> Words:
    return (np.asarray(keys, np.uint64) * MIX >> np.uint64(64 - HASH_BITS)).astype(np.uint32)


@dataclass(frozen=True, slots=True)
class Shape:
    """How many pages there are: 2^level, of which the first `split` have already been split in two."""

    level: int = 0
    split: int = 0

    @property
    def pages(self) -> int:
        return (1 << self.level) + self.split

    def grown(self) -> "Shape":
        if self.split + 1 == 1 << self.level:
            return Shape(self.level + 1, 0)
        return Shape(self.level, self.split + 1)

    def pages_of(self, hashes: Words) -> Words:
        shallow = hashes & np.uint32((1 << self.level) - 1)
        deep = hashes & np.uint32((2 << self.level) - 1)
        return np.where(shallow < self.split, deep, shallow)

    def levels_of(self, pages: Words) -> Words:
        deep = (pages < self.split) | (pages >= 1 << self.level)
        return deep.astype(np.uint32) + np.uint32(self.level)

    def level_of(self, page: int) -> int:
        return self.level + (page < self.split or page >= 1 << self.level)


EMPTY = Shape()


@dataclass(frozen=True, slots=True)
class Found:
    """The entries with the hashes asked for."""

    slots: Words
    asked: Positions  # which of the hashes each slot has
    positions: Positions  # its position in its page
    sizes: Positions  # per hash: entries in its bucket, vacated ones included


class KeyTable:
    """Keeps the pages it has read and changed; the caller reads and stores them."""

    def __init__(
        self,
        shape: Shape,
        entry_count: int,
        read: Callable[[Iterable[int]], dict[int, bytes]],
        *,
        bucket_cap: int = BUCKET_CAP,
        bucket_slack: int = BUCKET_SLACK,
    ) -> None:
        self.shape = shape
        self.entry_count = entry_count
        self._read = read
        self._cap, self._most = bucket_cap, bucket_cap + bucket_slack
        self._pages: dict[int, bytes] = {}
        self._changed: set[int] = set()
        self._last: tuple[Words, Found] | None = None
        self._buckets: Buckets | None = None

    def expect(self, hashes: Words) -> None:
        """For a batch: these are looked up and inserted next. Their pages are unpacked once, and packed once at the end."""
        self._settle()
        wanted = np.unique(hashes)
        buckets = Buckets(wanted, self._cap, self._most)
        is_wanted = np.zeros(1 << FILTER_BITS, np.bool_)
        is_wanted[wanted >> np.uint32(HASH_BITS - FILTER_BITS)] = True
        numbers = np.unique(self.shape.pages_of(wanted))
        for start in range(0, len(numbers), PAGES_AT_ONCE):
            some = numbers[start : start + PAGES_AT_ONCE]
            entries, counts = gather(self._load(some.tolist()))
            found = entries.residuals << np.repeat(self.shape.levels_of(some), counts) | np.repeat(
                some, counts
            )
            maybe = np.flatnonzero(is_wanted[found >> np.uint32(HASH_BITS - FILTER_BITS)])
            nearest = np.minimum(np.searchsorted(wanted, found[maybe]), len(wanted) - 1)
            maybe = maybe[wanted[nearest] == found[maybe]]
            buckets.read(found[maybe], entries.slots[maybe])
        self._buckets = buckets

    def _settle(self) -> None:
        """What was inserted into opened buckets goes to the pages."""
        buckets, self._buckets = self._buckets, None
        if buckets is None:
            return
        for number, left in buckets.rewritten():
            self._replace_bucket(number, left)
        hashes, slots = buckets.added()
        if len(hashes):
            self._extend(hashes, slots)
        self._grow()

    def _extend(self, hashes: Words, slots: Words) -> None:
        pages = self.shape.pages_of(hashes)
        order = np.argsort(pages, kind="stable")
        numbers, starts = np.unique(pages[order], return_index=True)
        levels = self.shape.levels_of(numbers)
        hashes = hashes[order]
        residuals = hashes >> np.repeat(levels, np.diff(starts, append=len(hashes)))
        old = self._load(numbers.tolist())
        changed = extend_each(old, levels, starts, Entries(residuals, slots[order]))
        for number, page in zip(numbers.tolist(), changed, strict=True):
            self._store(number, page)

    def _replace_bucket(self, hashed: int, slots: Sequence[int]) -> None:
        number = int(self.shape.pages_of(np.array([hashed], np.uint32))[0])
        residual = np.uint32(hashed >> self.shape.level_of(number))
        entries = unpack(self._load([number])[0])
        others = entries.pick(entries.residuals != residual)
        self.replace_page(
            number,
            Entries(
                np.concatenate([others.residuals, np.full(len(slots), residual)]),
                np.concatenate([others.slots, np.array(slots, np.uint32)]),
            ),
        )

    def find(self, hashes: Words) -> Found:
        """A put mostly follows a look-up of the same keys, so the last result is kept until a page changes."""
        if self._buckets is not None and (opened := self._buckets.find(hashes)) is not None:
            slots, asked, sizes = opened
            return Found(slots, asked, NOWHERE, sizes)
        self._settle()
        if self._last is None or not np.array_equal(self._last[0], hashes):
            self._last = hashes, self._search(hashes)
        return self._last[1]

    def _search(self, hashes: Words) -> Found:
        numbers = self.shape.pages_of(hashes)
        pages = self._load(numbers.tolist())
        residuals, counts = gather_residuals(pages)
        matches = np.flatnonzero(residuals == np.repeat(hashes >> self.shape.levels_of(numbers), counts))
        ends = np.cumsum(counts)
        asked = np.searchsorted(ends, matches, side="right")
        positions = matches - (ends - counts)[asked]
        sizes = np.bincount(asked, minlength=len(hashes))
        return Found(_slots_at(pages, asked, positions), asked, positions, sizes)

    def insert(self, slot: int, hashes: Words) -> None:
        """Adds the slot under each of the (distinct) hashes; an overfull bucket drops its lowest slots."""
        if self._buckets is not None and (gained := self._buckets.add(slot, hashes)) is not None:
            self.entry_count += gained
            return
        self._settle()
        found = self.find(hashes)
        pages = self.shape.pages_of(hashes)
        self._rewrite(pages, found, dropped=self._lowest_of_overfull(found))
        levels = self.shape.levels_of(pages)
        residuals = hashes >> levels
        once, again = _once(pages)
        numbers = pages[once].tolist()
        changed = append_to_each(self._load(numbers), levels[once], residuals[once], slot)
        for number, page in zip(numbers, changed, strict=True):
            self._store(number, page)
        for place in again:  # two keys on one page
            number = int(pages[place])
            page = append(self._pages[number], int(levels[place]), int(residuals[place]), slot)
            self._store(number, page)
        self.entry_count += len(hashes)
        self._grow()

    def discard(self, slot: int, hashes: Words) -> None:
        """Removes the slot from under each hash. In a full bucket the entry is only vacated: such a bucket may
        have dropped documents before, and it must still count as full to explain that they are missing."""
        self._settle()
        found = self.find(hashes)
        pages = self.shape.pages_of(hashes)
        ours = np.flatnonzero(found.slots == slot)
        full = found.sizes[found.asked[ours]] >= self._cap
        self._rewrite(pages, found, dropped=ours[~full], vacated=ours[full])

    def page(self, number: int) -> bytes:
        self._settle()
        return self._load([number])[0]

    def replace_page(self, number: int, entries: Entries) -> None:
        self._store(number, pack(entries, self.shape.level_of(number)))

    def changed_pages(self) -> dict[int, bytes]:
        self._settle()
        return {number: self._pages[number] for number in self._changed}

    def _load(self, numbers: Sequence[int]) -> list[bytes]:
        absent = set(numbers).difference(self._pages)
        if absent:
            stored = self._read(absent)
            self._pages.update((number, stored.get(number, b"")) for number in absent)
        return [self._pages[number] for number in numbers]

    def _store(self, number: int, page: bytes) -> None:
        self._pages[number] = page
        self._changed.add(number)
        self._last = None

    def _lowest_of_overfull(self, found: Found) -> Positions:
        """The matches that are dropped from buckets over their cap: vacated entries first, then the lowest ids."""
        matches = np.flatnonzero(found.sizes[found.asked] >= self._most)
        if not len(matches):
            return matches
        matches = matches[np.lexsort((found.slots[matches], found.asked[matches]))]
        buckets = found.asked[matches]
        rank = np.arange(len(matches)) - np.searchsorted(buckets, buckets, side="left")
        return matches[rank <= found.sizes[buckets] - self._cap]

    def _rewrite(
        self, pages: Words, found: Found, *, dropped: Positions, vacated: Positions = NOWHERE
    ) -> None:
        """Changes the entries of these matches, page by page."""
        matches = np.concatenate([vacated, dropped])
        if not len(matches):
            return
        numbers, page_of_match = np.unique(pages[found.asked[matches]], return_inverse=True)
        entries, counts = gather(self._load(numbers.tolist()))
        ends = np.cumsum(counts)
        places = (ends - counts)[page_of_match] + found.positions[matches]
        entries.slots[places[: len(vacated)]] = VACATED
        kept = np.ones(len(entries), np.bool_)
        kept[places[len(vacated) :]] = False
        for number, start, end in zip(numbers.tolist(), (ends - counts).tolist(), ends.tolist(), strict=True):
            self.replace_page(number, entries.pick(slice(start, end)).pick(kept[start:end]))
        self.entry_count -= len(dropped)

    def _grow(self) -> None:
        while (missing := -(-self.entry_count // PAGE_LOAD) - self.shape.pages) > 0:
            self._split(min(missing, (1 << self.shape.level) - self.shape.split, PAGES_AT_ONCE))

    def _split(self, count: int) -> None:
        """The next pages in turn, all of one level."""
        level = self.shape.level
        lows = range(self.shape.split, self.shape.split + count)
        entries, counts = gather(self._load(lows))
        moves = (entries.residuals & ONE).astype(np.bool_)
        halved = Entries(entries.residuals >> ONE, entries.slots)
        place = np.repeat(np.arange(count), counts)
        for first, which in ((lows.start, ~moves), (lows.start + (1 << level), moves)):
            sizes = np.bincount(place[which], minlength=count)
            for number, page in enumerate(pack_each(halved.pick(which), sizes, level + 1), first):
                self._store(number, page)
        for _ in lows:
            self.shape = self.shape.grown()


def _once(pages: Words) -> tuple[list[int], list[int]]:
    """The first place of each page, and the places of those that come again."""
    first: dict[int, int] = {}
    again = [place for place, number in enumerate(pages.tolist()) if first.setdefault(number, place) != place]
    return list(first.values()), again


def _slots_at(pages: Sequence[bytes], asked: Positions, positions: Positions) -> Words:
    """The slots at these positions of these pages; only the pages that are needed are unpacked."""
    distinct = np.unique(asked)
    entries, counts = gather([pages[number] for number in distinct.tolist()])
    starts = np.cumsum(counts) - counts
    places: Positions = starts[np.searchsorted(distinct, asked)] + positions
    return entries.slots[places]
