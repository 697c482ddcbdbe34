"""Documents opened for comparison and kept open, so that the next examination need not decode and split them again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from dedupe_core.compare.view import View, view
from hook.examination.codec import decode
from hook.index.interface import DocumentIndex

_OPENED_CHARS = 4_000_000  # text of the views kept between examinations; about 15 times that in memory


@dataclass(slots=True)
class _Opened:
    view: View
    record: bytes  # that it was read from
    changes: int  # by others, up to which it is known to be that of the index


class OpenViews:
    """Documents opened for comparison, kept for the next examination; bounded by the length of their texts.

    Another process may have replaced a document that is open here: once others have changed anything, its record is read
    again, and decoded only if it is another one.
    """

    def __init__(self, index: DocumentIndex) -> None:
        self._index = index
        self._opened: OrderedDict[int, _Opened] = OrderedDict()
        self._chars = 0
        self._asked = -1  # changes by others, asked for before anything was read: what came later is noticed
        self._followed: int | None = None
        self._uncommitted: dict[int, bytes] = {}  # records that another process has stored in its transaction

    def open(self, document_ids: Iterable[int]) -> list[View]:
        """In this order; documents that are not indexed are left out."""
        wanted = list(document_ids)
        self._asked = changes = self._changes
        self._update([one for one in wanted if not self._is_current(one, changes)])
        found = [self._opened[one] for one in wanted if one in self._opened]
        for one in found:
            self._opened.move_to_end(one.view.id)
        self._shrink()
        return [one.view for one in found]

    def _update(self, document_ids: Sequence[int]) -> None:
        if not document_ids:
            return
        records = self._records(document_ids)
        for number in document_ids:
            record, known = records.get(number), self._opened.get(number)
            if record is None:
                self.close(number)
            elif known is not None and known.record == record:
                known.changes = self._asked
            else:
                self._add(view(decode(record)), record)

    def _records(self, document_ids: Sequence[int]) -> Mapping[int, bytes]:
        if not self._uncommitted:
            return self._index.get_many(document_ids)
        known = {one: self._uncommitted[one] for one in document_ids if one in self._uncommitted}
        others = [one for one in document_ids if one not in self._uncommitted]
        return {**known, **self._index.get_many(others)} if others else known

    def get(self, document_id: int) -> View | None:
        """If it is open, and others have changed nothing since it was read."""
        return self._opened[document_id].view if self._is_current(document_id, self._changes) else None

    def _is_current(self, document_id: int, changes: int) -> bool:
        known = self._opened.get(document_id)
        return known is not None and known.changes == changes

    def follow(self, changes: int) -> None:
        """From now on another process says whether others have changed the index. What it stored before is committed."""
        self._followed = changes
        self._uncommitted.clear()

    def show(self, document_id: int, record: bytes, opened: View | None = None) -> None:
        """A document as that process has stored it and not committed yet, opened if it is at hand."""
        self.close(document_id)
        self._uncommitted[document_id] = record
        if opened is not None:
            self.keep(opened, record)

    def close(self, document_id: int) -> None:
        closed = self._opened.pop(document_id, None)
        if closed is not None:
            self._chars -= _chars(closed)

    def clear(self) -> None:
        self._opened.clear()
        self._chars = 0

    def keep(self, opened: View, record: bytes) -> None:
        """Of a document that was just stored with this record."""
        self._add(opened, record)
        self._shrink()

    def _add(self, opened: View, record: bytes) -> None:
        self.close(opened.id)
        self._opened[opened.id] = found = _Opened(opened, record, self._asked)
        self._chars += _chars(found)

    def _shrink(self) -> None:
        while self._chars > _OPENED_CHARS:
            self._chars -= _chars(self._opened.popitem(last=False)[1])

    @property
    def _changes(self) -> int:
        return self._index.changes_by_others() if self._followed is None else self._followed


def _chars(opened: _Opened) -> int:
    return len(opened.view.fingerprint.text)
