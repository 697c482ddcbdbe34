"""What is being done to two documents, step by step, on the disk before each step: a kill loses no thread.

A step is noted as begun before it is tried and as done afterwards. After a kill the operation goes on with
the step that was begun (each can be done again without harm), or takes all of them back, last first.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from hook.index.ids import number_key

if TYPE_CHECKING:
    from hook.index.index import Index

_ALL: Final = "journal"
_OPEN: Final = "journal-open"  # numbers of those that have not come to their end


class Doing(StrEnum):
    """What an operation makes of two documents."""

    TRASH = "trash"
    VERSION = "version"


class Stage(StrEnum):
    OPEN = "open"
    DONE = "done"
    TAKING_BACK = "taking back"
    TAKEN_BACK = "taken back"


class Progress(StrEnum):
    PLANNED = "planned"
    BEGUN = "begun"
    DONE = "done"
    BACK = "back"


@dataclass(frozen=True, slots=True)
class Step:
    """One write, with all that is needed to do it again or to take it back."""

    kind: str
    document: int
    values: dict[str, Any] = field(default_factory=dict)
    progress: Progress = Progress.PLANNED


@dataclass(frozen=True, slots=True)
class Operation:
    """`kept` takes over what `loser` has; the finding was on `subject`, which is one of the two.

    `hashes` are those of the texts it was decided on. `refused` says why it is taken back; empty if a person
    undid it. `problems` are single things that could not be taken over or back.
    """

    number: int
    doing: Doing
    kept: int
    loser: int
    subject: int
    hashes: dict[str, str]
    decision: dict[str, Any]
    started_at: str = ""
    stage: Stage = Stage.OPEN
    steps: tuple[Step, ...] = ()
    failures: int = 0
    refused: str = ""
    problems: tuple[str, ...] = ()

    @property
    def other(self) -> int:
        return self.loser if self.subject == self.kept else self.kept

    @property
    def is_open(self) -> bool:
        return self.stage in (Stage.OPEN, Stage.TAKING_BACK)

    def has(self, kind: str) -> bool:
        return any(step.kind == kind for step in self.steps)

    def with_step(self, place: int, step: Step) -> Operation:
        return replace(self, steps=(*self.steps[:place], step, *self.steps[place + 1 :]))


class Journal:
    """All operations, in the order in which they were begun; survives a rebuild of the index."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._all, self._open = index.namespace(_ALL), index.namespace(_OPEN)

    def begin(self, operation: Operation) -> Operation:
        with self._index.batch(durable=True):
            number = self._all.append(b"")
            return self.put(replace(operation, number=number))

    def put(self, operation: Operation) -> Operation:
        """On the disk when it returns."""
        key = number_key(operation.number)
        with self._index.batch(durable=True):
            self._all.put(key, json.dumps(asdict(operation), separators=(",", ":")).encode("ascii"))
            if operation.is_open:
                self._open.put(key, b"")
            else:
                self._open.delete(key)
        return operation

    def get(self, number: int) -> Operation | None:
        raw = self._all.get(number_key(number))
        return _decoded(raw) if raw else None

    def open(self) -> list[Operation]:
        """Those that a kill or an error has left unfinished, the oldest first."""
        numbers = [int.from_bytes(key, "big") for key, _ in self._open.items()]
        return [operation for number in numbers if (operation := self.get(number)) is not None]

    def about(self, document: int) -> list[Operation]:
        """Those in which the document took part, the newest first."""
        return [entry for entry in reversed(list(self)) if document in (entry.kept, entry.loser)]

    def __iter__(self) -> Iterator[Operation]:
        for _, raw in self._all.items():
            if raw:
                yield _decoded(raw)

    # Going through the steps

    def add(self, operation: Operation, steps: Iterable[Step]) -> Operation:
        return self.put(replace(operation, steps=(*operation.steps, *steps)))

    def do(self, operation: Operation, do: Callable[[Step], Step | None]) -> Operation:
        """Does what is not done yet. `do` may return the step with something new to remember."""
        for place, step in enumerate(operation.steps):
            if step.progress in (Progress.DONE, Progress.BACK):
                continue
            begun = replace(step, progress=Progress.BEGUN)
            if begun != step:
                operation = self.put(operation.with_step(place, begun))
            done = do(begun) or begun
            operation = self.put(operation.with_step(place, replace(done, progress=Progress.DONE)))
        return operation

    def remember(self, operation: Operation, step: Step) -> Operation:
        """Values of a step that is under way, such as the task that does it."""
        place = next(n for n, known in enumerate(operation.steps) if known.kind == step.kind)
        return self.put(operation.with_step(place, step))

    def take_back(self, operation: Operation, back: Callable[[Step], str]) -> Operation:
        """Takes back what was begun, last first. `back` returns what could not be taken back, in words."""
        for place, step in reversed(list(enumerate(operation.steps))):
            if step.progress in (Progress.PLANNED, Progress.BACK):
                continue
            problem = back(step)
            problems = (*operation.problems, problem) if problem else operation.problems
            changed = operation.with_step(place, replace(step, progress=Progress.BACK))
            operation = self.put(replace(changed, problems=problems))
        return operation


def _decoded(raw: bytes) -> Operation:
    data = json.loads(raw)
    steps = tuple(
        Step(step["kind"], step["document"], step["values"], Progress(step["progress"]))
        for step in data.pop("steps")
    )
    doing, stage = Doing(data.pop("doing")), Stage(data.pop("stage"))
    problems = tuple(data.pop("problems"))
    return Operation(**data, doing=doing, stage=stage, steps=steps, problems=problems)
