"""The user's decisions on pairs of documents: stored in the index, exported and imported as JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final

from dedupe_core.model import Observation, Relation
from hook.errors import DedupeError
from hook.examination.codec import read_json
from hook.index.ids import MAX_ID, key_number, number_key
from hook.index.interface import DocumentIndex

SCHEMA: Final = 1
NAMESPACE: Final = "decisions"
SAME_FILE: Final = "same-file"  # an action that no person asked for: DEDUPE_TRASH_SAME_FILE
_LATER: Final = ("by", "looked")  # of the review page; left out if it is not from there
_UNDONE: Final = "decisions-undone"  # pair -> when its decision was undone

Pair = tuple[int, int]  # the smaller id first


class Kind(StrEnum):
    DISMISSED = "dismissed"  # not a duplicate: this pair is never reported again
    CONFIRMED = "confirmed"  # the finding is right


class BadDecisionError(DedupeError):
    """A line that is not a decision; nothing of the file is imported."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class Decision:
    """What the user decided on a pair, and what we had reported. `action` is what was done: trash, version. `by` is known of
    decisions on the review page, where they have `looked` at so many places."""

    a: int
    b: int
    kind: Kind
    relation: Relation
    confidence: float
    reason: str = ""
    evidence: tuple[Observation, ...] = ()
    action: str = ""
    decided_at: str = ""
    by: str = ""
    looked: int = 0

    @property
    def pair(self) -> Pair:
        return self.a, self.b

    def to_json(self) -> dict[str, Any]:
        evidence = [[seen.name, seen.value, seen.words] for seen in self.evidence]
        values = {**asdict(self), "evidence": evidence}
        return {"schema": SCHEMA} | {
            name: value for name, value in values.items() if value or name not in _LATER
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Decision:
        """Raises KeyError, TypeError or ValueError if it is not a decision."""
        a, b = _number(data["a"]), _number(data["b"])
        if not a < b or data.get("schema", SCHEMA) != SCHEMA:
            raise ValueError("not a pair of this schema")
        return cls(
            a,
            b,
            Kind(data["kind"]),
            Relation(data["relation"]),
            float(data["confidence"]),
            str(data.get("reason", "")),
            tuple(Observation(str(n), float(v), str(w)) for n, v, w in data.get("evidence", [])),
            str(data.get("action", "")),
            str(data.get("decided_at", "")),
            str(data.get("by", "")),
            int(data.get("looked", 0)),
        )

    def marker(self) -> str:
        """As it is kept in Paperless: ids and what was decided, no word of the documents."""
        sure, at = f"{self.confidence:.2f}", "".join(self.decided_at.split())[:40]
        return f"{self.a} {self.b} {self.kind} {self.relation} {sure} {self.action or '-'} {at}"

    @classmethod
    def from_marker(cls, text: object) -> Decision | None:
        """None for what is not a marker: anybody may have written it."""
        try:
            a, b, kind, relation, confidence, action, *at = str(text)[:200].split()
            data = {"a": int(a), "b": int(b), "kind": kind, "relation": relation, "confidence": confidence}
            return cls.from_json({**data, "action": action.strip("-"), "decided_at": "".join(at)})
        except (TypeError, ValueError):
            return None


class Decisions:
    """By pair, in either order. They survive a rebuild of the index."""

    def __init__(self, index: DocumentIndex) -> None:
        self._index = index
        self._pairs, self._undone = index.namespace(NAMESPACE), index.namespace(_UNDONE)

    def put(self, decisions: Iterable[Decision]) -> None:
        """All of them or none; on disk when it returns."""
        with self._index.batch(durable=True):
            for decision in decisions:
                body = json.dumps(decision.to_json(), separators=(",", ":")).encode("ascii")
                self._pairs.put(pair_key(decision.a, decision.b), body)
                self._undone.delete(pair_key(decision.a, decision.b))

    def get(self, one: int, two: int) -> Decision | None:
        raw = self._pairs.get(pair_key(one, two))
        return None if raw is None else decoded(raw)

    def has(self, one: int, two: int) -> bool:
        """True if the user decided on this pair: it is not reported any more."""
        return self._pairs.get(pair_key(one, two)) is not None

    def forget(self, one: int, two: int) -> bool:
        """Because the user undid it, which is marked, also if the decision is not there: Paperless may keep a copy of it."""
        key = pair_key(one, two)
        with self._index.batch(durable=True):
            known = self.get(one, two)
            at = max(now(), known.decided_at if known else "")  # a clock may have gone back
            self._undone.put(key, at.encode("utf-8"))
            return self._pairs.delete(key)

    def undone(self) -> dict[Pair, str]:
        """When the decisions that are no more were undone."""
        return {pair_of(key): at.decode("utf-8", "replace") for key, at in self._undone.items()}

    def about(self, document: int) -> list[Decision]:
        return [decision for decision in self if document in (decision.a, decision.b)]

    def __iter__(self) -> Iterator[Decision]:
        for _, raw in self._pairs.items():
            yield decoded(raw)

    def __len__(self) -> int:
        return len(self._pairs)


def decoded(raw: bytes) -> Decision:
    """IndexDamaged if it is not a decision."""
    return read_json(raw, Decision.from_json)


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def read_lines(lines: Iterable[str], name: str) -> list[Decision]:
    """The decisions in a file; the error for a bad line names its number."""
    decisions = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                decisions.append(Decision.from_json(json.loads(line)))
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                raise BadDecisionError(
                    f"{name}, line {number} is not a decision: use a file written by `decisions export`"
                ) from error
    return decisions


def import_decisions(decisions: Decisions, given: Iterable[Decision]) -> tuple[int, int]:
    """How many are new, and how many were left out because their pair is decided already."""
    given = list(given)
    new = [entry for entry in given if not decisions.has(entry.a, entry.b)]
    decisions.put(new)
    return len(new), len(given) - len(new)


def pair_key(one: int, two: int) -> bytes:
    """The same in either order."""
    return number_key(min(one, two)) + number_key(max(one, two))


def pair_of(key: bytes) -> Pair:
    return key_number(key[:8]), key_number(key[8:])


def _number(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_ID:
        raise TypeError("not a document id")
    return value
