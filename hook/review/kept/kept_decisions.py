"""Decisions are also kept in Paperless, in the definition of the link field, so that a lost index does not lose them.

The copy grows by what was decided and shrinks by what was undone, which leaves a mark of its own in the index and in the
copy. So a decision that only the copy has was lost by this index, and is read back; and one that was undone does not come
back from an old backup. The number grows with each write: it tells whether this index has seen the marks of the copy.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from hook.errors import IndexBusy, PaperlessError, stops_run
from hook.findings.decisions import Decision, Decisions, Pair
from hook.findings.wording import many
from hook.session import Session

KEY: Final = "paperless_dedupe"
MOST: Final = 20_000  # decisions: 1.5 MB
MOST_UNDONE: Final = 5_000
_CHARACTERS: Final = 100  # of a mark: anybody may have written it
_META: Final = "decisions-kept"  # the number of the copy that this index has read or written

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Copy:
    """What is kept in Paperless: decisions, and when those that are no more were undone."""

    number: int = 0
    decisions: Mapping[Pair, Decision] = field(default_factory=dict)
    undone: Mapping[Pair, str] = field(default_factory=dict)

    @classmethod
    def read(cls, extra: Mapping[str, Any]) -> Copy:
        """Of the extra data of the field; what is not ours is left out."""
        kept = extra.get(KEY)
        if not isinstance(kept, dict):
            return cls()
        decisions = filter(None, map(Decision.from_marker, _rows(kept.get("decisions"), MOST)))
        undone = filter(None, map(_undone, _rows(kept.get("undone"), MOST_UNDONE)))
        return cls(
            _number(kept.get("number")), {decision.pair: decision for decision in decisions}, dict(undone)
        )

    def extra(self) -> dict[str, Any]:
        """The newest, as far as there is room."""
        decisions = sorted(self.decisions.values(), key=lambda decision: decision.decided_at)[-MOST:]
        undone = sorted(self.undone.items(), key=lambda mark: mark[1])[-MOST_UNDONE:]
        rows = [f"{a} {b} {at}" for (a, b), at in undone]
        markers = sorted(decision.marker() for decision in decisions)
        return {KEY: {"number": self.number, "decisions": markers, "undone": sorted(rows)}}


def keep_decisions(session: Session) -> None:
    """Brings index and copy together. Takes the writing lock."""
    try:
        lost = adopt_decisions(session)
    except (PaperlessError, IndexBusy) as error:
        if stops_run(error):
            raise
        log.warning("decisions are kept in the index only: %s", error)
        return
    if lost:
        log.warning(
            "%s that Paperless keeps were missing in the index and have been read back: run `paperless-dedupe check --full`",
            many(lost, "decision"),
        )


def adopt_decisions(session: Session) -> int:
    """The same; how many decisions only Paperless had. Takes the writing lock."""
    with session.archive.index.writing_lock(session.deadline):
        session.labels.renew()  # another process may have written it since
        return _bring_together(session)


def decisions_in_paperless(session: Session) -> list[Decision]:
    return list(Copy.read(session.labels.known().extra).decisions.values())


def missing_decisions(copy: Copy, decisions: Decisions) -> list[Decision]:
    """Those that this index has lost."""
    undone = _latest(copy.undone, decisions.undone())
    there = (decision for decision in copy.decisions.values() if not decisions.has(*decision.pair))
    return [decision for decision in there if not _is_undone(decision, undone)]


def _bring_together(session: Session) -> int:
    copy, decisions, index = Copy.read(session.labels.known().extra), session.decisions, session.archive.index
    own = _number(index.get_meta(_META))
    if copy.number > own:
        _undo_here(copy, decisions)
    lost = missing_decisions(copy, decisions)
    decisions.put(lost)
    _examine(session, lost)
    here = {decision.pair: decision for decision in decisions}
    undone = {pair: at for pair, at in _latest(copy.undone, decisions.undone()).items() if pair not in here}
    number = max(copy.number, own)
    merged = Copy(number, here, undone).extra()
    if merged != copy.extra():
        number += 1
        if not session.labels.keep(Copy(number, here, undone).extra()):
            return len(lost)
    if number != own:
        index.set_meta(_META, str(number).encode("ascii"))
    return len(lost)


def _undo_here(copy: Copy, decisions: Decisions) -> None:
    """This index is an old backup: what was undone since is undone here, too; what was decided since stays."""
    for decision in [decision for decision in decisions if _is_undone(decision, copy.undone)]:
        decisions.forget(*decision.pair)


def _examine(session: Session, lost: Iterable[Decision]) -> None:
    """Documents that were reported while the decision was missing."""
    for decision in lost:
        for subject, other in (decision.pair, decision.pair[::-1]):
            if any(finding.other == other for finding in session.findings.get(subject).findings):
                session.examine_later(subject, "a decision on it was read back")


def _is_undone(decision: Decision, undone: Mapping[Pair, str]) -> bool:
    return decision.pair in undone and decision.decided_at <= undone[decision.pair]


def _latest(*marks: Mapping[Pair, str]) -> dict[Pair, str]:
    latest: dict[Pair, str] = {}
    for pair, at in (mark for some in marks for mark in some.items()):
        latest[pair] = max(at, latest.get(pair, ""))
    return latest


def _rows(rows: object, most: int) -> list[object]:
    return rows[:most] if isinstance(rows, list) else []


def _undone(row: object) -> tuple[Pair, str] | None:
    try:
        a, b, at = str(row)[:_CHARACTERS].split()
        return (int(a), int(b)), at
    except ValueError:
        return None


def _number(value: object) -> int:
    text = value.decode("ascii") if isinstance(value, bytes) else str(value or 0)
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else 0
