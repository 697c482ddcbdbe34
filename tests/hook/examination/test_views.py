"""Documents stay open between examinations, and are read again when another process may have replaced them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

import pytest

from dedupe_core.compare.view import view
from dedupe_core.fingerprint.fingerprint import fingerprint
from dedupe_core.model import Document, Fingerprint
from dedupe_core.recipe import DEFAULT as RECIPE
from hook.examination import views
from hook.examination.codec import decode, encode
from hook.examination.views import OpenViews
from hook.index.interface import DocumentIndex
from tests.core.core_kit import LETTER, NEXT_LETTER


def read(number: int, content: str) -> Fingerprint:
    return fingerprint(Document(number, content), RECIPE)


class Records:
    """As much of an index as views ask for. `meanwhile` is done after the next read, by another process."""

    def __init__(self, **contents: str) -> None:
        self.records = {int(name[1:]): encode(read(int(name[1:]), text)) for name, text in contents.items()}
        self.changes = 7
        self.reads: list[list[int]] = []
        self.meanwhile: tuple[int, str] | None = None

    def change(self, number: int, content: str) -> None:
        self.records[number] = encode(read(number, content))
        self.changes += 1

    def changes_by_others(self) -> int:
        return self.changes

    def get_many(self, document_ids: Iterable[int]) -> dict[int, bytes]:
        wanted = list(document_ids)
        self.reads.append(wanted)
        found = {one: self.records[one] for one in wanted if one in self.records}
        if self.meanwhile is not None:
            self.change(*self.meanwhile)
            self.meanwhile = None
        return found


@pytest.fixture
def decoded(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    seen: list[int] = []

    def counting(record: bytes) -> Fingerprint:
        found = decode(record)
        seen.append(found.id)
        return found

    monkeypatch.setattr(views, "decode", counting)
    return seen


def opened(index: Records) -> OpenViews:
    return OpenViews(cast(DocumentIndex, index))


def texts(found: OpenViews, *numbers: int) -> list[str]:
    return [one.fingerprint.text for one in found.open(numbers)]


def test_a_change_by_others_costs_a_read_and_only_what_is_another_record_is_decoded(
    decoded: list[int],
) -> None:
    """Two hosts that examine into one index change it all the time."""
    index = Records(d1=LETTER, d2=NEXT_LETTER)
    found = opened(index)
    first = found.open([1, 2])
    index.change(2, LETTER + " again")
    second = found.open([1, 2])
    assert second[0] is first[0]
    assert second[1].fingerprint == read(2, LETTER + " again")
    assert (decoded, index.reads) == ([1, 2, 2], [[1, 2], [1, 2]])
    found.open([2, 1])
    assert len(index.reads) == 2


def test_a_document_that_is_gone_is_closed() -> None:
    index = Records(d1=LETTER, d2=NEXT_LETTER)
    found = opened(index)
    found.open([1, 2])
    del index.records[1]
    index.changes += 1
    assert texts(found, 1, 2) == [read(2, NEXT_LETTER).text]
    assert found.get(1) is None
    assert found._chars == len(read(2, NEXT_LETTER).text)


def test_a_change_while_records_are_read_is_noticed_the_next_time() -> None:
    """The number of changes is asked for first."""
    index = Records(d1=LETTER)
    found = opened(index)
    index.meanwhile = (1, NEXT_LETTER)
    assert texts(found, 1) == [read(1, LETTER).text]
    assert found.get(1) is None
    assert texts(found, 1) == [read(1, NEXT_LETTER).text]
    assert found.get(1) is not None


def test_a_document_that_was_stored_here_is_compared_with_its_record_before_it_is_believed(
    decoded: list[int],
) -> None:
    """Another process may have replaced it since; if not, it is not decoded again."""
    index = Records(d1=LETTER)
    found = opened(index)
    mine = view(read(1, LETTER))
    found.keep(mine, index.records[1])
    assert found.get(1) is None
    assert found.open([1]) == [mine]
    assert decoded == []
    found.keep(mine, index.records[1])
    assert found.get(1) is mine
    index.change(1, NEXT_LETTER)
    assert texts(found, 1) == [read(1, NEXT_LETTER).text]


def test_a_worker_sees_what_its_run_has_stored_and_not_committed(decoded: list[int]) -> None:
    """Until the next batch: then the index has it, and what is open and equal stays open."""
    index = Records(d1=LETTER)
    found = opened(index)
    found.follow(3)
    found.open([1])
    new = encode(read(1, NEXT_LETTER))
    found.show(1, new)
    assert texts(found, 1) == [read(1, NEXT_LETTER).text]
    index.records[1] = new
    found.follow(4)
    assert texts(found, 1) == [read(1, NEXT_LETTER).text]
    assert (decoded, index.reads) == ([1, 1], [[1], [1]])
