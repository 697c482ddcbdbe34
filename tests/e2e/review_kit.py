"""What the tests of reviewing share: a letter, its rescan that was flagged, and what a person does then."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

from hook.findings.decisions import Decision, Decisions
from hook.findings.findings import Findings
from hook.review.journal import Journal, Operation
from hook.review.poll import decided
from hook.review.review import Review
from hook.session import opened as session_of
from hook.session import settings_of
from tests.e2e.archive_kit import Desk, opened
from tests.fakes import Snapshot
from tests.live.texts import Texts

FIELD = "Similar documents"
OURS = "dedupe:"
TRASH = {"DEDUPE_ON_CONFIRM": "trash"}


@dataclass(frozen=True)
class Flagged:
    """The rescan carries the finding."""

    letter: int
    rescan: int


def flagged(
    desk: Desk, *, letter: Mapping[str, Any] = {}, rescan: Mapping[str, Any] = {}
) -> Flagged:  # read only
    """A letter and its rescan with these metadata, after setup and a first sync."""
    texts = Texts(31)
    desk.fake.add_custom_field("Amount", "monetary")
    desk.fake.add_custom_field("Paid", "boolean")
    text = texts.letter()
    first = desk.fake.add_document(text, "Letter", added="2025-01-01T10:00:00", **letter)
    other = texts.letter()
    desk.fake.add_document(other, "Another letter", added="2025-01-02T10:00:00")
    second = desk.fake.add_document(texts.scanned_again(text), "Scan", added="2025-02-01T10:00:00", **rescan)
    desk.run("setup")
    desk.sync()
    desk.fake.run_tasks()
    found = [number for number in (first, second) if "dedupe:rescan" in desk.fake.document(number).tags]
    assert len(found) == 1
    return Flagged(first, second)


def merged(desk: Desk, **metadata: Mapping[str, Any]) -> Flagged:
    """The same after the person has kept the letter: the rescan is in the trash."""
    pair = flagged(desk, **metadata)
    desk.fake.tag(pair.letter, "dedupe:keep")
    decide(desk, pair.rescan, "dedupe:confirm", **TRASH)
    assert desk.fake.trashed == [pair.rescan]
    return pair


def third_copy(desk: Desk, of: int) -> int:
    text = desk.fake.document(of).content
    return desk.fake.add_document(Texts(5).scanned_again(text), "Third", added="2025-03-01T10:00:00")


def decide(desk: Desk, document: int, tag: str, **more: str) -> str:
    """A person sets a tag, and a sync comes by; what it logged."""
    desk.fake.tag(document, tag)
    return sync(desk, **more)


def sync(desk: Desk, **more: str) -> str:
    _, err = desk.run("backfill", "--sync", "--quiet", code=0, **more)
    desk.fake.run_tasks()
    return err


def review(desk: Desk, patience_s: float = 5.0, /, **more: str) -> None:
    """As sync picks decisions up; while it waits, Paperless's worker does what it has to do."""
    settings = settings_of(desk.environ(**more))
    with session_of(settings) as session:
        run = Review(session, sleep=lambda seconds: _work(desk))
        run.apply_decisions(decided(session, fresh=True), patience_s=patience_s)
    desk.fake.run_tasks()


def _work(desk: Desk) -> None:
    desk.fake.run_tasks()


def people(document: Snapshot) -> dict[str, Any]:
    """All that belongs to people, not to us, nor to the clock."""
    return {
        "tags": {tag for tag in document.tags if not tag.startswith(OURS)},
        "notes": [note for note in document.notes if not is_ours(note)],
        "fields": {n: v for n, v in document.custom_fields.items() if n != FIELD and v not in (None, [])},
        "asn": document.archive_serial_number,
        "correspondent": document.correspondent,
        "type": document.document_type,
        "path": document.storage_path,
        "title": document.title,
        "text": document.content,
        "trash": document.deleted_at is not None,
    }


def is_ours(note: str) -> bool:
    return (
        note.startswith(("Looks like #", "Kept this document.", "Not done: ")) or " is a version of " in note
    )


def refusals(desk: Desk, *numbers: int) -> list[str]:
    """The notes that say what was not done: on these documents, or on all."""
    notes = [note for number in numbers or desk.fake.documents for note in desk.fake.document(number).notes]
    return [note for note in notes if note.startswith("Not done:")]


def ours(document: Snapshot) -> tuple[set[str], list[str], list[int]]:
    tags = {tag for tag in document.tags if tag.startswith(OURS)}
    notes = [note for note in document.notes if is_ours(note)]
    return tags, notes, sorted(document.custom_fields.get(FIELD) or [])


def everything(desk: Desk) -> dict[int, Any]:
    """The whole archive, trash included, without the clock and the ids of notes."""
    numbers = sorted({*desk.fake.documents, *desk.fake.trashed})
    shown = [desk.fake.document(number) for number in numbers]
    return {
        one.id: replace(
            one,
            modified=one.added,
            deleted_at=one.added if one.deleted_at else None,
            custom_fields={name: value for name, value in one.custom_fields.items() if value},
        )
        for one in shown
    }


def decisions(desk: Desk) -> list[Decision]:
    with opened(desk) as archive:
        return list(Decisions(archive.index))


def operations(desk: Desk) -> list[Operation]:
    with opened(desk) as archive:
        return list(Journal(archive.index))


def findings(desk: Desk) -> set[tuple[int, int]]:
    with opened(desk) as archive:
        return {(r.subject, f.other) for r in Findings(archive.index) for f in r.findings}


class World:
    """Paperless and the index as they are now, to begin from again."""

    TABLES = (
        *("documents", "by_checksum", "versions_of", "tags", "correspondents", "custom_fields", "tasks"),
        *("_sequences", "_last"),
    )

    def __init__(self, desk: Desk) -> None:
        self._desk, self._saved = desk, desk.place / "saved"
        self._tables = deepcopy({name: getattr(desk.fake.state, name) for name in self.TABLES})
        shutil.copytree(desk.index_dir, self._saved)

    def restore(self) -> None:
        for name, table in deepcopy(self._tables).items():
            setattr(self._desk.fake.state, name, table)
        self._desk.fake.faults.clear()
        shutil.rmtree(self._desk.index_dir)
        shutil.copytree(self._saved, self._desk.index_dir)
