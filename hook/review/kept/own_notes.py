"""Notes of ours other than those of findings: refusals and summaries, known by their id and digest, never by their words.

A note is announced before it is sent, so that one that a killed run has sent is recognised.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Final

from hook.findings.findings import WrittenNote
from hook.findings.plan import digest_of
from hook.index.ids import key_number, number_key
from hook.paperless.client import Paperless
from hook.paperless.values import Note

if TYPE_CHECKING:
    from hook.index.interface import DocumentIndex

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

    def add_once(self, document: int, text: str) -> None:
        """Adds a note, unless its text is there already."""
        digest = digest_of(text)
        if digest in [digest_of(note.text) for note in self._client.notes(document)]:
            return
        self.record(document, WrittenNote(digest))
        number = newest(self._client.add_note(document, text), digest)
        self.record(document, WrittenNote(digest, number))

    def record(self, document: int, note: WrittenNote) -> None:
        others = [one for one in self.of(document) if one != WrittenNote(note.digest)]
        rows = [[one.digest, one.id] for one in dict.fromkeys([*others, note])]
        self._documents.put(number_key(document), json.dumps(rows).encode("ascii"))


def newest(notes: Iterable[Note], digest: str, but: Collection[int] = ()) -> int | None:
    """The id of the note with this text that was written last, without some that were there before."""
    found = [note.id for note in notes if digest_of(note.text) == digest and note.id not in but]
    return max(found, default=None)
