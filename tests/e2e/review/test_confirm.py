"""What confirming does, by relation; and that it refuses, with a list, where two texts differ by more than noise."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dedupe_core.model import Relation
from hook.findings.findings import Findings
from hook.paperless.values import RawDocument
from hook.review.merge_rules import text_hash
from tests.core.compare.parts_kit import prose
from tests.e2e.archive_kit import Desk, opened
from tests.e2e.review_kit import TRASH, Flagged, decide, decisions, flagged, people, refusals, review
from tests.fakes import reply
from tests.hook.findings.test_origin import PAGE, stream
from tests.live.pdf import text_pdf


def editions(desk: Desk) -> tuple[int, int]:
    """Terms of two years; the newer ones came in first."""
    sections = [prose(700 + number, 90) for number in range(8)]
    newer = "\n\n".join(["Terms of use, as of 01.03.2024", *sections])
    older = "\n\n".join(["Terms of use, as of 01.03.2023", *sections[:7]])
    second = desk.fake.add_document(newer, "Terms 2024", added="2025-01-01T10:00:00")
    first = desk.fake.add_document(
        older, "Terms 2023", added="2025-02-01T10:00:00", tags=["Contracts"], archive_serial_number=4
    )
    desk.run("setup")
    desk.sync()
    desk.fake.run_tasks()
    assert {"dedupe:revision", "dedupe:maybe"} & desk.fake.document(first).tags
    return first, second


def test_a_setting_for_one_relation_outranks_the_general_one(desk: Desk) -> None:
    pair = flagged(desk)
    decide(desk, pair.rescan, "dedupe:confirm", **TRASH, DEDUPE_ON_CONFIRM_RESCAN="keep")
    assert desk.fake.trashed == []


@pytest.mark.parametrize("version", ["2.20.15"])
def test_a_digital_original_never_goes_to_the_trash_for_its_scan(desk: Desk) -> None:
    """The files could not be read when the suggestion was made; before the trash they are looked at again. Only the
    person can say otherwise."""
    fake, picture = desk.fake, b"%PDF-1.4\n" + stream(PAGE, b"pixels")
    missing = reply(404, '{"detail": "No file."}', "application/json")
    fake.faults.add("GET", "/download/", missing, times=None)
    pair = flagged(desk, letter={"data": picture}, rescan={"data": text_pdf("a letter")})
    assert any(f"Suggestion: keep #{pair.letter} " in note for note in fake.document(pair.rescan).notes)
    fake.faults.clear()
    decide(desk, pair.rescan, "dedupe:confirm", **TRASH)
    assert fake.trashed == []
    (note,) = refusals(desk, pair.rescan)
    assert f"#{pair.rescan} is born digital, and #{pair.letter} looks like a scan" in note
    decide(desk, pair.letter, "dedupe:keep", **TRASH)
    assert fake.trashed == [pair.rescan]


def edited(desk: Desk, old: str, new: str) -> Flagged:
    """A pair that was reported as a rescan, though one word of it was changed."""
    pair = flagged(desk)
    content = desk.fake.document(pair.letter).content.replace(old, new)
    assert new in content
    desk.fake.edit(pair.rescan, content=content)
    with opened(desk) as archive:
        findings = Findings(archive.index)
        record = findings.get(pair.rescan)
        digest = text_hash(RawDocument(pair.rescan, content=content))
        (found,) = record.findings
        findings.put(
            [replace(record, content_hash=digest, findings=(replace(found, relation=Relation.RESCAN),))]
        )
    return pair


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (" 2025\n", " 2019\n"),
        ("Mill Road 5", "Harbour Street 12"),
        ("Yours sincerely", "This offer is not binding. Yours sincerely"),
    ],
)
def test_trash_refuses_with_a_list(desk: Desk, old: str, new: str) -> None:
    """Nothing is moved; the note on the document names both wordings."""
    pair = edited(desk, old, new)
    desk.fake.tag(pair.rescan, "dedupe:confirm")
    review(desk, **TRASH)
    assert desk.fake.trashed == []
    assert decisions(desk) == []
    (note,) = refusals(desk, pair.rescan)
    assert new.split()[-1].strip(".") in note or "not binding" in note
    assert "dedupe:keep" in note


def test_the_person_can_insist(desk: Desk) -> None:
    """With `dedupe:keep` they have said which content to keep."""
    pair = edited(desk, "Mill Road 5", "Harbour Street 12")
    desk.fake.tag(pair.letter, "dedupe:keep")
    desk.fake.tag(pair.rescan, "dedupe:confirm")
    review(desk, **TRASH)
    assert desk.fake.trashed == [pair.rescan]


def test_replace_refuses_with_a_list(desk: Desk) -> None:
    """The newer edition says other things: it replaces the older one only if the person names it."""
    older, newer = editions(desk)
    decide(desk, older, "dedupe:confirm", DEDUPE_ON_CONFIRM_REVISION="replace")
    assert desk.fake.trashed == []
    (note,) = refusals(desk, older)
    assert "01.03.2024" in note
    desk.fake.tag(newer, "dedupe:keep")
    review(desk, DEDUPE_ON_CONFIRM_REVISION="replace")
    assert desk.fake.trashed == [older]
    kept = people(desk.fake.document(newer))
    assert (kept["tags"], kept["asn"]) == ({"Contracts"}, 4), "it takes over what the older one had"
