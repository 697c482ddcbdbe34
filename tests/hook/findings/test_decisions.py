"""What people decided is kept by pair, survives a rebuild, and can be moved to another index."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedupe_core.model import Observation, Relation
from hook.findings.decisions import BadDecisionError, Decision, Decisions, Kind, import_decisions, read_lines
from tests.hook.index.index_kit import open_index

PAIR = Decision(
    3, 9, Kind.DISMISSED, Relation.RESCAN, 0.93, "same date", (Observation("resemblance", 0.8, "w"),), "", "t"
)
TEXTS = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=20)
DECISIONS = st.builds(
    Decision,
    a=st.integers(0, 5),
    b=st.integers(6, 2**32 - 2),
    kind=st.sampled_from(Kind),
    relation=st.sampled_from(Relation),
    confidence=st.floats(0, 1),
    reason=TEXTS,
    evidence=st.lists(
        st.builds(Observation, TEXTS, st.floats(allow_nan=False, allow_infinity=False), TEXTS), max_size=3
    ).map(tuple),
    action=st.sampled_from(["", "trash", "version"]),
    decided_at=TEXTS,
)


@given(DECISIONS)
def test_json_gives_back_what_it_was_given(decision: Decision) -> None:
    assert Decision.from_json(json.loads(json.dumps(decision.to_json()))) == decision


def test_a_pair_is_the_same_whichever_way_round(tmp_path: Path) -> None:
    with open_index(tmp_path) as index:
        decisions = Decisions(index)
        decisions.put([PAIR])
        assert decisions.has(3, 9)
        assert decisions.has(9, 3)
        assert not decisions.has(3, 8)
        assert decisions.get(9, 3) == PAIR
        assert decisions.about(9) == [PAIR]
        assert decisions.about(4) == []
        assert decisions.forget(9, 3)
        assert len(decisions) == 0


def test_taking_in_keeps_what_is_decided_here(tmp_path: Path) -> None:
    other = Decision(3, 9, Kind.CONFIRMED, Relation.IDENTICAL, 1.0)
    new = Decision(1, 2, Kind.CONFIRMED, Relation.IDENTICAL, 1.0)
    with open_index(tmp_path) as index:
        decisions = Decisions(index)
        decisions.put([PAIR])
        assert import_decisions(decisions, [other, new]) == (1, 1)
        assert list(decisions) == [new, PAIR]


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        "{}",
        '{"a": 9, "b": 3, "kind": "dismissed", "relation": "rescan", "confidence": 1}',
        '{"a": 3, "b": 3, "kind": "dismissed", "relation": "rescan", "confidence": 1}',
        '{"a": true, "b": 3, "kind": "dismissed", "relation": "rescan", "confidence": 1}',
        '{"a": 1, "b": 99999999999, "kind": "dismissed", "relation": "rescan", "confidence": 1}',
        '{"a": 1, "b": 3, "kind": "ignored", "relation": "rescan", "confidence": 1}',
        '{"a": 1, "b": 3, "kind": "dismissed", "relation": "twin", "confidence": 1}',
        '{"a": 1, "b": 3, "kind": "dismissed", "relation": "rescan", "confidence": "sure"}',
        '{"schema": 2, "a": 1, "b": 3, "kind": "dismissed", "relation": "rescan", "confidence": 1}',
    ],
)
def test_a_bad_line_is_named(line: str) -> None:
    good = json.dumps(PAIR.to_json())
    with pytest.raises(BadDecisionError, match="file, line 3 is not a decision"):
        read_lines([good, "", line], "file")
