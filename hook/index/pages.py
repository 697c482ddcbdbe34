"""Packed pages: entries (key hash, document) of 4 bytes each, mostly in the order of insertion.

    header  level, entry width in bytes, first and last slot
    entry   residual | zigzag(slot - slot before) << residual bits, little-endian

The page number gives `level` bits of the 32-bit key hash, the residual is the rest. A slot is a document id + 1;
0 marks a vacated entry. Ids mostly arrive in order, so the differences are small, and 4 bytes are enough for
100,000 documents and more. Adding an entry is an append; one that does not fit makes its page wider.
"""

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from hook.errors import IndexDamaged

Words = NDArray[np.uint32]
Positions = NDArray[np.intp]

HASH_BITS = 32  # two keys collide with p = entries / 2^32: 0.2 false hits a look-up at 100,000 documents
MAX_LEVEL = HASH_BITS - 1
HEADER = struct.Struct("<BBII")  # level, width, first slot, last slot
_LAST_SLOT, _NO_SLOT, _NO_HEAD = slice(6, 10), bytes(4), bytes(2)
ONE = np.uint32(1)


@dataclass(frozen=True, slots=True)
class Entries:
    """Entries of one page, or of several side by side."""

    residuals: Words
    slots: Words

    def __len__(self) -> int:
        return len(self.slots)

    def pick(self, which: NDArray[np.bool_] | Positions | slice) -> "Entries":
        return Entries(self.residuals[which], self.slots[which])


NO_ENTRIES = Entries(np.empty(0, np.uint32), np.empty(0, np.uint32))


def pack(entries: Entries, level: int) -> bytes:
    """In the given order, or sorted by slot if that takes fewer bytes."""
    if not len(entries):
        return b""
    page = _pack(entries, level)
    if (entries.slots[1:] < entries.slots[:-1]).any():
        in_order = entries.pick(np.argsort(entries.slots, kind="stable"))
        page = min(page, _pack(in_order, level), key=len)
    return page


def _pack(entries: Entries, level: int) -> bytes:
    residual_bits = HASH_BITS - level
    steps = np.zeros_like(entries.slots)
    steps[1:] = _zigzag(entries.slots[1:] - entries.slots[:-1])
    width = _width(residual_bits, int(steps.max()))
    numbers = entries.residuals | steps.astype("<u8") << np.uint64(residual_bits)
    body = numbers.view(np.uint8).reshape(-1, 8)[:, :width]
    return HEADER.pack(level, width, int(entries.slots[0]), int(entries.slots[-1])) + body.tobytes()


def append(page: bytes, level: int, residual: int, slot: int) -> bytes:
    residual_bits = HASH_BITS - level
    if page:
        _, width, first, last = HEADER.unpack_from(page)
        step = _zigzag_number(slot - last)
        if _width(residual_bits, step) <= width:
            entry = residual | step << residual_bits
            return (
                HEADER.pack(level, width, first, slot) + page[HEADER.size :] + entry.to_bytes(width, "little")
            )
    before = unpack(page)
    residuals = np.append(before.residuals, np.uint32(residual))
    return _pack(Entries(residuals, np.append(before.slots, np.uint32(slot))), level)


def append_to_each(pages: Sequence[bytes], levels: Words, residuals: Words, slot: int) -> list[bytes]:
    """`append` to many different pages, the arithmetic at once; None of them is changed twice."""
    lasts = np.frombuffer(b"".join([page[_LAST_SLOT] or _NO_SLOT for page in pages]), "<u4")
    steps = _zigzag(np.uint32(slot) - lasts).astype(np.uint64)
    entries = residuals | steps << (np.uint64(HASH_BITS) - levels)
    bodies = entries.astype("<u8").tobytes()
    last = slot.to_bytes(4, "little")
    return [
        page[: _LAST_SLOT.start] + last + page[HEADER.size :] + bodies[8 * place : 8 * place + page[1]]
        if page and entry >> 8 * page[1] == 0
        else append(page, level, residual, slot)
        for place, (page, entry, level, residual) in enumerate(
            zip(pages, entries.tolist(), levels.tolist(), residuals.tolist(), strict=True)
        )
    ]


def extend_each(pages: Sequence[bytes], levels: Words, starts: Positions, entries: Entries) -> list[bytes]:
    """Appends to each page its part of the entries, which begins at its start; the arithmetic at once."""
    ends = np.append(starts[1:], len(entries))
    lasts = np.frombuffer(b"".join([page[_LAST_SLOT] or _NO_SLOT for page in pages]), "<u4")
    before = np.roll(entries.slots, 1)
    before[starts] = lasts
    steps = _zigzag(entries.slots - before).astype(np.uint64)
    numbers = entries.residuals | steps << np.repeat(np.uint64(HASH_BITS) - levels, ends - starts)
    largest = np.maximum.reduceat(numbers, starts).tolist() if len(starts) else []
    bodies = numbers.astype("<u4").tobytes()  # only used where all are smaller than 2^32
    last_slots = entries.slots[ends - 1].astype("<u4").tobytes()
    return [
        page[: _LAST_SLOT.start] + last_slots[4 * place : 4 * place + 4] + page[HEADER.size :] + bodies[4 * start : 4 * end]
        if page and page[1] == 4 and high >> HASH_BITS == 0
        else _extended(page, int(level), entries.pick(slice(start, end)))
        for place, (page, level, high, start, end) in enumerate(
            zip(pages, levels, largest, starts.tolist(), ends.tolist(), strict=True)
        )
    ]  # fmt: skip


def _extended(page: bytes, level: int, more: Entries) -> bytes:
    before = unpack(page)
    return _pack(
        Entries(
            np.concatenate([before.residuals, more.residuals]), np.concatenate([before.slots, more.slots])
        ),
        level,
    )


def pack_each(entries: Entries, counts: Positions, level: int) -> list[bytes]:
    """`pack` of many pages, whose entries are side by side; the arithmetic at once."""
    ends = np.cumsum(counts)
    starts = ends - counts
    steps = _zigzag(np.diff(entries.slots, prepend=np.uint32(0))).astype(np.uint64)
    steps[starts[counts > 0]] = 0
    highest = np.zeros(len(counts), np.uint64)
    descends = np.zeros(len(counts), np.bool_)
    if len(entries):
        filled = np.flatnonzero(counts)
        highest[filled] = np.maximum.reduceat(steps, starts[filled])
        descends[filled] = np.logical_or.reduceat((steps & np.uint64(1)).astype(np.bool_), starts[filled])
    bodies = (entries.residuals | steps << np.uint64(HASH_BITS - level)).astype("<u4").tobytes()
    slots = entries.slots
    return [
        HEADER.pack(level, 4, slots[start], slots[end - 1]) + bodies[4 * start : 4 * end]
        if end > start and not down and _width(HASH_BITS - level, high) == 4
        else pack(entries.pick(slice(start, end)), level)
        for high, down, start, end in zip(
            highest.tolist(), descends.tolist(), starts.tolist(), ends.tolist(), strict=True
        )
    ]


def unpack(page: bytes) -> Entries:
    return Entries(*_unpack_alike([page])) if _count(page) else NO_ENTRIES


def gather(pages: Sequence[bytes]) -> tuple[Entries, Positions]:
    """The entries of all pages side by side, and how many each page has. A page without entries is b""."""
    (residuals, slots), counts = _gather(pages, _unpack_alike, 2)
    return Entries(residuals, slots), counts


def gather_residuals(pages: Sequence[bytes]) -> tuple[Words, Positions]:
    """Only the residuals, in half the time: in a search few entries match."""
    (residuals,), counts = _gather(pages, lambda alike: _split_numbers(alike)[:1], 1)
    return residuals, counts


def _gather(
    pages: Sequence[bytes], unpack_alike: Callable[[list[bytes]], Sequence[Words]], columns: int
) -> tuple[Sequence[Words], Positions]:
    counts = _counts(pages)
    kinds = {page[:2] for page in pages if page}
    if len(kinds) == 1:
        return unpack_alike([page for page in pages if page]), counts
    whole = [np.empty(int(counts.sum()), np.uint32) for _ in range(columns)]
    for kind in kinds:
        alike = [page[:2] == kind for page in pages]
        places = np.repeat(alike, counts)
        for column, part in zip(whole, unpack_alike(list(compress(pages, alike))), strict=True):
            column[places] = part
    return whole, counts


def _counts(pages: Sequence[bytes]) -> Positions:
    """`_count` of each, at once."""
    heads = np.frombuffer(
        b"".join([page[:2] if len(page) > 1 else _NO_HEAD for page in pages]), np.uint8
    ).reshape(-1, 2)
    levels, widths = heads[:, 0].astype(np.intp), heads[:, 1].astype(np.intp)
    sizes = np.fromiter(map(len, pages), np.intp, len(pages))
    counts, rests = np.divmod(sizes - HEADER.size, np.maximum(widths, 1))
    wrong = (counts < 1) | (rests != 0) | (8 * widths > 64) | (HASH_BITS - levels > 8 * widths)
    wrong |= levels > MAX_LEVEL
    empty = sizes == 0
    for place in np.flatnonzero(wrong & ~empty)[:1].tolist():
        _count(pages[place])  # says what is wrong
    counts[empty] = 0
    return np.asarray(counts, np.intp)


def _count(page: bytes) -> int:
    if not page:
        return 0
    if len(page) > HEADER.size and HASH_BITS - page[0] <= 8 * page[1] <= 64 and page[0] <= MAX_LEVEL:
        count, rest = divmod(len(page) - HEADER.size, page[1])
        if not rest:
            return count
    raise IndexDamaged(None, f"a page of {len(page)} bytes whose header is {page[:2].hex()}")


def _unpack_alike(pages: Sequence[bytes]) -> tuple[Words, Words]:
    """Residuals and slots of non-empty pages that have the same level and width."""
    residuals, steps = _split_numbers(pages)
    reached = np.cumsum(_unzigzag(steps), dtype=np.uint32)
    firsts = np.frombuffer(b"".join([page[2:6] for page in pages]), "<u4")
    counts = (np.fromiter(map(len, pages), np.intp, len(pages)) - HEADER.size) // pages[0][1]
    starts = np.cumsum(counts) - counts
    return residuals, reached + np.repeat(firsts - reached[starts], counts)


def _split_numbers(pages: Sequence[bytes]) -> tuple[Words, Words]:
    """Residuals and steps of such pages."""
    residual_bits, width = HASH_BITS - pages[0][0], pages[0][1]
    numbers = _numbers(b"".join([page[HEADER.size :] for page in pages]), width)
    number = numbers.dtype.type
    residuals = numbers & number((1 << residual_bits) - 1)
    steps = numbers >> number(residual_bits)
    return residuals.astype(np.uint32, copy=False), steps.astype(np.uint32, copy=False)


def _numbers(body: bytes, width: int) -> NDArray[np.uint32] | NDArray[np.uint64]:
    if width == 4:
        return np.frombuffer(body, "<u4")
    octets = np.frombuffer(body, np.uint8).reshape(-1, width)
    padded = np.zeros((len(octets), 8), np.uint8)
    padded[:, :width] = octets
    return padded.reshape(-1).view("<u8")


def _width(residual_bits: int, step: int) -> int:
    return (residual_bits + step.bit_length() + 7) // 8


def _zigzag(differences: Words) -> Words:
    """Differences modulo 2^32, small in either direction -> small numbers: 0, -1, 1, -2 -> 0, 1, 2, 3."""
    return differences << ONE ^ -(differences >> np.uint32(31))


def _unzigzag(steps: Words) -> Words:
    return steps >> ONE ^ -(steps & ONE)


def _zigzag_number(difference: int) -> int:
    wrapped = difference & 0xFFFFFFFF
    return (wrapped << 1 ^ -(wrapped >> 31)) & 0xFFFFFFFF
