"""Batches lose nothing; a failing batch is halved until what fails is alone."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedupe_core.model import Document
from hook.batching import batched, in_halves, of_bounded_length


@given(st.lists(st.integers()), st.integers(1, 7))
def test_batches_hold_everything_in_order(values: list[int], size: int) -> None:
    """Only the last one may be smaller."""
    batches = list(batched(iter(values), size))
    assert [value for batch in batches for value in batch] == values
    assert all(len(batch) == size for batch in batches[:-1])
    assert all(batches)


@given(st.lists(st.integers(0, 9)), st.integers(0, 20), st.none() | st.integers(1, 5))
def test_batches_of_documents_are_bounded_by_their_text_and_their_number(
    lengths: list[int], most_chars: int, most: int | None
) -> None:
    """All documents in order; without the last one of a batch, its text is not too long; and no batch ends too soon."""
    documents = [Document(number, "x" * length) for number, length in enumerate(lengths)]
    batches = list(of_bounded_length(iter(documents), most_chars, most))
    assert [one for batch in batches for one in batch] == documents
    sizes = [(sum(len(one.content) for one in batch), len(batch)) for batch in batches]
    assert all(
        chars - len(batch[-1].content) <= most_chars for (chars, _), batch in zip(sizes, batches, strict=True)
    )
    assert all(most is None or count <= most for _, count in sizes)
    assert all(chars > most_chars or count == most for chars, count in sizes[:-1])


@given(st.lists(st.integers(0, 30), unique=True), st.sets(st.integers(0, 30)))
def test_only_what_fails_is_left_out(items: list[int], bad: set[int]) -> None:
    """Everything else succeeds, in order, whatever it shared a batch with."""

    def attempt(some: Sequence[int]) -> list[int]:
        if bad.intersection(some):
            raise KeyError
        return list(some)

    results = list(in_halves(items, attempt, lambda item, error: [-item - 1], KeyError))
    assert [value for result in results for value in result] == [
        -item - 1 if item in bad else item for item in items
    ]


def test_one_bad_item_costs_a_logarithm_of_attempts_and_another_error_is_not_caught() -> None:
    """Of 64 items: two attempts for each halving. Only what one item can cause is worth a second attempt."""
    attempts: list[int] = []

    def attempt(some: Sequence[int]) -> None:
        attempts.append(len(some))
        if 5 in some:
            raise KeyError

    list(in_halves(range(64), attempt, lambda item, error: None, KeyError))
    assert len(attempts) == 13
    with pytest.raises(KeyError):
        list(in_halves(range(64), attempt, lambda item, error: None, ValueError))
