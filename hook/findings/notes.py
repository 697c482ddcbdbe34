"""Our note on a document: one, replaced when its text changes; the notes of people are not touched."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from hook.errors import NotFoundError
from hook.findings.findings import WrittenNote
from hook.findings.plan import digest_of
from hook.paperless.client import Paperless
from hook.paperless.values import Note


def replace_note(
    client: Paperless, subject: int, text: str, ours: Sequence[WrittenNote]
) -> tuple[WrittenNote, ...]:
    """Afterwards `text` is the one note of ours, or none is if it is empty; returns what to remember.

    `ours` holds this text already if it is not empty: a run that was killed may have sent it.
    """
    before = client.notes(subject)
    mine = [note for note in before if _is_ours(note, ours)]
    standing = [note for note in mine if text and digest_of(note.text) == digest_of(text)][:1]
    for note in mine:
        if note not in standing:
            with suppress(NotFoundError):  # a person was faster
                client.delete_note(subject, note.id)
    if text and not standing:
        standing = _added(before, client.add_note(subject, text), digest_of(text))
    return tuple(WrittenNote(digest_of(text), note.id) for note in standing)


def _is_ours(note: Note, ours: Sequence[WrittenNote]) -> bool:
    """By id and text: after a database was restored, an id of ours can be that of somebody's note."""
    digest = digest_of(note.text)
    return any(known.digest == digest and known.id in (None, note.id) for known in ours)


def _added(before: Sequence[Note], after: Sequence[Note], digest: str) -> list[Note]:
    known = {note.id for note in before}
    new = [note for note in after if note.id not in known]
    return [note for note in new if digest_of(note.text) == digest][-1:] or new[-1:]
