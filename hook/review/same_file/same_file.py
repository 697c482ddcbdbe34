"""Moves a new document to the trash at once if an older one has the same file: DEDUPE_TRASH_SAME_FILE.

Paperless 2 refused such a file, Paperless 3 takes it. The file counts, or the archive file that Paperless made of it, not
the text. The document with the lowest id is kept, so that of two that arrive at once only one can go. It is an operation
as any other: in the journal, with a note on the kept document, and `undo`. A document is moved like this once at most: one
that was restored stays.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Final

from dedupe_core.explain.words import reason
from dedupe_core.model import Relation
from hook.errors import NotFoundError
from hook.findings.decisions import SAME_FILE, Decision, Kind, now
from hook.findings.examine import SAME_FILE_SAID, document_of
from hook.findings.keeper import COPIES
from hook.paperless.values import RawDocument
from hook.review.asked import asked
from hook.review.journal import Do, ImpossibleError, Operation, Stage
from hook.review.merge import Merge
from hook.review.merge_rules import refuse_strangers, text_hash
from hook.session import Session

NEW: Final = timedelta(days=1)  # an older document is never moved, also if an event about it arrives late
_ARCHIVES: Final = 3  # similar documents whose archive file is looked at: a request each

log = logging.getLogger(__name__)


def trash_same_file(session: Session, raw: RawDocument) -> str:
    """What was done, in words; empty if the document stays. Takes the writing lock."""
    if not _is_new(raw):
        return ""
    with session.archive.index.writing_lock(session.deadline):
        session.labels.renew()
        operation = _settled(session, raw.id)
    if operation is None or operation.stage is not Stage.DONE:
        return ""
    return f"#{operation.loser}: the same file as #{operation.kept}, moved to the trash"


def _is_new(raw: RawDocument) -> bool:
    try:
        return datetime.now(UTC) - datetime.fromisoformat(raw.added) < NEW
    except (TypeError, ValueError):  # not a date, or without a zone
        return False


def _settled(session: Session, number: int) -> Operation | None:
    """What was begun is resumed; else it goes for the first older document that may be kept instead, if there is one."""
    merge = Merge(session)
    for begun in merge.journal.open():
        if begun.loser == number and begun.checksum:
            return merge.resume(begun)
        if number in begun.both:
            return None  # another operation is under way
    try:
        operation = _planned(session, merge, session.client.document(number))
    except NotFoundError:
        return None
    if operation is None or any(entry.loser == number for entry in merge.journal.about(number)):
        return None  # or it was restored, and stays
    return merge.begin(operation)


def _planned(session: Session, merge: Merge, document: RawDocument) -> Operation | None:
    if len(session.client.file_versions(document.id)) > 1:
        return None  # another file would go with it
    checksum = session.client.metadata(document.id).original_checksum
    # Also if the finding is in Paperless already: then it is for a person to decide.
    closed = {finding.other for finding in session.findings.get(document.id).findings}
    closed |= {begun.loser for begun in merge.journal.open()}
    for number in _older(session, document, checksum) if checksum else ():
        if number not in closed and not session.decisions.has(document.id, number):
            try:
                kept = session.client.document(number)
                operation = _kept_instead(session, kept, document, checksum)
                refuse_strangers(session, operation)
            except (ImpossibleError, NotFoundError) as error:
                log.info("#%d stays, although #%d has the same file: %s", document.id, number, error)
                continue
            if not any(operation.asked.values()):
                return operation
    return None


def _older(session: Session, document: RawDocument, checksum: str) -> Iterator[int]:
    """Those with the file, then those whose archive file it may be: Paperless cannot be asked for these."""
    same = sorted(session.client.document_ids(checksum__iexact=checksum))
    yield from (number for number in same if number < document.id)
    verdicts = session.archive.examine(document_of(document)).verdicts
    copies = [verdict.other for verdict in verdicts if verdict.relation in COPIES]
    similar = [number for number in copies if number < document.id and number not in same]
    for number in similar[:_ARCHIVES]:
        with suppress(NotFoundError):
            if session.client.metadata(number).archive_checksum.lower() == checksum.lower():
                yield number


def _kept_instead(session: Session, kept: RawDocument, loser: RawDocument, checksum: str) -> Operation:
    decision = Decision(
        *(kept.id, loser.id, Kind.CONFIRMED, Relation.IDENTICAL, 1.0, reason(SAME_FILE_SAID)),
        action=SAME_FILE,
        decided_at=now(),
    )
    return Operation(
        *(0, Do.TRASH, kept.id, loser.id, loser.id),
        hashes={str(document.id): text_hash(document) for document in (kept, loser)},
        decision=decision.to_json(),
        started_at=now(),
        asked=asked(session, (kept, loser)),
        checksum=checksum,
    )
