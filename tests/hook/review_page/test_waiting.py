"""Which findings wait for a person, which belong together, and what a button will do."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedupe_core.model import Relation
from hook.findings.findings import Finding, Record
from hook.language.translate import translator
from hook.review_page.effects import Action, effect_of
from hook.review_page.waiting import (
    MOST_ON_CARD,
    Shown,
    Waiting,
    groups_of,
    is_chain,
    matches,
    waiting_of,
)
from hook.settings.model import Settings

EVERYTHING = Shown(frozenset(range(1, 100)), marked=frozenset(range(1, 100)))


def finding(
    other: int, relation: Relation = Relation.RESCAN, sure: float = 0.9, keeper: int | None = None
) -> Finding:
    return Finding(other, relation, sure, (), keeper=keeper)


def record(subject: int, *findings: Finding, tagged: bool = True) -> Record:
    return Record(subject, findings, tagged=frozenset({(subject, 7)}) if tagged else frozenset())


def found(*records: Record, shown: Shown = EVERYTHING, decided: Iterable[tuple[int, int]] = ()) -> list[str]:
    return [one.key for one in waiting_of(records, shown, lambda a, b: (a, b) in decided)]


def settings(**more: object) -> Settings:
    return Settings(index_dir=Path("/nowhere"), **more)


def test_what_the_person_may_not_see_is_not_there() -> None:
    """Neither the document with the finding nor the other one, nor that there is one."""
    shown = Shown(frozenset({1, 2, 4}), marked=frozenset({2, 3, 4}))
    records = (record(2, finding(1)), record(3, finding(1)), record(4, finding(3), finding(1)))
    assert found(*records, shown=shown) == ["2:1", "4:1"]


def test_what_was_decided_is_not_there() -> None:
    records = (record(2, finding(1)), record(4, finding(3)))
    assert found(*records, decided={(2, 1)}) == ["4:3"]
    decided = Shown(EVERYTHING.visible, EVERYTHING.marked, decided=frozenset({2}))
    assert found(*records, shown=decided) == ["4:3"]


def test_a_document_whose_tags_somebody_removed_is_set_aside() -> None:
    shown = Shown(EVERYTHING.visible, marked=frozenset({4}))
    assert found(record(2, finding(1)), record(4, finding(3)), shown=shown) == ["4:3"]


def test_a_finding_that_was_never_tagged_waits_all_the_same() -> None:
    assert found(record(2, finding(1), tagged=False), shown=Shown(frozenset({1, 2}))) == ["2:1"]


def test_three_that_are_connected_are_one_card() -> None:
    entries = [
        Waiting(2, (finding(1),)),
        Waiting(3, (finding(1, sure=0.8),)),
        Waiting(9, (finding(8, sure=0.95),)),
    ]
    groups = groups_of(entries)
    assert [sorted(group.documents) for group in groups] == [[8, 9], [1, 2, 3]]


def test_a_large_group_is_a_card_for_each_document() -> None:
    entries = [Waiting(n, (finding(1),)) for n in range(2, 2 + MOST_ON_CARD)]
    assert [len(group.documents) for group in groups_of(entries)] == [2] * MOST_ON_CARD


@given(st.lists(st.tuples(st.integers(1, 30), st.integers(1, 30)), max_size=60))
def test_every_finding_is_on_exactly_one_card(pairs: list[tuple[int, int]]) -> None:
    entries = [Waiting(a, (finding(b),)) for a, b in dict.fromkeys(pairs) if a != b]
    groups = groups_of(entries)
    assert sorted(one.key for group in groups for one in group.members) == sorted(one.key for one in entries)


def test_editions_are_a_chain() -> None:
    revision = [Waiting(2, (finding(1, Relation.REVISION),)), Waiting(3, (finding(2, Relation.REVISION),))]
    assert is_chain(groups_of(revision)[0])
    assert not is_chain(groups_of([*revision, Waiting(4, (finding(3),))])[0])


def test_filters() -> None:
    entry = Waiting(2, (finding(1, Relation.CONTAINED, 0.7), finding(3, sure=0.8)))
    assert matches(entry, Relation.RESCAN, 0.8)
    assert not matches(entry, Relation.IDENTICAL)
    assert not matches(entry, least=0.9)
    assert matches(entry, documents=frozenset({3}))
    assert not matches(entry, documents=frozenset({4}))


@pytest.mark.parametrize(
    ("options", "relation", "words"),
    [
        ({}, Relation.RESCAN, "keeps all documents, marks the finding as confirmed"),
        ({"on_confirm": "trash"}, Relation.RESCAN, "moves one of two documents to the trash"),
        ({"on_confirm": "trash"}, Relation.REVISION, "keeps all documents, marks the finding as confirmed"),
        ({"on_confirm_revision": "replace"}, Relation.REVISION, "moves one of two documents to the trash"),
        (
            {"on_confirm": "make-version"},
            Relation.RESCAN,
            "makes one of two documents a file version of the other",
        ),
    ],
)
def test_a_button_says_what_it_will_do(options: dict[str, str], relation: Relation, words: str) -> None:
    """Under the present settings; nothing goes to the trash unless a setting says so."""
    entry = Waiting(2, (finding(1, relation, keeper=1),))
    assert effect_of(Action.SAME, entry, settings(**options), translator("en")) == words
