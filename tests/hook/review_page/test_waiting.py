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
from hook.review_page.plan import Action
from hook.review_page.render.plan import effect_of
from hook.review_page.waiting import (
    MOST_ON_CARD,
    Shown,
    Waiting,
    groups_of,
    waiting_of,
)
from hook.settings.model import Settings


def finding(
    other: int, relation: Relation = Relation.RESCAN, sure: float = 0.9, keeper: int | None = None
) -> Finding:
    return Finding(other, relation, sure, (), keeper=keeper)


def record(subject: int, *findings: Finding, tagged: bool = True) -> Record:
    return Record(subject, findings, tagged=frozenset({(subject, 7)}) if tagged else frozenset())


def settings(**more: object) -> Settings:
    return Settings(index_dir=Path("/nowhere"), **more)


NINE = frozenset(range(1, 10))
TWO = (record(2, finding(1)), record(4, finding(3)))
HIDDEN = (record(2, finding(1)), record(3, finding(1)), record(4, finding(3), finding(1)))


@pytest.mark.parametrize(
    ("records", "shown", "decided", "keys"),
    [
        (HIDDEN, Shown(frozenset({1, 2, 4}), marked=frozenset({2, 3, 4})), (), ["2:1", "4:1"]),
        (TWO, Shown(NINE, marked=NINE), {(2, 1)}, ["4:3"]),
        (TWO, Shown(NINE, marked=NINE, decided=frozenset({2})), (), ["4:3"]),
        (TWO, Shown(NINE, marked=frozenset({4})), (), ["4:3"]),
        ((record(2, finding(1), tagged=False),), Shown(NINE), (), ["2:1"]),
    ],
    ids=["may not be seen", "decided", "has a decision tag", "somebody removed our tags", "was never tagged"],
)
def test_what_waits(
    records: tuple[Record, ...], shown: Shown, decided: Iterable[tuple[int, int]], keys: list[str]
) -> None:
    """Of a document that the person may not see, not even that there is one; without what was decided or set aside."""
    waiting = waiting_of(records, shown, set(map(frozenset, decided)))
    assert [entry.key for entry in waiting] == keys


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
