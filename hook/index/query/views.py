"""Documents opened for comparison and kept open, so that the next examination need not decode and split them again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence

from dedupe_core.compare.view import View, view
from hook.index.codec import decode
from hook.index.interface import DocumentIndex

_OPENED_CHARS = 4_000_000  # text of the views kept between examinations; about 15 times that in memory


class OpenViews:
    """Documents opened for comparison, kept for the next examination; bounded by the length of their texts."""

    def __init__(self, index: DocumentIndex) -> None:
        self._index = index
        self._views: OrderedDict[int, View] = OrderedDict()
        self._chars = 0
        self._changes: int | None = None
        self._followed: int | None = None
        self._uncommitted: dict[int, bytes] = {}  # records that another process has stored in its transaction

    def open(self, document_ids: Iterable[int]) -> list[View]:
        """In this order; documents that are not indexed are left out."""
        wanted = list(document_ids)
        self._drop_outdated()
        for record in self._records([one for one in wanted if one not in self._views]):
            self._add(view(decode(record)))
        views = [self._views[one] for one in wanted if one in self._views]
        for one in views:
            self._views.move_to_end(one.id)
        self._shrink()
        return views

    def _records(self, document_ids: Sequence[int]) -> list[bytes]:
        if not self._uncommitted:
            return list(self._index.get_many(document_ids).values())
        known = [self._uncommitted[one] for one in document_ids if one in self._uncommitted]
        others = [one for one in document_ids if one not in self._uncommitted]
        return [*known, *self._index.get_many(others).values()]

    def get(self, document_id: int) -> View | None:
        self._drop_outdated()
        return self._views.get(document_id)

    def follow(self, changes: int) -> None:
        """From now on another process says whether others have changed the index. What it stored before is committed."""
        self._followed = changes
        self._uncommitted.clear()
        self._drop_outdated()

    def show(self, document_id: int, record: bytes, opened: View | None = None) -> None:
        """A document as that process has stored it and not committed yet, opened if it is at hand."""
        self.close(document_id)
        self._uncommitted[document_id] = record
        if opened is not None:
            self.keep(opened)

    def close(self, document_id: int) -> None:
        closed = self._views.pop(document_id, None)
        if closed is not None:
            self._chars -= _chars(closed)

    def clear(self) -> None:
        self._views.clear()
        self._chars = 0

    def keep(self, opened: View) -> None:
        """Of a document that was just stored."""
        self._add(opened)
        self._shrink()

    def _add(self, opened: View) -> None:
        self._views[opened.id] = opened
        self._chars += _chars(opened)

    def _shrink(self) -> None:
        while self._chars > _OPENED_CHARS:
            self._chars -= _chars(self._views.popitem(last=False)[1])

    def _drop_outdated(self) -> None:
        """In a service that runs for weeks, another process may have replaced a document that we have open."""
        changes = self._index.changes_by_others() if self._followed is None else self._followed
        if changes != self._changes:
            self._changes = changes
            self.clear()


def _chars(opened: View) -> int:
    return len(opened.fingerprint.text)
