"""Notes of ours other than those of findings: refusals and summaries, known by their id and digest, never by their words.

A note is announced before it is sent, so that one that a killed run has sent is recognised.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from typing import Final

from hook.errors import NotFoundError
from hook.findings.apply import is_ours
from hook.findings.findings import WrittenNote
from hook.findings.plan import digest_of
from hook.index.ids import key_number, number_key
from hook.index.interface import DocumentIndex
from hook.paperless.client import Paperless
from hook.paperless.values import Note

_NAME: Final = "own-notes"


class OwnNotes:
    def __init__(self, client: Paperless, index: DocumentIndex) -> None:
        self._client, self._documents = client, index.namespace(_NAME)

    def of(self, document: int) -> tuple[WrittenNote, ...]:
        raw = self._documents.get(number_key(document))
        return tuple(WrittenNote(digest, number) for digest, number in json.loads(raw)) if raw else ()

    def all(self) -> Iterator[tuple[int, tuple[WrittenNote, ...]]]:
        for key, _ in self._documents.items():
            yield key_number(key), self.of(key_number(key))

    def add_once(self, document: int, text: str) -> str:
        """Adds a note, unless its text is there already. Returns its digest."""
        digest = digest_of(text)
        if digest not in [digest_of(note.text) for note in self._client.notes(document)]:
            self.record(document, WrittenNote(digest))
            number = newest(self._client.add_note(document, text), digest)
            self.record(document, WrittenNote(digest, number))
        return digest

    def remove(self, document: int, digest: str) -> None:
        ours = [note for note in self.of(document) if note.digest == digest]
        with suppress(NotFoundError):  # it was deleted, and the notes with it
            for note in self._client.notes(document):
                if is_ours(note, ours):
                    self._client.delete_note(document, note.id)
        self._put(document, [note for note in self.of(document) if note.digest != digest])

    def forget_all(self) -> None:
        """After `retract` has removed them."""
        for key, _ in list(self._documents.items()):
            self._documents.delete(key)

    def record(self, document: int, note: WrittenNote) -> None:
        others = [written for written in self.of(document) if written != WrittenNote(note.digest)]
        self._put(document, list(dict.fromkeys([*others, note])))

    def _put(self, document: int, notes: Iterable[WrittenNote]) -> None:
        rows = [[note.digest, note.id] for note in notes]
        if rows:
            self._documents.put(number_key(document), json.dumps(rows).encode("ascii"))
        else:
            self._documents.delete(number_key(document))


def newest(notes: Iterable[Note], digest: str, but: Collection[int] = ()) -> int | None:
    """The id of the note with this text that was written last, without some that were there before."""
    written = [note.id for note in notes if digest_of(note.text) == digest and note.id not in but]
    return max(written, default=None)
