"""What a confirmed finding leads to: nothing but a mark by default, else the worse copy goes to the trash.

The one that is kept is the one our note named, unless a person put `dedupe:keep` on the other.
"""

from __future__ import annotations

from typing import Final

from hook.findings.chains import latest_of
from hook.findings.examine import Examiner
from hook.findings.findings import Finding, Record
from hook.findings.keeper import COPIES, choose, is_whole, standing
from hook.findings.plan import ours_in
from hook.paperless.values import RawDocument
from hook.review.journal import Doing, Operation
from hook.review.steps import ImpossibleError
from hook.review.taking_over import text_hash

CHANGED: Final = "the text of #{} has changed since: it is examined again"


def refuse_changed(record: Record, finding: Finding, subject: RawDocument, other: RawDocument) -> None:
    """A decision is about the texts that were compared, not about what stands there now."""
    if text_hash(subject) != record.content_hash:
        raise ImpossibleError(CHANGED.format(subject.id))
    if text_hash(other) != finding.other_hash:
        raise ImpossibleError(CHANGED.format(other.id))


def refuse_owners(kept: RawDocument, loser: RawDocument, decided_on: int) -> None:
    """Nobody loses sight of a document, and nobody gives away one that is not his."""
    if kept.owner == loser.owner:
        return
    if kept.owner is not None:
        raise ImpossibleError(
            f"#{kept.id} belongs to a user and #{loser.id} does not belong to the same, so that somebody "
            f"might see neither: change the owner of one of them, or keep #{loser.id}"
        )
    if decided_on != loser.id:
        raise ImpossibleError(
            f"#{loser.id} belongs to a user and what it has would be seen by all on #{kept.id}: "
            f"set the tag on #{loser.id} if that is meant"
        )


def is_trashable(finding: Finding) -> bool:
    return finding.relation in COPIES


def kept_and_loser(
    examiner: Examiner, finding: Finding, subject: RawDocument, other: RawDocument, prefer: int | None
) -> tuple[RawDocument, RawDocument]:
    """As `dedupe:keep` says, else the preferred one, else as our note said, else by the rule."""
    both = {subject.id: subject, other.id: other}
    keep = examiner.labels.known().tags.get(examiner.settings.tag_keep)
    asked = [document.id for document in both.values() if keep is not None and keep in document.tags]
    if len(asked) == 2:
        raise ImpossibleError(f"both have {examiner.settings.tag_keep}: take it from the one that may go")
    number = asked[0] if asked else (prefer if prefer is not None else finding.keeper)
    if number not in both:
        number = _by_rule(examiner, finding, subject, other)
    kept = both.pop(number)
    (loser,) = both.values()
    return kept, loser


def newer_of(examiner: Examiner, subject: RawDocument, other: RawDocument) -> int:
    """The one that replaces the other: by the dates printed on them, then by those of Paperless."""
    known = [examiner.archive.fingerprint_of(document.id) for document in (subject, other)]
    found = [one for one in known if one is not None]
    if len(found) == 2:
        return latest_of(found)
    return max((subject, other), key=lambda document: (document.added, document.id)).id


def trash_operation(
    examiner: Examiner,
    finding: Finding,
    subject: RawDocument,
    other: RawDocument,
    *,
    prefer: int | None = None,
) -> Operation:
    kept, loser = kept_and_loser(examiner, finding, subject, other, prefer)
    return Operation(
        0,
        Doing.TRASH,
        kept=kept.id,
        loser=loser.id,
        subject=subject.id,
        hashes={str(document.id): text_hash(document) for document in (kept, loser)},
        decision={},
    )


def _by_rule(examiner: Examiner, finding: Finding, subject: RawDocument, other: RawDocument) -> int:
    ours = ours_in(examiner.labels.known(), examiner.settings)
    one, two = (
        standing(
            document,
            ours,
            examiner.cleanliness(document.id),
            is_whole=is_whole(document.id, subject.id, finding.relation, finding.direction),
        )
        for document in (subject, other)
    )
    return choose(one, two).keeper
