"""What was decided, by whom, what was done, and until when it can be undone: for lists."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from hook.findings.decisions import SAME_FILE, Decision
from hook.review.journal import Operation, Stage, StepKind

VARIABLE: Final = "PAPERLESS_EMPTY_TRASH_DELAY"
DEFAULT_DAYS: Final = 30  # of Paperless
_MOST_DAYS: Final = 100_000


@dataclass(frozen=True, slots=True)
class TrashDelay:
    """After how many days Paperless empties its trash; `is_known` if its settings say so here."""

    days: int = DEFAULT_DAYS
    is_known: bool = False

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> TrashDelay:
        text = environ.get(VARIABLE, "").strip()
        if not (text.isascii() and text.isdecimal() and len(text) < 10):
            return cls()
        return cls(min(max(int(text), 1), _MOST_DAYS), is_known=True)

    def __str__(self) -> str:
        return f"{VARIABLE} is {self.days}" if self.is_known else f"{self.days} days by default"


@dataclass(frozen=True, slots=True)
class Past:
    """A decision. `moved` is in the trash, as far as we know, and can be restored until then; else undo has no limit."""

    decision: Decision
    kept: int | None = None
    moved: int | None = None
    undo_until: str = ""

    @property
    def documents(self) -> tuple[int, ...]:
        """Those that are not in the trash."""
        return self.decision.pair if self.kept is None else (self.kept,)

    @property
    def by(self) -> str:
        """The user who decided on the review page; who set a tag, Paperless does not say."""
        return "setting" if self.decision.action == SAME_FILE else self.decision.by or "person"

    def to_json(self) -> dict[str, Any]:
        return {
            **self.decision.to_json(),
            "by": self.by,
            "kept": self.kept,
            "moved": self.moved,
            "undo_until": self.undo_until or None,
        }


def history(decisions: Iterable[Decision], operations: Iterable[Operation], delay: TrashDelay) -> list[Past]:
    """The newest first."""
    moved = {
        operation.pair: operation
        for operation in operations
        if operation.stage is Stage.DONE and operation.has_done(StepKind.TRASH)
    }
    entries = [_past(decision, moved.get(decision.pair), delay) for decision in decisions]
    return sorted(entries, key=lambda past: past.decision.decided_at, reverse=True)


def _past(decision: Decision, operation: Operation | None, delay: TrashDelay) -> Past:
    if operation is None:
        return Past(decision)
    until = _later(operation.started_at or decision.decided_at, delay.days)
    return Past(decision, operation.kept, operation.loser, until)


def _later(moment: str, days: int) -> str:
    try:
        return (datetime.fromisoformat(moment) + timedelta(days=days)).isoformat()
    except (ValueError, OverflowError):  # imported from elsewhere, or edited
        return ""
