"""Looks at the pages of pairs that are called the same paper and have doubts, and keeps what was seen (hook/ink)."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from dedupe_core.compare.differences import Difference, Ledger, differences
from dedupe_core.compare.doubts import doubtful
from dedupe_core.compare.printed import read_printed
from dedupe_core.model import Fingerprint, Relation
from hook.findings.findings import Finding
from hook.ink.inspector import Inspector, Looked, Side
from hook.ink.look import Ink
from hook.ink.pages.paper import CannotLook
from hook.ink.seen import Seen, SeenPairs
from hook.paperless.client import Paperless
from hook.session import Session

log = logging.getLogger(__name__)


def look_at(session: Session, subject: int, findings: Iterable[Finding]) -> bool:
    """True if something was seen that was not known: the verdict on the pair may be another one now."""
    rescans = [one.other for one in findings if one.relation is Relation.RESCAN]
    return sum(_look_at(session, subject, other) for other in rescans) > 0


def unseen(session: Session) -> Iterator[tuple[int, Finding]]:
    """Every stored finding that nobody has looked at, with the document that carries it."""
    seen = SeenPairs(session.archive.index)
    for record in session.findings:
        for finding in record.findings:
            both = [session.archive.fingerprint_of(number) for number in (record.subject, finding.other)]
            if finding.relation is Relation.RESCAN and all(both) and not _is_known(seen, both):
                yield record.subject, finding


def _look_at(session: Session, subject: int, other: int) -> bool:
    left, right = (session.archive.fingerprint_of(number) for number in sorted((subject, other)))
    seen = SeenPairs(session.archive.index)
    if session.inspector is None or left is None or right is None or _is_known(seen, (left, right)):
        return False
    ledger = ledger_of(left, right)
    found = doubtful(ledger)
    if not found:
        return False
    result = _seen(session.inspector, session.client, (left, right), ledger, found)
    seen.put((left.id, left.content_hash.hex()), (right.id, right.content_hash.hex()), result)
    log.info(
        "#%d and #%d: looked at the page: %d same, %d different, %d open%s",
        *(left.id, right.id, result.same, result.different, result.open),
        f" ({result.reason})" if result.reason else "",
    )
    return bool(result.different or result.clears)


def _is_known(seen: SeenPairs, both: Sequence[Fingerprint | None]) -> bool:
    hashes = [(one.id, one.content_hash.hex()) for one in both if one is not None]
    return seen.get(hashes[0], hashes[1]) is not None


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
