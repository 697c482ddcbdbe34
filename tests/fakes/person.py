"""What people do in the web page, as one-line calls: tag, edit, share, re-OCR, delete, restore."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .archive import Archive
from .endpoints.webhooks import fire
from .rows.state import UPDATED


class Person(Archive):
    """Acts past the API, so that nothing of it counts as a request; workflows are set off all the same."""

    def tag(self, document_id: int, *names: str | int) -> None:
        self._person_edits(document_id, add={self._tag(name) for name in names})

    def untag(self, document_id: int, *names: str | int) -> None:
        self._person_edits(document_id, remove={self._tag(name) for name in names})

    def edit(self, document_id: int, **values: Any) -> None:
        """Set columns such as ``title``, ``content``, ``archive_serial_number`` or ``owner`` (by name)."""
        with self.state.lock:
            document = self.state.documents[document_id]
            if values.get("owner") is not None:
                values["owner"] = self._user(values["owner"]).id
            if "content" in values:
                document.data = document.file_bytes  # the text is edited, the file stays
            for name, value in values.items():
                setattr(document, "name" if name == "title" else name, value)
            self.state.touch(document)
            fire(self.state, document, UPDATED)

    def share(self, document_id: int, user: str, *, change: bool = False) -> None:
        """Let another user see the document, or change it as well."""
        with self.state.lock:
            document = self.state.documents[document_id]
            (document.change_users if change else document.view_users).add(self._user(user).id)
            self.state.changed()

    def reprocess(self, document_id: int, new_content: str) -> None:
        """Re-OCR: the text changes, ``modified`` does not, nobody is told."""
        with self.state.lock:
            document = self.state.newest(self.state.documents[document_id])
            document.data = document.file_bytes
            document.content = new_content
            self.state.changed()

    def trash(self, document_id: int) -> None:
        with self.state.lock:
            self.state.to_trash(self.state.documents[document_id])

    def restore(self, document_id: int) -> None:
        with self.state.lock:
            self.state.restore(self.state.documents[document_id])

    def empty_trash(self) -> None:
        with self.state.lock:
            for document in self.state.trashed():
                if document.id in self.state.documents:  # a version may have gone with its root a moment ago
                    self.state.expunge(document)

    def _person_edits(self, document_id: int, add: Iterable[int] = (), remove: Iterable[int] = ()) -> None:
        with self.state.lock:
            document = self.state.documents[document_id]
            document.tags |= self.state.with_ancestors(add)
            document.tags -= self.state.with_descendants(remove)
            self.state.touch(document)
            fire(self.state, document, UPDATED)
