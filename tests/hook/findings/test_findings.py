"""What is remembered of findings: it comes back as it was, and survives what happens to the index."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dedupe_core.model import Relation, Statement, StatementKind
from hook.errors import IndexBusy
from hook.findings.findings import Finding, Findings, Record, WrittenNote
from hook.findings.wording import note_text, percent, sentence
from hook.index.index import Index
from hook.log import LINE_CHARACTERS
from hook.settings.types import RELATIONS
from tests.hook.index.index_kit import open_index

ids = st.integers(1, 2**32 - 2)
words = st.text(max_size=20)
numbers = st.lists(ids, max_size=3).map(tuple)
sides = st.lists(words, max_size=2).map(tuple)
said = st.builds(Statement, st.sampled_from(StatementKind), words, sides, numbers, numbers, numbers)
found = st.builds(
    Finding,
    ids,
    st.sampled_from(Relation),
    st.floats(0, 1),
    st.lists(said, max_size=4).map(tuple),
    st.sampled_from([-1, 0, 1]),
    words,
)
records = st.builds(
    Record,
    ids,
    st.lists(found, max_size=4).map(tuple),
    words,
    st.frozensets(st.tuples(ids, ids), max_size=4),
    st.frozensets(ids, max_size=4),
    st.none() | ids,
    st.lists(st.builds(WrittenNote, words, st.none() | ids), max_size=3).map(tuple),
)


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    with open_index(tmp_path) as index:
        yield index


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50, deadline=None)
@given(records)
def test_a_record_comes_back_as_it_was(index: Index, record: Record) -> None:
    """Whatever its statements contain; and an empty record leaves nothing behind."""
    findings = Findings(index)
    findings.put([record])
    assert findings.get(record.subject) == record or not record
    others = {finding.other for finding in record.findings}
    assert all(record.subject in findings.about(other) for other in others)
    findings.put([Record(record.subject)])
    assert not findings.get(record.subject)
    assert not any(record.subject in findings.about(other) for other in others)
    assert list(findings) == []


def test_what_does_not_change_is_not_written(tmp_path: Path) -> None:
    """A second run needs no write lock: another process may hold it."""
    record = Record(5, links=frozenset({3}))
    with open_index(tmp_path, timeout_s=0.0) as index, open_index(tmp_path) as other:
        Findings(index).put([record])
        with other.batch():
            Findings(index).put([record])
            with pytest.raises(IndexBusy):
                Findings(index).put([Record(5)])


@given(words, st.floats(0, 1), st.sampled_from(RELATIONS))
def test_a_sentence_is_one_line(text: str, confidence: float, relation: Relation) -> None:
    """Whatever the reason contains; and 100% is only for equality."""
    added = Statement(StatementKind.ADDED, "", (text,))
    line = sentence(12, Finding(8, relation, confidence, (added,) * 100))
    assert line.startswith("#12 ")
    assert len(line.splitlines()) == 1
    assert len(line) <= LINE_CHARACTERS
    assert (percent(confidence) == "100%") == (confidence == 1)


def test_direction_is_shown() -> None:
    """Which of the two is the part."""
    part, whole = (Finding(8, Relation.CONTAINED, 0.9, (), direction) for direction in (-1, 1))
    assert sentence(12, part) == "#12 looks like a part of #8, 90% sure"
    assert sentence(12, whole) == "#12 looks like it contains #8, 90% sure"


def test_without_a_finding_there_is_no_note() -> None:
    assert note_text(12, {}, [], ()) is None
