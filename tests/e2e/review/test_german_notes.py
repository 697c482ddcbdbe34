"""DEDUPE_LANGUAGE=de: every note on a document is German, whatever became of a decision."""

from __future__ import annotations

import re

from tests.e2e.archive_kit import Desk
from tests.e2e.review_kit import sync
from tests.live.texts import Texts

GERMAN = {"DEDUPE_LANGUAGE": "de", "DEDUPE_ON_CONFIRM": "trash"}
# Words of our English notes that no German one has; what is quoted is the text of a document, a title or a command.
ENGLISH = re.compile(
    r"\b(the|this|and|was|is|not|of|to|it|them|from|one|both|differ|done|looks|like|kept|taken|here|only|has)\b",
    re.IGNORECASE,
)
QUOTED = re.compile(r'"[^"]*"|`[^`]*`|\([^)]*\b\d{4}-\d\d-\d\d\): .*', re.DOTALL)


def test_the_notes_of_a_finding_a_merge_and_a_refusal(desk: Desk) -> None:
    """What was taken over, what not, and how to undo it; and why nothing was done."""
    texts, fake = Texts(31), desk.fake
    text = texts.letter()
    first = fake.add_document(text, "Brief", correspondent="Bank", archive_serial_number=3)
    scan = fake.add_document(
        texts.scanned_again(text),
        "Scan",
        correspondent="Kasse",
        document_type="Brief",
        tags=["Steuer", "2025"],
        archive_serial_number=4,
        notes=["Bezahlt"],
    )
    other = fake.add_document("Ein Einkaufszettel: Milch, Brot, Butter", "Zettel")
    desk.run("setup", code=0, **GERMAN)
    sync(desk, **GERMAN)
    assert "dedupe:prüfen" in fake.document(scan).tags
    fake.tag(first, "dedupe:behalten")
    for number in (scan, other):
        fake.tag(number, "dedupe:bestätigen")
    sync(desk, **GERMAN)
    assert fake.trashed == [scan]
    notes = [note for number in (first, scan, other) for note in fake.document(number).notes]
    assert [note for note in notes if ENGLISH.search(QUOTED.sub("", note))] == []
    said = "\n".join(notes)
    assert "Ähnelt #" in said
    assert "Dieses Dokument wurde behalten." in said
    assert 'Davon übernommen: Tags "2025", "Steuer"; Typ "Brief"; seine Notiz.' in said
    assert 'weil hier ein anderer Wert steht: Korrespondent "Kasse" (hier "Bank"); ASN 4 (hier 3).' in said
    assert "Notiz zu #" in said
    assert "es gibt keinen Fund, über den zu entscheiden wäre" in said
