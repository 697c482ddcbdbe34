"""Splitting work: a stream into batches, and a batch that fails into halves until the culprit is alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Protocol, TypeVar

T = TypeVar("T")
R = TypeVar("R")
E = TypeVar("E", bound=Exception)


class _HasText(Protocol):
    @property
    def content(self) -> str: ...


D = TypeVar("D", bound=_HasText)


def batched(values: Iterable[T], size: int) -> Iterator[list[T]]:
    """As itertools.batched, which Python 3.11 does not have; in lists."""
    rest = iter(values)
    while batch := list(islice(rest, size)):
        yield batch


def of_bounded_length(documents: Iterable[D], most_chars: int, most: int | None = None) -> Iterator[list[D]]:
    """Batches of at most so many documents; one with which they have more characters is the last of its batch."""
    some: list[D] = []
    chars = 0
    for document in documents:
        some.append(document)
        chars += len(document.content)
        if chars > most_chars or len(some) == most:
            yield some
            some, chars = [], 0
    if some:
        yield some


def in_halves(
    items: Sequence[T],
    attempt: Callable[[Sequence[T]], R],
    alone: Callable[[T, E], R],
    on: type[E] | tuple[type[E], ...],
) -> Iterator[R]:
    """The results of `attempt`, in order: of all items, or of halves where it raises one of the errors `on`.

    `alone` gives the result for a single item that still fails.
    """
    if not items:
        return
    try:
        result = attempt(items)
    except on as error:
        if len(items) == 1:
            yield alone(items[0], error)
            return
    else:
        yield result
        return
    middle = len(items) // 2
    for half in (items[:middle], items[middle:]):
        yield from in_halves(half, attempt, alone, on)
