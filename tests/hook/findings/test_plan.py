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
    may_show,
    plan,
)
from hook.paperless.labels import LabelIds
from hook.paperless.values import FieldValue, RawDocument
from hook.settings.model import Settings
from hook.settings.types import Mark, Scope

REVIEW, RESCAN, REVISION, SUPERSEDED, SKIP, MAYBE, OWN, FIELD = 10, 11, 12, 13, 14, 15, 99, 5
NAMES = {
    "dedupe:review": REVIEW,
    "dedupe:rescan": RESCAN,
    "dedupe:revision": REVISION,
    "dedupe:superseded": SUPERSEDED,
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


def document(number: int, *tags: int, links: tuple[int, ...] = (), **values: Any) -> RawDocument:
    fields = (FieldValue(FIELD, list(links)),) if links else ()
    return RawDocument(number, tags=tags, custom_fields=fields, **values)


SUBJECT, OTHER = document(1, title="Subject", added="2024"), document(2, title="Other", added="2025")


def planned(
    *findings: Finding,
    subject: RawDocument = SUBJECT,
    others: tuple[RawDocument, ...] = (OTHER,),
    before: Record | None = None,
    settings: Settings = SETTINGS,
    **snapshot: Any,
) -> Plan:
    examined = ExaminationResult(subject, findings, content_hash="aa")
    documents = {each.id: each for each in others}
    scene = Snapshot(**{"documents": documents, "labels": LABELS, **snapshot})
    return plan(examined, before or Record(subject.id), settings, scene)


def with_settings(**values: Any) -> Settings:
    return SETTINGS.model_copy(update=values)


def reported(**changes: Any) -> Record:
    """What is remembered after the finding was written."""
    found = replace(FOUND, keeper=1, keeper_reason="added first")
    tagged = frozenset({(1, REVIEW), (1, RESCAN)})
    notes = (WrittenNote(digest_of(NOTE), 7),)
    return replace(Record(1, (found,), "aa", tagged, frozenset({2}), FIELD, notes), **changes)


MARKED = document(1, REVIEW, RESCAN, links=(2,), title="Subject", added="2024")


def test_a_new_finding_is_tagged_linked_and_noted() -> None:
    found = planned(FOUND)
    assert found.tags == (TagChange(1, BOTH),)
    assert (found.link, found.unlink, found.note) == (frozenset({2}), frozenset(), NOTE)
    assert found.tag_names == LABELS.names
    assert bool(found)


@pytest.mark.parametrize(
    ("confidence", "settings", "tags"),
    [
        (0.9, {}, BOTH),
        (0.89, {}, {"dedupe:maybe"}),
        (0.89, {"sure_threshold": 0.0}, BOTH),
        (0.89, {"on_rescan": frozenset({Mark.NOTE})}, None),
    ],
)
def test_a_finding_that_is_less_sure_has_a_tag_of_its_own(
    confidence: float, settings: dict[str, Any], tags: frozenset[str] | None
) -> None:
    """Without the parent tag, which views and workflows use. Its note is written all the same."""
    less_sure = planned(replace(FOUND, confidence=confidence), settings=with_settings(**settings))
    assert less_sure.tags == (() if tags is None else (TagChange(1, frozenset(tags)),))
    assert less_sure.note


def test_a_finding_that_became_sure_changes_its_tags() -> None:
    maybe = replace(FOUND, confidence=0.8, other_hash="before")
    before = reported(findings=(maybe,), tagged=frozenset({(1, MAYBE)}))
    sure = planned(FOUND, subject=replace(MARKED, tags=(MAYBE, OWN)), before=before)
    assert sure.tags == (TagChange(1, BOTH, frozenset({MAYBE})),)


def test_the_record_of_a_plan_is_the_state_before_its_writes() -> None:
    """A run that is killed before its first write leaves nothing that it would take for its own."""
    record = planned(FOUND).record
    assert (record.subject, record.content_hash) == (1, "aa")
    assert (record.tagged, record.links, record.link_field, record.notes) == (
        frozenset(),
        frozenset(),
        None,
        (),
    )
    assert record.findings == (replace(FOUND, keeper=1, keeper_reason="added first"),)


def test_what_is_shown_already_needs_no_write() -> None:
    found = planned(FOUND, subject=MARKED, before=reported())
    assert not found
    assert found.record == reported()


def test_a_finding_that_no_longer_holds_is_taken_back() -> None:
    """Our tags, link and note; tags of the user stay."""
    found = planned(subject=replace(MARKED, tags=(REVIEW, RESCAN, OWN)), before=reported())
    assert found.tags == (TagChange(1, remove=frozenset({REVIEW, RESCAN})),)
    assert (found.link, found.unlink, found.note) == (frozenset(), frozenset({2}), "")
    assert found.record.tagged == {(1, REVIEW), (1, RESCAN)}
    assert found.record.links == {2}


@pytest.mark.parametrize(
    ("subject", "untouched"),
    [
        (document(1, REVIEW, links=(2,)), "tags"),
        (document(1, REVIEW, RESCAN), "link"),
    ],
)
def test_what_the_user_removed_is_not_added_again(subject: RawDocument, untouched: str) -> None:
    """A tag or a link of ours that is gone was removed by the user, as long as there is nothing new to say."""
    found = planned(FOUND, subject=subject, before=reported())
    assert not getattr(found, untouched)
    assert found.record.tagged == reported().tagged
    assert found.record.links == {2}


def test_another_finding_brings_the_tags_back() -> None:
    """It is news, so the parent tag is set again, and the tag of its own relation."""
    second = replace(FOUND, other=3)
    found = planned(FOUND, second, subject=document(1), others=(OTHER, document(3)), before=reported())
    assert found.tags == (TagChange(1, BOTH),)
    assert found.link == {3}


def test_a_tag_that_the_user_set_is_not_set_again_but_is_ours_to_take_back() -> None:
    """What is there when the finding is new counts as written: a second run removes it with the finding."""
    found = planned(FOUND, subject=document(1, RESCAN))
    assert found.tags == (TagChange(1, frozenset({"dedupe:review"})),)
    assert found.record.tagged == {(1, RESCAN)}


def test_a_tag_that_does_not_exist_yet_is_asked_for_by_name() -> None:
    found = planned(FOUND, labels=LabelIds(link_field=FIELD))
    assert found.tags == (TagChange(1, BOTH),)
    assert found.record.tagged == frozenset()


def test_a_tag_that_another_finding_needs_stays() -> None:
    """The other document can be tagged because of several subjects."""
    before = reported(tagged=frozenset({(2, REVIEW), (2, RESCAN)}))
    other = document(2, REVIEW, RESCAN)
    free = planned(before=before, others=(other,))
    assert free.tags == (TagChange(2, remove=frozenset({REVIEW, RESCAN})),)
    claimed = planned(before=before, others=(other,), claimed=frozenset({(2, REVIEW), (2, RESCAN)}))
    assert claimed.tags == ()


def test_the_parent_stays_while_a_tag_below_it_is_not_ours() -> None:
    """Removing the parent would make Paperless remove that one, too."""
    subject = document(1, REVIEW, RESCAN, REVISION, links=(2,))
    found = planned(subject=subject, before=reported())
    assert found.tags == (TagChange(1, remove=frozenset({RESCAN})),)


def test_the_other_document_is_tagged_only_if_the_settings_say_so() -> None:
    assert {change.document for change in planned(FOUND).tags} == {1}
    both = planned(FOUND, settings=with_settings(tag_other=frozenset({Relation.RESCAN})))
    assert both.tags == (TagChange(1, BOTH), TagChange(2, BOTH))
    elsewhere = planned(FOUND, settings=with_settings(tag_other=frozenset({Relation.REVISION})))
    assert {change.document for change in elsewhere.tags} == {1}


@pytest.mark.parametrize(
    ("subject", "other"),
    [
        (document(1, SKIP), OTHER),
        (SUBJECT, document(2, SKIP)),
        (document(1, owner=3), document(2, owner=4)),
        (SUBJECT, document(2, owner=4)),
        (SUBJECT, document(3)),
    ],
)
def test_what_is_not_to_be_shown_is_no_finding(subject: RawDocument, other: RawDocument) -> None:
    """Tagged to be skipped, of another owner, or deleted."""
    found = planned(FOUND, subject=subject, others=(other,))
    assert not found
    assert found.record.findings == ()


@pytest.mark.parametrize(
    ("scope", "viewed", "shown", "may"),
    [
        (Scope.OWNER, 1, 1, True),
        (Scope.OWNER, 1, 2, False),
        (Scope.OWNER, None, 2, False),
        (Scope.OWNER, 1, None, True),
        (Scope.OWNER, None, None, True),
        (Scope.ALL, 1, 2, True),
    ],
)
def test_who_may_see_what(scope: Scope, viewed: int | None, shown: int | None, may: bool) -> None:
    """A note names a document only to those who see it anyway."""
    assert may_show(scope, viewed, shown) is may


def test_the_words_of_the_last_report_stay_while_the_texts_do() -> None:
    """The confidence changes a little with each document in the index."""
    again = replace(FOUND, confidence=0.91, statements=OTHERWISE)
    assert not planned(again, subject=MARKED, before=reported())


FIRST_VERSIONS = findings_from_json(
    [[2, "rescan", 0.97, "many words in common", 0, "bb"]]
)  # a text, no statements


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
    ("relation", "readable", "suggestion"),
    [
        (Relation.RESCAN, -0.4, (2, "better readable text")),
        (Relation.REVISION, -0.4, (None, "")),
    ],
)
def test_the_better_reading_of_two_copies_is_suggested(
    relation: Relation, readable: float, suggestion: tuple[int | None, str]
) -> None:
    """An edited document does not replace the other one."""
    files = Files(readable=readable)
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
    found = planned(*(replace(FOUND, other=each.id) for each in others), others=others)
    assert found.link == set(range(2, 22))


def test_nothing_is_linked_while_the_field_cannot_be_used() -> None:
    """Its name is taken by a field of another type; the links from before stay remembered."""
    labels = replace(LABELS, problem="another type")
    found = planned(FOUND, before=reported(), labels=labels, subject=document(1, REVIEW, RESCAN))
    assert (found.link, found.unlink, found.record.links) == (frozenset(), frozenset(), frozenset({2}))
    assert found.record.link_field == FIELD


def test_a_new_link_field_gets_the_links_again() -> None:
    """The user deleted the old one; what was in it is not ours to remove from the new one."""
    found = planned(FOUND, subject=document(1, REVIEW, RESCAN), before=reported(link_field=4))
    assert found.link == {2}
    for before in (reported(link_field=4), Record(1)):
        assert planned(subject=document(1, REVIEW, RESCAN, links=(2, 8)), before=before).unlink == frozenset()


def test_another_relation_is_news_for_the_link_too() -> None:
    """A link that the user removed is added again: the finding is another one."""
    before = reported(findings=(replace(FOUND, relation=Relation.IDENTICAL),))
    assert planned(FOUND, subject=document(1, REVIEW, RESCAN), before=before).link == {2}


def test_the_field_of_the_links_is_the_one_in_use() -> None:
    """A link that is in the configured field is ours in that field; without one, in the field of before."""
    moved = planned(FOUND, subject=document(1, links=(2,)), before=reported(link_field=4, links=frozenset()))
    assert moved.record.link_field == FIELD
    labels = replace(LABELS, link_field=None, problem="another type")
    kept = planned(FOUND, before=reported(link_field=4), labels=labels, subject=document(1, REVIEW, RESCAN))
    assert (kept.record.links, kept.record.link_field) == (frozenset({2}), 4)


def test_the_field_is_remembered_with_the_links() -> None:
    """For the time when another field is configured."""
    assert planned(FOUND, subject=MARKED, before=reported()).record.link_field == FIELD
    assert planned(before=Record(1, link_field=4)).record.link_field is None
    without = replace(LABELS, link_field=None)
    known = planned(
        FOUND, before=reported(link_field=None), labels=without, subject=document(1, REVIEW, RESCAN)
    )
    assert known.record.link_field is None


@pytest.mark.parametrize(
    ("marks", "expected"),
    [({"tag"}, (True, False, False)), ({"link"}, (False, True, False)), ({"note"}, (False, False, True))],
)
def test_only_the_marks_that_the_settings_name(marks: set[str], expected: tuple[bool, ...]) -> None:
    found = planned(FOUND, settings=with_settings(on_rescan=frozenset(map(Mark, marks))))
    assert (bool(found.tags), bool(found.link), found.note is not None) == expected


def test_a_note_is_written_again_only_if_it_says_something_else() -> None:
    """Also if we do not know whether the last one arrived, or if there are two of ours."""
    ours = WrittenNote(digest_of(NOTE), 7)
    same = planned(FOUND, subject=MARKED, before=reported(notes=(ours,)))
    assert (same.note, same.record.notes) == (None, (ours,))
    for notes in (
        (WrittenNote(digest_of("older"), 7),),
        (WrittenNote(ours.digest),),
        (ours, WrittenNote("x", 8)),
        (ours, WrittenNote("x")),
        (),
    ):
        found = planned(FOUND, subject=MARKED, before=reported(notes=notes))
        assert (found.note, found.record.notes) == (NOTE, notes)


def test_a_note_names_the_title_of_the_subject() -> None:
    settings = with_settings(note_template="{subject_title} / {other_title}")
    assert planned(replace(FOUND, relation=Relation.REVISION), settings=settings).note == "Subject / Other"


def test_paperless_may_change_line_ends_and_trim_a_note() -> None:
    """It is still recognised as ours; half a character pair must not stop it."""
    assert digest_of("a\r\nb\r\n ") == digest_of("a\nb") != digest_of("a b")
    assert len(digest_of("\ud800")) == 32


def test_links_are_read_from_the_link_field_only() -> None:
    held = document(1, links=(2, 3))
    assert linked(held, FIELD) == {2, 3}
    assert linked(held, None) == linked(held, 6) == frozenset()
    assert linked(RawDocument(1, custom_fields=(FieldValue(FIELD, "2"),)), FIELD) == frozenset()


OLDER = replace(FOUND, relation=Relation.REVISION)
MARKING = with_settings(mark_superseded=True)


def superseding(*findings: Finding, superseded: set[int], **options: Any) -> dict[int, frozenset[str]]:
    found = planned(*findings, superseded=frozenset(superseded), settings=MARKING, **options)
    return {change.document: change.add for change in found.tags}


def test_older_editions_are_tagged_while_a_revision_is_shown() -> None:
    assert superseding(OLDER, superseded={2})[2] == {"dedupe:superseded"}
    assert 2 not in superseding(FOUND, superseded={2})


def test_an_older_edition_that_is_gone_or_skipped_is_left_alone() -> None:
    assert set(superseding(OLDER, superseded={2, 3}, others=(OTHER,))) == {1, 2}
    skipped = superseding(OLDER, superseded={2, 3}, others=(OTHER, document(3, SKIP)))
    assert set(skipped) == {1, 2}


def test_the_tag_of_an_older_edition_that_the_user_removed_is_not_set_again() -> None:
    before = reported(findings=(OLDER,), tagged=frozenset({(2, SUPERSEDED)}))
    assert 2 not in superseding(OLDER, superseded={2}, before=before)
