"""Fetching: one bad document stops nothing; reading ahead keeps order, errors and memory in bounds."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from typing import Any, cast

import pytest

from hook.backfill.fetch import MAX_FAILED_IN_A_ROW, fetch
from hook.errors import PaperlessError, ServerError, TooLargeError, UnreachableError
from hook.paperless.client import Paperless
from hook.paperless.values import RawDocument


class Shelf:
    """Stands in for the client: documents that exist, and those that make a request fail."""

    def __init__(self, there: Iterable[int], bad: dict[int, PaperlessError]) -> None:
        self.there, self.bad = set(there), bad
        self.requests: list[list[int]] = []

    def documents_by_id(self, ids: list[int], **options: Any) -> Iterator[RawDocument]:
        self.requests.append(list(ids))
        for number in ids:
            if number in self.bad:
                raise self.bad[number]
            if number in self.there:
                yield RawDocument(number)


@pytest.fixture(autouse=True)
def _small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hook.backfill.fetch.PAGE", 8)


def fetched(shelf: Shelf, ids: Iterable[int], skipped: list[int]) -> list[int]:
    documents = fetch(cast(Paperless, shelf), ids, lambda number, error: skipped.append(number))
    return [document.id for document in documents]


def test_a_page_at_a_time_in_order() -> None:
    """Documents that were deleted are left out."""
    shelf, skipped = Shelf(range(0, 20, 2), {}), list[int]()
    assert fetched(shelf, range(20), skipped) == list(range(0, 20, 2))
    assert [len(request) for request in shelf.requests] == [8, 8, 4]
    assert skipped == []


def test_one_bad_document_stops_nothing() -> None:
    """A text too large, or one that Paperless fails on: it is reported, all others arrive."""
    bad: dict[int, PaperlessError] = {3: TooLargeError("", "large"), 12: ServerError("", "500")}
    shelf, skipped = Shelf(range(20), bad), list[int]()
    assert fetched(shelf, range(20), skipped) == [number for number in range(20) if number not in bad]
    assert skipped == [3, 12]


def test_if_many_fail_in_a_row_it_is_not_the_documents() -> None:
    """The run ends with the error instead of skipping the whole archive."""
    failure = ServerError("", "500")
    shelf, skipped = Shelf(range(20), dict.fromkeys(range(20), failure)), list[int]()
    with pytest.raises(ServerError):
        fetched(shelf, range(20), skipped)
    assert len(skipped) == MAX_FAILED_IN_A_ROW - 1


def test_an_error_that_is_not_of_a_document_is_not_retried() -> None:
    """Paperless is down: halves would fail as well."""
    shelf, skipped = Shelf(range(20), {3: UnreachableError("", "down")}), list[int]()
    with pytest.raises(UnreachableError):
        fetched(shelf, range(20), skipped)
    assert (len(shelf.requests), skipped) == (1, [])


def test_the_next_page_is_fetched_ahead_and_no_more() -> None:
    """Constant memory: the page in use and the next one, however many documents there are."""
    shelf = Shelf(range(80), {})
    documents = fetch(cast(Paperless, shelf), range(80), _never_skipped)
    assert next(documents).id == 0
    documents.close()  # as `--limit 1` does: ends the thread
    assert len(shelf.requests) == 2
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("prefetch")]


def test_an_error_comes_after_the_documents_before_it() -> None:
    """A connection that is cut on page 2 does not lose page 1."""
    shelf = Shelf(range(20), {9: UnreachableError("", "down")})
    documents = fetch(cast(Paperless, shelf), range(20), _never_skipped)
    assert [next(documents).id for _ in range(8)] == list(range(8))
    with pytest.raises(UnreachableError):
        next(documents)


def _never_skipped(number: int, error: PaperlessError) -> None:
    raise error
