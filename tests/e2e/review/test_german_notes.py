"""DEDUPE_LANGUAGE=de: every note on a document is German, whatever became of a decision."""

from __future__ import annotations

import re
from typing import Any

from tests.e2e.archive_kit import Desk
from tests.live.texts import Texts

GERMAN: dict[str, Any] = {"DEDUPE_LANGUAGE": "de", "DEDUPE_ON_CONFIRM": "trash"}
# Words of our English notes that no German one has; what is quoted is the text of a document, a title or a command.
ENGLISH = re.compile(
    r"\b(the|this|and|was|is|not|of|to|it|them|from|one|both|differ|done|looks|like|kept|taken|here|only|has)\b",
    re.IGNORECASE,
)
QUOTED = re.compile(r'"[^"]*"|`[^`]*`|\([^)]*\b\d{4}-\d\d-\d\d\): .*', re.DOTALL)


def sync(desk: Desk, **more: str) -> None:
    desk.run("backfill", "--sync", "--quiet", **{**GERMAN, **more})
    desk.fake.run_tasks()


def flagged(
    desk: Desk, letter: dict[str, Any] | None = None, scan: dict[str, Any] | None = None
) -> tuple[int, int]:
    texts = Texts(31)
    text = texts.letter()
    first = desk.fake.add_document(text, "Brief", added="2025-01-01T10:00:00", **(letter or {}))
    again = desk.fake.add_document(
        texts.scanned_again(text), "Scan", added="2025-02-01T10:00:00", **(scan or {})
    )
    desk.run("setup", **GERMAN)
    sync(desk)
    assert "dedupe:prüfen" in desk.fake.document(again).tags
    return first, again


def notes(desk: Desk) -> list[str]:
    return [note for number in desk.fake.documents for note in desk.fake.document(number).notes]


def all_german(desk: Desk) -> list[str]:
    found = notes(desk)
    assert found
    for note in found:
        assert not ENGLISH.search(QUOTED.sub("", note)), note
    return found


def test_the_summary_of_a_merge(desk: Desk) -> None:
    """What was taken over, what not, and how to undo it."""
    desk.fake.add_custom_field("Betrag", "monetary")
    first, scan = flagged(
        desk,
        {"correspondent": "Bank", "archive_serial_number": 3},
        {
            "correspondent": "Kasse",
            "document_type": "Brief",
            "tags": ["Steuer", "2025"],
            "archive_serial_number": 4,
        },
    )
    desk.fake.state.add_note(desk.fake.state.documents[scan], "Bezahlt", desk.fake._user("admin"))
    desk.fake.tag(first, "dedupe:behalten")
    desk.fake.tag(scan, "dedupe:bestätigen")
    sync(desk)
    assert desk.fake.trashed == [scan]
    text = "\n".join(all_german(desk))
    assert "Dieses Dokument wurde behalten." in text
    assert 'Davon übernommen: Tags "2025", "Steuer"; Typ "Brief"; seine Notiz.' in text
    assert (
        'Nicht übernommen, weil hier ein anderer Wert steht: Korrespondent "Kasse" (hier "Bank"); ASN 4 (hier 3).'
        in text
    )
    assert "Notiz zu #" in text


def test_two_decisions_and_none_to_decide_on(desk: Desk) -> None:
    first, scan = flagged(desk)
    for name in ("dedupe:bestätigen", "dedupe:kein-duplikat"):
        desk.fake.tag(scan, name)
    other = desk.fake.add_document("Ein Einkaufszettel: Milch, Brot, Butter", "Zettel")
    desk.fake.tag(other, "dedupe:bestätigen")
    sync(desk)  # examines the other one
    sync(desk)
    text = "\n".join(all_german(desk))
    assert "dieses Dokument hat zwei Entscheidungs-Tags" in text
    assert "es gibt keinen Fund, über den zu entscheiden wäre" in text
    assert first
