"""The plan: which writes are missing, what is left alone, and what is remembered. Pure, so nothing is faked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dedupe_core.model import Relation, Statement, StatementKind
from hook.findings.findings import Finding, Record, WrittenNote, findings_from_json
from hook.findings.keeper import Files
from hook.findings.plan import (
    ExaminationResult,
    Plan,
    Snapshot,
    TagChange,
    digest_of,
    linked,
    plan,
)
from hook.paperless.labels import LabelIds
from hook.paperless.values import FieldValue, RawDocument
from hook.settings.model import Settings
from hook.settings.types import Mark

REVIEW, RESCAN, REVISION, SKIP, MAYBE, OWN, FIELD = 10, 11, 12, 14, 15, 99, 5
NAMES = {
    "dedupe:review": REVIEW,
    "dedupe:rescan": RESCAN,
    "dedupe:revision": REVISION,
    "dedupe:skip": SKIP,
    "dedupe:maybe": MAYBE,
}
LABELS = LabelIds(
    NAMES,
    {number: name for name, number in NAMES.items()},
    below_review=frozenset({RESCAN, REVISION}),
    link_field=FIELD,
)
BOTH = frozenset({"dedupe:review", "dedupe:rescan"})
SETTINGS = Settings(index_dir=Path("/nowhere"))
SAID = (Statement(StatementKind.SAME_PAPER),)
OTHERWISE = (Statement(StatementKind.LINKED),)
FOUND = Finding(2, Relation.RESCAN, 0.97, SAID, other_hash="bb")
NOTE = 'Looks like #2 "Other" - rescan, 97% sure: same paper again. Suggestion: keep #1 (added first)'
NOTED = WrittenNote(digest_of(NOTE), 7)


def document(number: int, *tags: int, links: tuple[int, ...] = (), **values: Any) -> RawDocument:
    fields = (FieldValue(FIELD, list(links)),) if links else ()
    return RawDocument(number, tags=tags, custom_fields=fields, **values)


SUBJECT, OTHER = document(1, title="Subject", added="2024"), document(2, title="Other", added="2025")
MARKED = document(1, REVIEW, RESCAN, links=(2,), title="Subject", added="2024")
UNLINKED = document(1, REVIEW, RESCAN)


def planned(
    *findings: Finding,
    subject: RawDocument = SUBJECT,
    others: tuple[RawDocument, ...] = (OTHER,),
    before: Record | None = None,
    options: dict[str, Any] | None = None,
    **snapshot: Any,
) -> Plan:
    examined = ExaminationResult(subject, findings, content_hash="aa")
    scene = Snapshot(**{"documents": {each.id: each for each in others}, "labels": LABELS, **snapshot})
    settings = SETTINGS.model_copy(update=options or {})
    return plan(examined, before or Record(subject.id), settings, scene)


def reported(**changes: Any) -> Record:
    """What is remembered after the finding was written."""
    finding = replace(FOUND, keeper=1, keeper_reason="added first")
    tagged = frozenset({(1, REVIEW), (1, RESCAN)})
    return replace(Record(1, (finding,), "aa", tagged, frozenset({2}), FIELD, (NOTED,)), **changes)


def test_a_new_finding_is_tagged_linked_and_noted() -> None:
    """Its record is the state before the writes: a run that is killed leaves nothing that it would take for its own."""
    made = planned(FOUND)
    assert made.tags == (TagChange(1, BOTH),)
    assert (made.link, made.unlink, made.note) == (frozenset({2}), frozenset(), NOTE)
    assert made.tag_names == LABELS.names
    assert made.record == Record(1, (replace(FOUND, keeper=1, keeper_reason="added first"),), "aa")


@pytest.mark.parametrize(
    ("confidence", "options", "tags"),
    [
        (0.9, {}, BOTH),
        (0.89, {}, {"dedupe:maybe"}),
        (0.89, {"sure_threshold": 0.0}, BOTH),
        (0.89, {"on_rescan": frozenset({Mark.NOTE})}, None),
    ],
)
def test_a_finding_that_is_less_sure_has_a_tag_of_its_own(
    confidence: float, options: dict[str, Any], tags: frozenset[str] | None
) -> None:
    """Without the parent tag, which views and workflows use. Its note is written all the same."""
    less_sure = planned(replace(FOUND, confidence=confidence), options=options)
    assert less_sure.tags == (() if tags is None else (TagChange(1, frozenset(tags)),))
    assert less_sure.note


def test_a_finding_that_became_sure_changes_its_tags() -> None:
    maybe = replace(FOUND, confidence=0.8, other_hash="before")
    before = reported(findings=(maybe,), tagged=frozenset({(1, MAYBE)}))
    sure = planned(FOUND, subject=replace(MARKED, tags=(MAYBE, OWN)), before=before)
    assert sure.tags == (TagChange(1, BOTH, frozenset({MAYBE})),)


def test_what_is_shown_already_needs_no_write() -> None:
    """Nor if only the words would be others: the confidence changes a little with each document in the index."""
    for finding in (FOUND, replace(FOUND, confidence=0.91, statements=OTHERWISE)):
        made = planned(finding, subject=MARKED, before=reported())
        assert not made
        assert made.record == reported()


def test_a_finding_that_no_longer_holds_is_taken_back() -> None:
    """Our tags, link and note; tags of the user stay, and so does the parent while a tag below it is not ours."""
    made = planned(subject=replace(MARKED, tags=(REVIEW, RESCAN, OWN)), before=reported())
    assert made.tags == (TagChange(1, remove=frozenset({REVIEW, RESCAN})),)
    assert (made.link, made.unlink, made.note) == (frozenset(), frozenset({2}), "")
    assert (made.record.tagged, made.record.links) == (reported().tagged, frozenset({2}))
    nested = planned(subject=document(1, REVIEW, RESCAN, REVISION, links=(2,)), before=reported())
    assert nested.tags == (TagChange(1, remove=frozenset({RESCAN})),)


@pytest.mark.parametrize(
    ("subject", "untouched"), [(document(1, REVIEW, links=(2,)), "tags"), (UNLINKED, "link")]
)
def test_what_the_user_removed_is_not_added_again(subject: RawDocument, untouched: str) -> None:
    """A tag or a link of ours that is gone was removed by the user, as long as there is nothing new to say."""
    made = planned(FOUND, subject=subject, before=reported())
    assert not getattr(made, untouched)
    assert (made.record.tagged, made.record.links) == (reported().tagged, frozenset({2}))


def test_another_finding_brings_the_tags_back() -> None:
    """It is news, so the parent tag is set again, and the tag of its own relation; another relation also the link."""
    second = replace(FOUND, other=3)
    made = planned(FOUND, second, subject=document(1), others=(OTHER, document(3)), before=reported())
    assert (made.tags, made.link) == ((TagChange(1, BOTH),), frozenset({3}))
    before = reported(findings=(replace(FOUND, relation=Relation.IDENTICAL),))
    assert planned(FOUND, subject=UNLINKED, before=before).link == {2}


def test_a_tag_that_is_there_or_does_not_exist_yet() -> None:
    """What is there when the finding is new counts as written: a second run removes it with the finding."""
    there = planned(FOUND, subject=document(1, RESCAN))
    assert there.tags == (TagChange(1, frozenset({"dedupe:review"})),)
    assert there.record.tagged == {(1, RESCAN)}
    missing = planned(FOUND, labels=LabelIds(link_field=FIELD))
    assert (missing.tags, missing.record.tagged) == ((TagChange(1, BOTH),), frozenset())


def test_a_tag_that_another_finding_needs_stays() -> None:
    """The other document can be tagged because of several subjects."""
    marks = frozenset({(2, REVIEW), (2, RESCAN)})
    before, other = reported(tagged=marks), document(2, REVIEW, RESCAN)
    free = planned(before=before, others=(other,))
    assert free.tags == (TagChange(2, remove=frozenset({REVIEW, RESCAN})),)
    assert planned(before=before, others=(other,), claimed=marks).tags == ()


@pytest.mark.parametrize(
    ("tag_other", "hidden", "documents"),
    [
        (None, None, [1]),
        (Relation.RESCAN, None, [1, 2]),
        (Relation.REVISION, None, [1]),
        (Relation.RESCAN, (2, 1), [1]),
    ],
)
def test_the_other_document_is_tagged_only_if_the_settings_say_so(
    tag_other: Relation | None, hidden: tuple[int, int] | None, documents: list[int]
) -> None:
    """And if whoever sees one of the two may see the other."""
    options = {"tag_other": frozenset({tag_other} - {None})}
    made = planned(FOUND, options=options, hidden=frozenset({hidden} - {None}))
    assert made.tags == tuple(TagChange(number, BOTH) for number in documents)


@pytest.mark.parametrize(
    ("subject", "other"),
    [
        (document(1, SKIP), OTHER),
        (SUBJECT, document(2, SKIP)),
        (document(1, owner=3), document(2, owner=4)),
        (SUBJECT, document(2, owner=4)),
        (SUBJECT, document(3)),
    ],
    ids=["skipped", "other skipped", "other owner", "somebody's", "deleted"],
)
def test_what_is_not_to_be_shown_is_no_finding(subject: RawDocument, other: RawDocument) -> None:
    made = planned(FOUND, subject=subject, others=(other,))
    assert not made
    assert made.record.findings == ()


# A text, no statements
FIRST_VERSIONS = findings_from_json([[2, "rescan", 0.97, "many words in common", 0, "bb"]])


@pytest.mark.parametrize(
    ("change", "before"),
    [
        ({"other_hash": "cc"}, {}),
        ({"relation": Relation.IDENTICAL}, {}),
        ({"direction": 1}, {}),
        ({}, {"content_hash": "zz"}),
        ({}, {"findings": FIRST_VERSIONS}),
    ],
)
def test_another_finding_on_the_pair_is_worded_anew(change: dict[str, Any], before: dict[str, Any]) -> None:
    again = replace(FOUND, statements=OTHERWISE, **change)
    assert "another copy" in (planned(again, subject=MARKED, before=reported(**before)).note or "")


@pytest.mark.parametrize(
    ("relation", "suggestion"),
    [(Relation.RESCAN, (2, "better readable text")), (Relation.REVISION, (None, ""))],
)
def test_the_better_reading_of_two_copies_is_suggested(
    relation: Relation, suggestion: tuple[int | None, str]
) -> None:
    """An edited document does not replace the other one."""
    files = Files(readable=-0.4)
    (finding,) = planned(replace(FOUND, relation=relation), files=lambda *_: files).record.findings
    assert (finding.keeper, finding.keeper_reason) == suggestion


def test_a_suggestion_stays_although_the_other_document_has_become_the_better_one() -> None:
    """The user confirms what the note says."""
    better = replace(OTHER, archive_serial_number=4, correspondent=3)
    assert planned(FOUND, others=(better,)).record.findings[0].keeper == 2
    assert planned(FOUND, subject=MARKED, others=(better,), before=reported()).record.findings[0].keeper == 1


def test_no_more_links_than_can_be_looked_at() -> None:
    """The strongest findings come first."""
    others = tuple(document(number) for number in range(2, 40))
    made = planned(*(replace(FOUND, other=each.id) for each in others), others=others)
    assert made.link == set(range(2, 22))


PROBLEM = replace(LABELS, problem="another type")
NO_FIELD = replace(PROBLEM, link_field=None)


@pytest.mark.parametrize(
    ("subject", "before", "labels", "link", "remembered"),
    [
        (UNLINKED, {}, PROBLEM, set(), ({2}, FIELD)),  # its name is taken by a field of another type
        (UNLINKED, {"link_field": 4}, NO_FIELD, set(), ({2}, 4)),
        (UNLINKED, {"link_field": 4}, LABELS, {2}, (set(), None)),  # the user deleted the old field
        (document(1, links=(2,)), {"link_field": 4, "links": frozenset()}, LABELS, set(), ({2}, FIELD)),
        (MARKED, {}, LABELS, set(), ({2}, FIELD)),
    ],
)
def test_links_are_remembered_with_their_field(
    subject: RawDocument,
    before: dict[str, Any],
    labels: LabelIds,
    link: set[int],
    remembered: tuple[Any, Any],
) -> None:
    made = planned(FOUND, subject=subject, before=reported(**before), labels=labels)
    assert (set(made.link), set(made.unlink)) == (link, set())
    assert (set(made.record.links), made.record.link_field) == remembered


def test_what_was_in_another_link_field_is_not_ours_to_remove() -> None:
    for before in (reported(link_field=4), Record(1)):
        assert planned(subject=document(1, REVIEW, RESCAN, links=(2, 8)), before=before).unlink == frozenset()


@pytest.mark.parametrize(
    ("marks", "expected"),
    [({"tag"}, (True, False, False)), ({"link"}, (False, True, False)), ({"note"}, (False, False, True))],
)
def test_only_the_marks_that_the_settings_name(marks: set[str], expected: tuple[bool, ...]) -> None:
    made = planned(FOUND, options={"on_rescan": frozenset(map(Mark, marks))})
    assert (bool(made.tags), bool(made.link), made.note is not None) == expected


@pytest.mark.parametrize(
    ("notes", "note"),
    [
        ((NOTED,), None),
        ((WrittenNote(digest_of("older"), 7),), NOTE),
        ((WrittenNote(NOTED.digest),), NOTE),  # we do not know whether it arrived
        ((NOTED, WrittenNote("x", 8)), NOTE),
        ((NOTED, WrittenNote("x")), NOTE),
        ((), NOTE),
    ],
)
def test_a_note_is_written_again_only_if_it_says_something_else(
    notes: tuple[WrittenNote, ...], note: str | None
) -> None:
    made = planned(FOUND, subject=MARKED, before=reported(notes=notes))
    assert (made.note, made.record.notes) == (note, notes)


def test_paperless_may_change_line_ends_and_trim_a_note() -> None:
    """It is still recognised as ours; half a character pair must not stop it."""
    assert digest_of("a\r\nb\r\n ") == digest_of("a\nb") != digest_of("a b")
    assert len(digest_of("\ud800")) == 32


def test_links_are_read_from_the_link_field_only() -> None:
    held = document(1, links=(2, 3))
    assert linked(held, FIELD) == {2, 3}
    assert linked(held, None) == linked(held, 6) == frozenset()
    assert linked(RawDocument(1, custom_fields=(FieldValue(FIELD, "2"),)), FIELD) == frozenset()
