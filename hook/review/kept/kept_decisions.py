"""Decisions are also kept in Paperless, in the definition of the link field, so that a lost index does not lose them.

A number that grows with each write tells which of the two is newer: an index that was restored from an old backup reads
what it lacks, and a decision that was undone does not come back.
"""

from __future__ import annotations

import logging
from typing import Any, Final

from hook.errors import PaperlessError, stops_run
from hook.findings.decisions import Decision, import_decisions
from hook.session import Session

KEY: Final = "paperless_dedupe"
MOST: Final = 20_000  # decisions: 1 MB
_META: Final = "decisions-kept"  # the number of our last write

log = logging.getLogger(__name__)


def keep_decisions(session: Session) -> None:
    """Writes them to Paperless if they differ from what is there, after reading what only Paperless has."""
    try:
        _keep(session)
    except PaperlessError as error:
        if stops_run(error):
            raise
        log.warning("decisions are kept in the index only: %s", error)


def adopt_decisions(session: Session) -> int:
    """All that Paperless has, for an index that takes over; how many are new."""
    return import_decisions(session.decisions, decisions_in_paperless(session))[0]


def decisions_in_paperless(session: Session) -> list[Decision]:
    return _markers(_kept(session))


def _keep(session: Session) -> None:
    kept = _kept(session)
    number, own = _number(kept.get("number")), _number(session.archive.index.get_meta(_META))
    if number > own:
        adopt_decisions(session)
    markers = sorted(decision.marker() for decision in session.decisions)[-MOST:]
    if markers == kept.get("decisions", []):
        return
    written = {KEY: {"number": max(number, own) + 1, "decisions": markers}}
    if session.labels.keep(written):
        session.archive.index.set_meta(_META, str(max(number, own) + 1).encode("ascii"))


def _kept(session: Session) -> dict[str, Any]:
    found = session.labels.known().extra.get(KEY)
    return found if isinstance(found, dict) else {}


def _markers(kept: dict[str, Any]) -> list[Decision]:
    found = kept.get("decisions")
    rows = found[:MOST] if isinstance(found, list) else []
    return [one for one in map(Decision.from_marker, rows) if one is not None]


def _number(value: object) -> int:
    text = value.decode("ascii") if isinstance(value, bytes) else str(value or 0)
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else 0
