"""Trash and replace only where the two texts differ by noise: with other content confirm refuses and lists it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dedupe_core.model import Relation
from hook.findings.findings import Findings
from hook.paperless.values import RawDocument
from hook.review.merge_rules import text_hash
from tests.e2e.archive_kit import Desk, opened
from tests.e2e.review.test_confirm_policies import editions
from tests.e2e.review_kit import Flagged, decide, decisions, flagged, people, review


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
    review(desk, DEDUPE_ON_CONFIRM="trash")
    assert desk.fake.trashed == []
    assert decisions(desk) == []
    (note,) = [one for one in desk.fake.document(pair.rescan).notes if one.startswith("Not done:")]
    assert new.split()[-1].strip(".") in note or "not binding" in note
    assert "dedupe:keep" in note


def test_the_person_can_insist(desk: Desk) -> None:
    """With `dedupe:keep` they have said which content to keep."""
    pair = edited(desk, "Mill Road 5", "Harbour Street 12")
    desk.fake.tag(pair.letter, "dedupe:keep")
    desk.fake.tag(pair.rescan, "dedupe:confirm")
    review(desk, DEDUPE_ON_CONFIRM="trash")
    assert desk.fake.trashed == [pair.rescan]


def test_replace_refuses_with_a_list(desk: Desk) -> None:
    """The newer edition says other things: it replaces the older one only if the person names it."""
    older, newer = editions(desk)
    decide(desk, older, "dedupe:confirm", DEDUPE_ON_CONFIRM_REVISION="replace")
    assert desk.fake.trashed == []
    (note,) = [one for one in desk.fake.document(older).notes if one.startswith("Not done:")]
    assert "01.03.2024" in note
    desk.fake.tag(newer, "dedupe:keep")
    review(desk, DEDUPE_ON_CONFIRM_REVISION="replace")
    assert desk.fake.trashed == [older]
    kept = people(desk.fake.document(newer))
    assert (kept["tags"], kept["asn"]) == ({"Contracts"}, 4), "it takes over what the older one had"
