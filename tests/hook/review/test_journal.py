"""The journal returns what was stored, also what an older version has stored."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from hook.index.ids import number_key
from hook.index.index import Index
from hook.review.journal import Do, Journal, Operation, Progress, Stage, Step, StepKind
from tests.hook.index.index_kit import RECIPE, keys_of, open_index

# As 0.1.0 wrote it, shortened.
OLD_ENTRY = (
    '{"number":1,"doing":"version","kept":1,"loser":3,"subject":3,"hashes":{"1":"78f0","3":"b19a"},'
    '"decision":{"schema":1,"a":1,"b":3,"kind":"confirmed","relation":"rescan","confidence":0.99,"reason":"",'
    '"evidence":[],"action":"version","decided_at":"2026-11-16T18:46:40+00:00"},'
    '"started_at":"2026-11-16T18:46:40+00:00","stage":"taking back","steps":['
    '{"kind":"remove the decision","document":3,"values":{"tags":[9,11,10],"documents":[1,3]},"progress":"done"},'
    '{"kind":"attach the file","document":1,"values":{"from":3,"checksum":"1d6f","name":"Scan (#3).pdf",'
    '"before":[1],"sending":1794854800.3337886,"task":"127e3be6","version":4},"progress":"back"},'
    '{"kind":"add a note","document":1,"values":{"text":"Kept: #3","summary":true},"progress":"begun"},'
    '{"kind":"move to the trash","document":3,"values":{},"progress":"planned"}],'
    '"failures":2,"refused":"why","problems":["a","b"]}'
)


def operation(*kinds: StepKind) -> Operation:
    steps = tuple(Step(kind, 1, {"text": kind.value, "list": [1, 2]}) for kind in kinds)
    return Operation(0, Do.TRASH, 1, 2, 2, {"1": "aa", "2": "bb"}, {"a": 1}, steps=steps)


def test_it_returns_what_was_stored(tmp_path: Path) -> None:
    with open_index(tmp_path) as index:
        journal = Journal(index)
        begun = journal.begin(operation(*StepKind))
        changed = replace(begun, refused="why", problems=("a", "b"), failures=3, stage=Stage.ROLLING_BACK)
        assert journal.get(begun.number) == begun
        journal.put(changed)
    with open_index(tmp_path) as index:
        journal = Journal(index)
        assert journal.get(begun.number) == changed
        assert list(journal) == journal.open() == [changed]


def test_an_entry_of_an_older_version(tmp_path: Path) -> None:
    """The names of stages, steps and fields on disk stay what they were."""
    with open_index(tmp_path) as index:
        for name, value in (("journal", OLD_ENTRY.encode()), ("journal-open", b"")):
            index.namespace(name).put(number_key(1), value)
        (found,) = Journal(index).open()
        assert (found.doing, found.stage, found.failures) == (Do.VERSION, Stage.ROLLING_BACK, 2)
        assert [(step.kind, step.progress) for step in found.steps] == [
            (StepKind.UNTAG, Progress.DONE),
            (StepKind.ATTACH, Progress.UNDONE),
            (StepKind.ADD_NOTE, Progress.BEGUN),
            (StepKind.TRASH, Progress.PLANNED),
        ]
        Journal(index).put(found)
        stored = json.loads(index.namespace("journal").get(number_key(1)) or b"")
        assert json.loads(OLD_ENTRY).items() <= stored.items()


def test_it_survives_a_rebuild(tmp_path: Path) -> None:
    with open_index(tmp_path) as index:
        begun = Journal(index).begin(operation(StepKind.TRASH))
    with Index.rebuild(tmp_path, RECIPE, keys_of=keys_of) as index:
        assert Journal(index).open() == [begun]


def test_only_what_has_not_ended_is_open(tmp_path: Path) -> None:
    with open_index(tmp_path) as index:
        journal = Journal(index)
        first, second = journal.begin(operation()), journal.begin(operation())
        journal.put(replace(first, stage=Stage.DONE))
        assert journal.open() == [second]
        journal.put(replace(second, stage=Stage.ROLLED_BACK))
        assert journal.open() == []
        assert [entry.number for entry in journal.about(2)] == [second.number, first.number]
        assert journal.about(3) == []
