"""Looks at the pages of pairs that are called the same paper, or a part of it, and have doubts, and keeps what was seen."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from dedupe_core.compare.differences import Difference, Ledger, differences
from dedupe_core.compare.doubts import doubtful
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


def look_at(
    inspector: Inspector, client: Paperless, archive: Archive, subject: int, found: Collection[Finding]
) -> bool:
    """True if something was seen that was not known: the verdict on a pair may be another one now."""
    looked = [
        _look_at(inspector, client, archive, (subject, one.other), one.relation)
        for one in found
        if one.relation in LOOKED_AT
    ]
    return any(looked)


def _look_at(
    inspector: Inspector, client: Paperless, archive: Archive, pair: tuple[int, int], relation: Relation
) -> bool:
    left, right = map(archive.fingerprint_of, sorted(pair))
    if left is None or right is None:
        return False
    texts = (left.id, left.content_hash.hex()), (right.id, right.content_hash.hex())
    pairs = SeenPairs(archive.index)
    if pairs.get(*texts, relation) is not None:
        return False
    ledger = ledger_of(left, right)
    found = _doubts(ledger, left, right, relation)
    if not found:
        return False
    seen = _seen(inspector, client, (left, right), ledger, found)
    if seen.reason in (Reason.TOO_SLOW, Reason.NOT_FETCHED):  # may be otherwise the next time
        return False
    pairs.put(*texts, relation, seen)
    _report(left.id, right.id, seen)
    return bool(seen.different or seen.clears)


def _doubts(ledger: Ledger, left: Fingerprint, right: Fingerprint, relation: Relation) -> list[Difference]:
    """Of a part and its whole, what only the whole has is none."""
    if relation is not Relation.CONTAINED:
        return doubtful(ledger)
    is_left = (left.words, left.id) < (right.words, right.id)
    return [
        one for one in doubtful(ledger) if (one.span.a < one.span.b if is_left else one.span.c < one.span.d)
    ]


def _report(left: int, right: int, seen: Seen) -> None:
    why = f" ({seen.reason})" if seen.reason else ""
    counts = seen.same, seen.different, seen.open
    log.info("#%d and #%d: looked at the page: %d same, %d different, %d open%s", left, right, *counts, why)


def ledger_of(left: Fingerprint, right: Fingerprint) -> Ledger:
    return differences(*(read_printed(one.printed or one.text) for one in (left, right)))


def _seen(
    inspector: Inspector,
    client: Paperless,
    both: tuple[Fingerprint, Fingerprint],
    ledger: Ledger,
    found: Sequence[Difference],
) -> Seen:
    try:
        with looking_at(inspector, client, both, ledger, found) as looked:
            looks = looked.looks
    except CannotLook as error:
        return Seen(open=len(found), reason=error.reason.value)
    inks = [one.ink for one in looks]
    first = next((one for one, look in zip(found, looks, strict=False) if look.ink is Ink.DIFFERENT), None)
    words = ledger.sides(first) if first else ("", "")
    left_out = len(found) - len(looks)
    return Seen(inks.count(Ink.SAME), inks.count(Ink.DIFFERENT), inks.count(Ink.OPEN) + left_out, words)


@contextmanager
def looking_at(
    inspector: Inspector,
    client: Paperless,
    both: tuple[Fingerprint, Fingerprint],
    ledger: Ledger,
    found: Sequence[Difference],
) -> Iterator[Looked]:
    left, right = Side(both[0].id, ledger.left.words), Side(both[1].id, ledger.right.words)
    with inspector.looking(client, left, right, [one.span for one in found]) as looked:
        yield looked
