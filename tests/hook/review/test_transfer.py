"""What the kept document takes over: only what it lacks."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from hook.findings.keeper import Ours
from hook.paperless.values import FieldValue, Note, RawDocument
from hook.review.journal import Step, StepKind
from hook.review.transfer import Conflict, conflicts, not_taken_over, quoted, taken_over, transfer

OURS = Ours(tags=frozenset({90}), inbox=frozenset({91}), link_field=80)
VALUES = st.one_of(st.none(), st.integers(1, 3))
FIELDS = st.dictionaries(st.integers(1, 4), st.one_of(st.none(), st.text(max_size=2)), max_size=3)


@st.composite
def documents(draw: st.DrawFn, number: int) -> RawDocument:
    return RawDocument(
        number,
        tags=tuple(draw(st.sets(st.sampled_from([1, 2, 3, 90, 91])))),
        custom_fields=tuple(FieldValue(n, v) for n, v in draw(FIELDS).items()),
        archive_serial_number=draw(VALUES),
        correspondent=draw(VALUES),
        document_type=draw(VALUES),
        storage_path=draw(VALUES),
    )


def after(kept: RawDocument, steps: list[Step]) -> dict[str, Any]:
    """The metadata of a document when the steps are done."""
    found: dict[str, Any] = {
        "tags": set(kept.tags),
        "fields": {one.field_id: one.value for one in kept.custom_fields if one.value not in (None, "")},
        "asn": kept.archive_serial_number,
        "correspondent": kept.correspondent,
        "document_type": kept.document_type,
        "storage_path": kept.storage_path,
    }
    for step in steps:
        if step.kind is StepKind.ADD_TAGS:
            found["tags"] |= set(step.values["tags"])
        elif step.kind is StepKind.SET_VALUE:
            found[step.values["name"]] = step.values["value"]
        elif step.kind is StepKind.SET_FIELDS:
            found["fields"] |= {int(number): value for number, value in step.values["fields"].items()}
        elif step.kind is StepKind.MOVE_ASN:
            found["asn"] = step.values["asn"]
    return found


@given(documents(1), documents(2))
def test_nothing_of_the_kept_document_is_overwritten(kept: RawDocument, other: RawDocument) -> None:
    before, now = after(kept, []), after(kept, transfer(kept, other, OURS, [], []))
    assert before["tags"] <= now["tags"]
    assert before["fields"].items() <= now["fields"].items()
    for name in ("asn", "correspondent", "document_type", "storage_path"):
        assert before[name] in (None, now[name])


@given(documents(1), documents(2))
def test_everything_is_taken_over_or_reported(kept: RawDocument, other: RawDocument) -> None:
    """Whatever users set on the other is found on the kept one, or in the list of conflicts."""
    now = after(kept, transfer(kept, other, OURS, [], []))
    assert set(other.tags) - {90, 91} <= now["tags"]
    assert not (now["tags"] - set(kept.tags)) & {90, 91}
    differing = {conflict.name for conflict in conflicts(kept, other, OURS)}
    theirs = after(other, [])
    for number, value in theirs["fields"].items():
        assert now["fields"][number] == value or number in differing
    for name in ("correspondent", "document_type", "storage_path"):
        assert theirs[name] in (None, now[name]) or name in differing
    assert theirs["asn"] in (None, now["asn"]) or "archive_serial_number" in differing


@given(documents(1), documents(2))
def test_what_was_taken_over_is_not_taken_over_again(kept: RawDocument, other: RawDocument) -> None:
    now = after(kept, transfer(kept, other, OURS, [], []))
    done = RawDocument(
        1,
        tags=tuple(now["tags"]),
        custom_fields=tuple(FieldValue(n, v) for n, v in now["fields"].items()),
        archive_serial_number=now["asn"],
        correspondent=now["correspondent"],
        document_type=now["document_type"],
        storage_path=now["storage_path"],
    )
    assert transfer(done, other, OURS, [], []) == []


def test_our_link_field_is_not_taken_over() -> None:
    other = RawDocument(2, custom_fields=(FieldValue(80, [7]), FieldValue(81, [7])))
    (step,) = transfer(RawDocument(1), other, OURS, [], [])
    assert step.values == {"fields": {"81": [7]}}


def test_notes_are_taken_over_once() -> None:
    note = Note(1, "ask Anna", "2025-05-01T10:00:00Z", 2, "bob")
    text = quoted(5, note)
    assert text == "Note on #5 (bob, 2025-05-01): ask Anna"
    (step,) = transfer(RawDocument(1), RawDocument(5), OURS, [], [text, text])
    assert (step.kind, step.values["text"]) == (StepKind.ADD_NOTE, text)
    assert transfer(RawDocument(1), RawDocument(5), OURS, [text + "\n"], [text]) == []


def test_in_words() -> None:
    names = {"tags": {1: "Tax"}, "correspondent": {3: "Bank", 4: "Shop"}, "fields": {7: "Amount"}}
    steps = [
        Step(StepKind.ADD_TAGS, 1, {"tags": [1, 2]}),
        Step(StepKind.SET_VALUE, 1, {"name": "correspondent", "value": 3}),
        Step(StepKind.SET_FIELDS, 1, {"fields": {"7": "1"}}),
        Step(StepKind.MOVE_ASN, 1, {"asn": 17, "from": 2}),
        Step(StepKind.ADD_NOTE, 1, {"text": "a", "quote": True}),
        Step(StepKind.ADD_NOTE, 1, {"text": "b", "quote": True}),
        Step(StepKind.ADD_NOTE, 1, {"text": "our own"}),
        Step(StepKind.UNLINK, 1, {"field": 80, "other": 2}),
    ]
    assert taken_over(steps, names) == (
        'tags "Tax", no. 2; correspondent "Bank"; field "Amount"; ASN 17; its 2 notes'
    )
    found = [
        Conflict("correspondent", 3, 4),
        Conflict(7, "9.00", "12\n50"),
        Conflict("archive_serial_number", 5, 6),
    ]
    assert not_taken_over(found, names) == (
        'correspondent "Shop" (here "Bank"); field "Amount" 12 50 (here 9.00); ASN 6 (here 5)'
    )
