"""Moves a new document to the trash at once if an older one has the same file: DEDUPE_TRASH_SAME_FILE.

Paperless 2 refused such a file, Paperless 3 takes it. The file counts, or the archive file that Paperless made of it, not
the text. The document with the lowest id is kept, so that of two that arrive at once only one can go. It is an operation
as any other: in the journal, with a note on the kept document, and `undo`. A document is moved like this once at most: one
that was restored stays.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
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
from hook.review.journal import Goal, ImpossibleError, Operation, Stage
from hook.review.merge import Merge
from hook.review.merge_rules import refuse_strangers, text_hash
from hook.session import Session

NEW: Final = timedelta(days=1)  # an older document is never moved, also if an event about it arrives late
_ARCHIVES: Final = 3  # similar documents whose archive file is looked at: a request each

log = logging.getLogger(__name__)


def trash_same_file(
    session: Session, raw: RawDocument, *, clock: Callable[[], datetime] = lambda: datetime.now(UTC)
) -> str:
    """What was done, in words; empty if the document stays. Takes the writing lock."""
    if not _is_new(raw, clock()):
        return ""
    with session.archive.index.writing_lock(session.deadline):
        session.labels.renew()
        return _SameFile(session).settle(raw.id)


def _is_new(raw: RawDocument, at: datetime) -> bool:
    try:
        return at - datetime.fromisoformat(raw.added) < NEW
    except (TypeError, ValueError):  # not a date, or without a zone
        return False


class _SameFile:
    """Hold the writing lock."""

    def __init__(self, session: Session) -> None:
        self._session, self._client, self._merge = session, session.client, Merge(session)
        self._open = self._merge.journal.open()

    def settle(self, number: int) -> str:
        for begun in self._open:
            if begun.loser == number and begun.checksum:
                return _line(self._merge.resume(begun))
            if number in (begun.kept, begun.loser):
                return ""  # another operation is under way
        try:
            operation = self._operation(self._client.document(number))
        except NotFoundError:
            return ""
        return _line(self._merge.begin(operation)) if operation else ""

    def _operation(self, document: RawDocument) -> Operation | None:
        """With the first older document that may be kept instead; None if there is none."""
        if len(self._client.file_versions(document.id)) > 1:
            return None  # another file would go with it
        checksum = self._client.metadata(document.id).original_checksum
        for number in self._older(document, checksum) if checksum else ():
            operation = self._with(number, document, checksum)
            if operation is not None and not self._was_moved(document.id):
                return operation
        return None

    def _older(self, document: RawDocument, checksum: str) -> Iterator[int]:
        """Those with the file, then those whose archive file it may be: Paperless cannot be asked for these."""
        same = sorted(self._client.document_ids(checksum__iexact=checksum))
        yield from (number for number in same if number < document.id)
        verdicts = self._session.archive.examine(document_of(document)).verdicts
        similar = [
            verdict.other
            for verdict in verdicts
            if verdict.relation in COPIES and verdict.other < document.id
        ]
        for number in [number for number in similar if number not in same][:_ARCHIVES]:
            if self._archive_checksum(number) == checksum.lower():
                yield number

    def _archive_checksum(self, number: int) -> str:
        try:
            return self._client.metadata(number).archive_checksum.lower()
        except NotFoundError:
            return ""

    def _with(self, number: int, document: RawDocument, checksum: str) -> Operation | None:
        if self._is_decided(document.id, number) or number in {begun.loser for begun in self._open}:
            return None
        try:
            operation = self._kept_instead(self._client.document(number), document, checksum)
            refuse_strangers(self._session, operation)
        except (ImpossibleError, NotFoundError) as error:
            log.info("#%d stays, although #%d has the same file: %s", document.id, number, error)
            return None
        return operation if not any(operation.asked.values()) else None

    def _kept_instead(self, kept: RawDocument, loser: RawDocument, checksum: str) -> Operation:
        decision = Decision(
            *(kept.id, loser.id, Kind.CONFIRMED, Relation.IDENTICAL, 1.0, reason(SAME_FILE_SAID)),
            action=SAME_FILE,
            decided_at=now(),
        )
        return Operation(
            0,
            Goal.TRASH,
            kept=kept.id,
            loser=loser.id,
            subject=loser.id,
            hashes={str(document.id): text_hash(document) for document in (kept, loser)},
            decision=decision.to_json(),
            started_at=now(),
            asked=asked(self._session, (kept, loser)),
            checksum=checksum,
        )

    def _is_decided(self, document: int, other: int) -> bool:
        """Also if the finding is in Paperless already: then it is for a person to decide."""
        reported = [finding.other for finding in self._session.findings.get(document).findings]
        return other in reported or self._session.decisions.has(document, other)

    def _was_moved(self, document: int) -> bool:
        return any(operation.loser == document for operation in self._merge.journal.about(document))


def _line(operation: Operation) -> str:
    if operation.stage is not Stage.DONE:
        return ""
    return f"#{operation.loser}: the same file as #{operation.kept}, moved to the trash"
