"""What is being done to two documents, stored step by step, so that a killed run can be resumed or rolled back.

A step is stored as begun before it is tried, and as done afterwards. Each can be repeated without harm. The
journal only stores: merge.py goes through the steps, steps.py does them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any, Final

from hook.errors import DedupeError
from hook.examination.codec import read_json
from hook.index.ids import key_number, number_key
from hook.index.interface import DocumentIndex
from hook.language.translate import Phrase

NAMESPACE: Final = "journal"
_OPEN: Final = "journal-open"  # the numbers of those that have not ended


class Do(StrEnum):
    """What a decision does with two documents."""

    TRASH = "trash"
    VERSION = "version"
    KEEP = "keep"
    DISMISS = "dismiss"
    SKIP = "skip"


MOVES: Final = (Do.TRASH, Do.VERSION)  # one of the two goes to the trash: an operation


class Stage(StrEnum):
    OPEN = "open"
    DONE = "done"
    ROLLING_BACK = "taking back"
    ROLLED_BACK = "taken back"


class Progress(StrEnum):
    PLANNED = "planned"
    BEGUN = "begun"
    DONE = "done"
    UNDONE = "back"


class StepKind(StrEnum):
    UNTAG = "remove the decision"
    ATTACH = "attach the file"
    ADD_TAGS = "add tags"
    SET_VALUE = "set"
    SET_FIELDS = "set fields"
    MOVE_ASN = "move the ASN"
    ADD_NOTE = "add a note"
    UNLINK = "unlink"
    TRASH = "move to the trash"
    RECORD = "record the decision"
    FORGET = "forget the document"
    UNMARK = "remove our marks"
    EXAMINE = "examine again"


class ImpossibleError(DedupeError):
    """The operation makes no sense, or one of the documents was changed: what was done so far is rolled back.

    As text it is English, for the log; the note has `phrase` in the language of the settings.
    """

    def __init__(self, text: str, **values: object) -> None:
        self.phrase = Phrase(text, values)
        super().__init__(str(self.phrase))


class NotYetError(DedupeError):
    """Paperless is still working on a step: the operation is resumed by a later run."""


@dataclass(frozen=True, slots=True)
class Step:
    """One change, with all that is needed to repeat it or to undo it."""

    kind: StepKind
    document: int
    values: dict[str, Any] = field(default_factory=dict)
    progress: Progress = Progress.PLANNED

    def with_values(self, **values: Any) -> Step:
        return replace(self, values={**self.values, **values})


@dataclass(frozen=True, slots=True)
class Operation:
    """`kept` takes over what `loser` has; the finding is on `subject`, which is one of the two.

    `hashes` are those of the texts when the user decided, `asked` the tags by which they did, by document. `refused` says why
    it is rolled back, empty if the user undid it; `told` is the same in the language of notes. `problems` are single changes
    that could not be made or undone, in that language too. `checksum`, of an operation because of the same file: both must
    have that file until the end.
    """

    number: int
    doing: Do
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
    told: str = ""
    problems: tuple[str, ...] = ()
    asked: dict[str, list[str]] = field(default_factory=dict)
    checksum: str = ""

    @property
    def both(self) -> tuple[int, int]:
        return self.kept, self.loser

    @property
    def pair(self) -> tuple[int, int]:
        return min(self.kept, self.loser), max(self.kept, self.loser)

    @property
    def other(self) -> int:
        return self.loser if self.subject == self.kept else self.kept

    @property
    def is_open(self) -> bool:
        return self.stage in (Stage.OPEN, Stage.ROLLING_BACK)

    def has(self, kind: StepKind, *progress: Progress) -> bool:
        """A step of this kind that has come so far."""
        return any(step.kind is kind and step.progress in (progress or Progress) for step in self.steps)

    def has_done(self, kind: StepKind) -> bool:
        return self.has(kind, Progress.DONE)

    def with_step(self, place: int, step: Step) -> Operation:
        return replace(self, steps=(*self.steps[:place], step, *self.steps[place + 1 :]))

    def with_steps(self, more: Iterable[Step]) -> Operation:
        return replace(self, steps=(*self.steps, *more))


class Journal:
    """All operations, in the order in which they were begun. They survive a rebuild of the index."""

    def __init__(self, index: DocumentIndex) -> None:
        self._index = index
        self._all, self._open = index.namespace(NAMESPACE), index.namespace(_OPEN)

    def begin(self, operation: Operation) -> Operation:
        with self._index.batch(durable=True):
            number = self._all.append(b"")
            return self.put(replace(operation, number=number))

    def put(self, operation: Operation) -> Operation:
        """On disk when it returns."""
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
        return decoded(raw) if raw else None

    def open(self) -> list[Operation]:
        """Those that have not ended, because of a kill, an error or a file that is being attached; oldest first."""
        numbers = [key_number(key) for key, _ in self._open.items()]
        return [operation for number in numbers if (operation := self.get(number)) is not None]

    def about(self, document: int) -> list[Operation]:
        """Those on this document, newest first."""
        return [entry for entry in reversed(list(self)) if document in entry.both]

    def restore_open(self) -> None:
        """After damage: which operations have not ended, from the operations."""
        with self._index.batch(durable=True):
            for operation in self:
                if operation.is_open:
                    self._open.put(number_key(operation.number), b"")

    def __iter__(self) -> Iterator[Operation]:
        for _, raw in self._all.items():
            if raw:
                yield decoded(raw)


def decoded(raw: bytes) -> Operation:
    """IndexDamaged if it is not an operation."""
    return read_json(raw, _operation)


def _operation(data: dict[str, Any]) -> Operation:
    steps = tuple(
        Step(StepKind(step["kind"]), step["document"], step["values"], Progress(step["progress"]))
        for step in data.pop("steps")
    )
    enums = {"doing": Do(data["doing"]), "stage": Stage(data["stage"]), "problems": tuple(data["problems"])}
    return Operation(**{**data, **enums}, steps=steps)
