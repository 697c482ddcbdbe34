"""Looks at the pages of pairs that are called the same paper, or a part of it, and have doubts, and keeps what was seen."""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Final

from dedupe_core.compare.differences import differences
from dedupe_core.compare.doubts import doubtful
from dedupe_core.compare.ledger import Difference, Ledger
from dedupe_core.compare.printed import read_printed
from dedupe_core.model import Fingerprint, Relation
from hook.ink.inspector import Inspector, Looked, Side
from hook.ink.look import Ink
from hook.ink.pages.paper import CannotLook, Reason
from hook.ink.seen import LOOKED_AT, Seen, SeenPairs

if TYPE_CHECKING:
    from hook.examination.archive import Archive
    from hook.findings.findings import Finding
    from hook.paperless.client import Paperless

log = logging.getLogger(__name__)

_LONGEST: Final = 60  # characters of a side that are kept


def look_at(
    inspector: Inspector, client: Paperless, archive: Archive, subject: int, findings: Collection[Finding]
) -> bool:
    """True if something was seen that was not known: the verdict on a pair may be another one now."""
    looked = [
        _look_at(inspector, client, archive, (subject, finding.other), finding.relation)
        for finding in findings
        if finding.relation in LOOKED_AT
    ]
    return any(looked)


def _look_at(
    inspector: Inspector, client: Paperless, archive: Archive, pair: tuple[int, int], relation: Relation
) -> bool:
    left, right = map(archive.fingerprint_of, sorted(pair))
    if left is None or right is None:
        return False
    pairs = SeenPairs(archive.index)
    if pairs.get(left, right, relation) is not None:
        return False
    ledger = ledger_of(left, right)
    doubts = _doubts(ledger, left, right, relation)
    if not doubts:
        return False
    seen = _seen(inspector, client, (left, right), ledger, doubts)
    if seen.reason in (Reason.TOO_SLOW, Reason.NOT_FETCHED):  # may be otherwise the next time
        return False
    pairs.put(left, right, relation, seen)
    why = f" ({seen.reason})" if seen.reason else ""
    counts = seen.same, seen.different, seen.open
    log.info(
        "#%d and #%d: looked at the page: %d same, %d different, %d open%s", left.id, right.id, *counts, why
    )
    return bool(seen.different or seen.clears)


def _doubts(ledger: Ledger, left: Fingerprint, right: Fingerprint, relation: Relation) -> list[Difference]:
    """Of a part and its whole, what only the whole has is none."""
    doubts = doubtful(ledger)
    if relation is not Relation.CONTAINED:
        return doubts
    if (left.words, left.id) < (right.words, right.id):
        return [doubt for doubt in doubts if doubt.span.a < doubt.span.b]
    return [doubt for doubt in doubts if doubt.span.c < doubt.span.d]


def ledger_of(left: Fingerprint, right: Fingerprint) -> Ledger:
    return differences(*(read_printed(document.printed or document.text) for document in (left, right)))


def _seen(
    inspector: Inspector,
    client: Paperless,
    both: tuple[Fingerprint, Fingerprint],
    ledger: Ledger,
    doubts: Sequence[Difference],
) -> Seen:
    try:
        with looking_at(inspector, client, both, ledger, doubts) as looked:
            inks = [look.ink for look in looked.looks]
    except CannotLook as error:
        return Seen(open=len(doubts), reason=error.reason.value)
    words = ledger.sides(doubts[inks.index(Ink.DIFFERENT)]) if Ink.DIFFERENT in inks else ("", "")
    same, different, still_open = (inks.count(ink) for ink in (Ink.SAME, Ink.DIFFERENT, Ink.OPEN))
    return Seen(same, different, still_open, [side[:_LONGEST] for side in words])


def looking_at(
    inspector: Inspector,
    client: Paperless,
    both: tuple[Fingerprint, Fingerprint],
    ledger: Ledger,
    places: Sequence[Difference],
) -> AbstractContextManager[Looked]:
    left, right = Side(both[0].id, ledger.left.words), Side(both[1].id, ledger.right.words)
    return inspector.looking(client, left, right, [place.span for place in places])
