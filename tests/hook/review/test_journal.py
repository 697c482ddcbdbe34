"""The journal: begun before it is tried, done afterwards, taken back from the end."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hook.index.index import Index
from hook.review.journal import Doing, Journal, Operation, Progress, Stage, Step
from tests.hook.index.index_kit import RECIPE, keys_of, open_index


class Killed(BaseException):
    pass


def operation(*kinds: str) -> Operation:
    steps = tuple(Step(kind, 1, {"text": kind, "list": [1, 2]}) for kind in kinds)
    return Operation(0, Doing.TRASH, 1, 2, 2, {"1": "aa", "2": "bb"}, {"a": 1}, steps=steps)


def test_it_gives_back_what_it_was_given(tmp_path: Path) -> None:
    with open_index(tmp_path) as index:
        journal = Journal(index)
        begun = journal.begin(operation("one", "two"))
        changed = replace(begun, refused="why", problems=("a", "b"), failures=3, stage=Stage.TAKING_BACK)
        assert journal.get(begun.number) == begun
        journal.put(changed)
    with open_index(tmp_path) as index:
        journal = Journal(index)
        assert journal.get(begun.number) == changed
        assert list(journal) == journal.open() == [changed]


def test_it_survives_a_rebuild(tmp_path: Path) -> None:
    with open_index(tmp_path) as index:
        begun = Journal(index).begin(operation("one"))
    with Index.rebuild(tmp_path, RECIPE, keys_of=keys_of) as index:
        assert Journal(index).open() == [begun]


def test_only_what_has_not_ended_is_open(tmp_path: Path) -> None:
    with open_index(tmp_path) as index:
        journal = Journal(index)
        first, second = journal.begin(operation()), journal.begin(operation())
        journal.put(replace(first, stage=Stage.DONE))
        assert journal.open() == [second]
        journal.put(replace(second, stage=Stage.TAKEN_BACK))
        assert journal.open() == []
        assert [entry.number for entry in journal.about(2)] == [second.number, first.number]
        assert journal.about(3) == []


def test_a_step_is_noted_before_it_is_tried(tmp_path: Path) -> None:
    """Killed in the second of three: the first is not done again, the second is."""
    with open_index(tmp_path) as index:
        journal = Journal(index)
        begun, tried = journal.begin(operation("one", "two", "three")), list[str]()

        def do(step: Step) -> None:
            tried.append(step.kind)
            if tried == ["one", "two"]:
                raise Killed

        with pytest.raises(Killed):
            journal.do(begun, do)
        left = journal.open()[0]
        assert [step.progress for step in left.steps] == ["done", "begun", "planned"]
        done = journal.do(left, do)
        assert tried == ["one", "two", "two", "three"]
        assert {step.progress for step in done.steps} == {Progress.DONE}
        assert journal.get(done.number) == done


def test_taking_back_begins_at_the_end(tmp_path: Path) -> None:
    """What was begun is taken back, too: it may have been done; what was only planned is not touched."""
    with open_index(tmp_path) as index:
        journal = Journal(index)
        begun, back = journal.begin(operation("one", "two", "three")), list[str]()
        steps = zip(begun.steps, (Progress.DONE, Progress.BEGUN, Progress.PLANNED), strict=True)
        begun = journal.put(replace(begun, steps=tuple(replace(s, progress=p) for s, p in steps)))

        def take(step: Step) -> str:
            back.append(step.kind)
            if back == ["two", "one"]:
                raise Killed
            return f"{step.kind} stays" if step.kind == "two" else ""

        with pytest.raises(Killed):
            journal.take_back(begun, take)
        ended = journal.take_back(journal.open()[0], take)
        assert back == ["two", "one", "one"]
        assert ended.problems == ("two stays",)
        assert [step.progress for step in ended.steps] == ["back", "back", "planned"]


def test_a_step_can_add_what_it_learnt(tmp_path: Path) -> None:
    with open_index(tmp_path) as index:
        journal = Journal(index)
        begun = journal.begin(operation("one"))

        def do(step: Step) -> Step:
            journal.remember(begun, replace(step, values={**step.values, "task": "abc"}))
            return replace(step, values={**step.values, "task": "abc", "version": 4})

        done = journal.do(begun, do)
        assert done.steps[0].values == {"text": "one", "list": [1, 2], "task": "abc", "version": 4}
