"""What the kept document takes over: only what it lacks."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from hook.findings.keeper import Ours
from hook.paperless.values import FieldValue, Note, RawDocument
from hook.review.transfer import Carry, Conflict, Names, carry, left_behind, quoted, taken_over

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


def after(kept: RawDocument, made: Carry) -> dict[str, Any]:
    fields = {entry.field_id: entry.value for entry in kept.custom_fields if entry.value not in (None, "")}
    return {
        "tags": set(kept.tags) | made.tags,
        "fields": {**fields, **made.fields},
        "asn": kept.archive_serial_number if made.asn is None else made.asn,
        **{
            name: getattr(kept, name) if name not in made.values else made.values[name]
            for name in ("correspondent", "document_type", "storage_path")
        },
    }


@given(documents(1), documents(2))
def test_nothing_of_the_kept_one_is_overwritten(kept: RawDocument, other: RawDocument) -> None:
    made = carry(kept, other, OURS, [], [])
    before, now = after(kept, Carry()), after(kept, made)
    assert before["tags"] <= now["tags"]
    assert before["fields"].items() <= now["fields"].items()
    for name in ("asn", "correspondent", "document_type", "storage_path"):
        assert before[name] in (None, now[name])


@given(documents(1), documents(2))
def test_all_of_the_other_is_carried_or_told(kept: RawDocument, other: RawDocument) -> None:
    """Whatever people put on it is found on the kept one, or in the list of conflicts."""
    made = carry(kept, other, OURS, [], [])
    now = after(kept, made)
    assert set(other.tags) - {90, 91} <= now["tags"]
    assert not made.tags & {90, 91}
    conflicts = {conflict.name for conflict in made.conflicts}
    theirs = after(other, Carry())
    for number, value in theirs["fields"].items():
        assert now["fields"][number] == value or number in conflicts
    for name in ("correspondent", "document_type", "storage_path"):
        assert theirs[name] in (None, now[name]) or name in conflicts
    assert theirs["asn"] in (None, now["asn"]) or "archive_serial_number" in conflicts


@given(documents(1), documents(2))
def test_what_was_taken_over_is_not_taken_over_again(kept: RawDocument, other: RawDocument) -> None:
    now = after(kept, carry(kept, other, OURS, [], []))
    done = RawDocument(
        1,
        tags=tuple(now["tags"]),
        custom_fields=tuple(FieldValue(n, v) for n, v in now["fields"].items()),
        archive_serial_number=now["asn"],
        correspondent=now["correspondent"],
        document_type=now["document_type"],
        storage_path=now["storage_path"],
    )
    assert not carry(done, other, OURS, [], [])


def test_our_link_field_is_not_carried() -> None:
    other = RawDocument(2, custom_fields=(FieldValue(80, [7]), FieldValue(81, [7])))
    assert carry(RawDocument(1), other, OURS, [], []).fields == {81: [7]}


def test_notes_are_carried_once() -> None:
    note = Note(1, "ask Anna", "2025-05-01T10:00:00Z", 2, "bob")
    text = quoted(5, note)
    assert text == "Note on #5 (bob, 2025-05-01): ask Anna"
    assert carry(RawDocument(1), RawDocument(5), OURS, [], [text, text]).notes == (text,)
    assert carry(RawDocument(1), RawDocument(5), OURS, [text + "\n"], [text]).notes == ()


def test_in_words() -> None:
    names = Names({"tags": {1: "Tax"}, "correspondent": {3: "Bank", 4: "Shop"}, "fields": {7: "Amount"}})
    made = [Carry(tags=frozenset({1, 2})), Carry(values={"correspondent": 3}), Carry(fields={7: "1"})]
    made += [Carry(asn=17), Carry(notes=("a",)), Carry(notes=("b",))]
    assert taken_over(made, names) == (
        'tags "Tax", no. 2; correspondent "Bank"; field "Amount"; ASN 17; its 2 notes'
    )
    conflicts = [
        Conflict("correspondent", 3, 4),
        Conflict(7, "9.00", "12\n50"),
        Conflict("archive_serial_number", 5, 6),
    ]
    assert left_behind(conflicts, names) == (
        'correspondent "Shop" (here "Bank"); field "Amount" 12 50 (here 9.00); ASN 6 (here 5)'
    )
