"""Looks at the pages of pairs that are called the same paper and have doubts, and keeps what was seen."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from dedupe_core.compare.differences import Difference, Ledger, differences
from dedupe_core.compare.doubts import doubtful
from dedupe_core.compare.printed import read_printed
from dedupe_core.model import Fingerprint
from hook.ink.inspector import Inspector, Looked, Side
from hook.ink.look import Ink
from hook.ink.pages.paper import CannotLook
from hook.ink.seen import Seen, SeenPairs

if TYPE_CHECKING:
    from hook.examination.archive import Archive
    from hook.paperless.client import Paperless

log = logging.getLogger(__name__)


def look_at(
    inspector: Inspector, client: Paperless, archive: Archive, subject: int, others: Iterable[int]
) -> bool:
    """True if something was seen that was not known: the verdict on a pair may be another one now."""
    return sum(_look_at(inspector, client, archive, sorted((subject, other))) for other in others) > 0


def _look_at(inspector: Inspector, client: Paperless, archive: Archive, pair: Sequence[int]) -> bool:
    left, right = map(archive.fingerprint_of, pair)
    if left is None or right is None:
        return False
    texts = (left.id, left.content_hash.hex()), (right.id, right.content_hash.hex())
    pairs = SeenPairs(archive.index)
    if pairs.get(*texts) is not None:
        return False
    ledger = ledger_of(left, right)
    found = doubtful(ledger)
    if not found:
        return False
    seen = _seen(inspector, client, (left, right), ledger, found)
    pairs.put(*texts, seen)
    _report(left.id, right.id, seen)
    return bool(seen.different or seen.clears)


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
