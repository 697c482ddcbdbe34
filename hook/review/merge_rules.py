"""Which of two documents is kept when a finding is confirmed, and when nothing may be moved at all.

The one to keep is the one that our note suggested, unless the user put `dedupe:keep` on the other.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Final

from dedupe_core.fingerprint.age import by_age
from dedupe_core.fingerprint.fingerprint import is_legible
from dedupe_core.model import Relation, StatementKind
from dedupe_core.text.normalise import content_hash, normalise
from hook.findings.findings import Finding, Record
from hook.findings.keeper import ours_in, suggest
from hook.language.translate import Phrase
from hook.log import plain
from hook.paperless.client import Paperless
from hook.paperless.values import HEAD_FIELDS, RawDocument
from hook.review.journal import ImpossibleError, Operation
from hook.review.same_text.differences import Difference, TooLongError, read_words, text_differences
from hook.session import Session

if TYPE_CHECKING:
    from hook.ink.inspector import Inspector

log = logging.getLogger(__name__)

LOOKING_S: Final = 60.0  # two files of 20 s each at most, 5 s to compare places, 15 s to read them again
LISTED: Final = 6  # differences in a note
LISTED_CHARACTERS: Final = 60  # of each


def text_hash(document: RawDocument) -> str:
    """Of the text as Paperless has it now; comparable with the hashes of findings. Empty if there is no text."""
    text = normalise(document.content)
    return content_hash(document.content, text).hex() if is_legible(text) else ""


def refuse_changed(record: Record, finding: Finding, subject: RawDocument, other: RawDocument) -> None:
    """A decision is about the texts that were compared, not about newer ones."""
    for document, known in ((subject, record.content_hash), (other, finding.other_hash)):
        if text_hash(document) != known:
            raise ImpossibleError("the text of #{n} has changed since: it is examined again", n=document.id)


def refuse_owners(kept: RawDocument, loser: RawDocument, decided_on: Collection[int]) -> None:
    """No user loses access to a document, and no user gives away a document of another."""
    both = {"kept": kept.id, "loser": loser.id}
    if kept.owner == loser.owner:
        if loser.everyone_sees(kept) is False:
            raise ImpossibleError(
                "#{loser} is shared with somebody who may not see #{kept}: share that one too, or keep #{loser}",
                **both,
            )
        if kept.everyone_sees(loser) is False and loser.id not in decided_on:
            raise ImpossibleError(
                "#{kept} is shared with somebody who may not see #{loser} and would see its metadata: set "
                "the tag on #{loser} if you want that",
                **both,
            )
        return
    if kept.owner is not None:
        raise ImpossibleError(
            "#{kept} belongs to a user, and #{loser} does not belong to the same one, so somebody could "
            "lose access: change the owner of one of them, or keep #{loser}",
            **both,
        )
    if loser.id not in decided_on:
        raise ImpossibleError(
            "#{loser} belongs to a user, and everybody would see its metadata on #{kept}: set the tag on "
            "#{loser} if you want that",
            **both,
        )


def refuse_strangers(session: Session, operation: Operation) -> None:
    """For an operation because of the same file, which nobody asked for: both have the file, belong to the same user and are
    seen by the same people."""
    kept, loser = (
        session.writer.with_shares(session.client.document(number, fields=HEAD_FIELDS))
        for number in operation.both
    )
    refuse_owners(kept, loser, ())
    if kept.everyone_sees(loser) is None or loser.everyone_sees(kept) is None:
        raise ImpossibleError(
            "it is not known who may see #{kept} and #{loser}", kept=kept.id, loser=loser.id
        )
    for number in operation.both:
        metadata = session.client.metadata(number)
        archived = metadata.archive_checksum if number == operation.kept else ""
        if operation.checksum.lower() not in (metadata.original_checksum.lower(), archived.lower()):
            raise ImpossibleError("#{n} does not have the same file any more", n=number)


def choose_kept(
    session: Session,
    finding: Finding,
    subject: RawDocument,
    other: RawDocument,
    *,
    prefer: int | None = None,
    chosen: int | None = None,
) -> tuple[RawDocument, RawDocument, list[Difference]]:
    """The one to keep and the other: as the user chose, by `dedupe:keep` or on the review page; else the preferred one, else as
    our note suggested, else by the rule. And where their texts differ, which does not matter if the user set `dedupe:keep`."""
    both, tag = {subject.id: subject, other.id: other}, session.settings.tag_keep
    keep = session.labels.known().tags.get(tag)
    tagged = [document.id for document in both.values() if keep is not None and keep in document.tags]
    if len(tagged) == 2:
        raise ImpossibleError("both have {tag}: remove it from one of them", tag=tag)
    if tagged and chosen not in (None, tagged[0]):
        raise ImpossibleError("#{n} has {tag}: keep that one, or remove the tag", n=tagged[0], tag=tag)
    number = next((number for number in (chosen, *tagged, prefer, finding.keeper) if number in both), None)
    kept = both.pop(_by_rule(session, finding, subject, other) if number is None else number)
    (loser,) = both.values()
    if tagged:
        return kept, loser, []
    if chosen is None:
        _refuse_without_text(finding, tag)
    if chosen is None and prefer is None:
        _refuse_scan(session, kept, loser)
    return kept, loser, content_differences(kept, loser, finding.relation, tag)


def content_differences(
    kept: RawDocument, loser: RawDocument, relation: Relation, tag_keep: str
) -> list[Difference]:
    """Where the texts differ by more than misreadings beyond doubt. Of a part and its whole, the lines that only the whole has
    are no loss."""
    try:
        return text_differences(kept.content, loser.content, is_part=relation is Relation.CONTAINED)
    except TooLongError as error:
        raise ImpossibleError(
            "the texts differ and are too long to be compared word by word: set {tag} on the one to keep",
            tag=tag_keep,
        ) from error


def refuse_differences(differences: Sequence[Difference], kept: int, loser: int, tag_keep: str) -> None:
    """Only the user can say which one to keep then."""
    if not differences:
        return
    listed = [difference_in_words(difference, kept, loser) for difference in differences[:LISTED]]
    left_out = len(differences) - len(listed)
    more = [Phrase("and {n} more", {"n": left_out})] if left_out else []
    raise ImpossibleError(
        "the texts differ in their content: {listed}. Set {tag} on the one to keep if it is to replace the other",
        listed=(*listed, *more),
        tag=tag_keep,
    )


def same_print(
    session: Session, kept: RawDocument, loser: RawDocument, differences: Sequence[Difference]
) -> frozenset[Difference]:
    """Those whose print is the same on both pages; none if pages cannot be looked at here and now."""
    if session.inspector is None or session.deadline.remaining() < LOOKING_S:
        return frozenset()
    same = printed_alike(session.inspector, session.client, kept, loser, differences)
    if same:
        places = kept.id, loser.id, len(same), len(differences)
        log.info("#%d and #%d: looked at the page: same print at %d of %d places", *places)
    return same


def printed_alike(
    inspector: Inspector,
    client: Paperless,
    kept: RawDocument,
    loser: RawDocument,
    differences: Sequence[Difference],
) -> frozenset[Difference]:
    """Which of them were only read differently: the print is the same on both pages."""
    from hook.ink.inspector import Side  # most runs look at no page
    from hook.ink.look import Ink
    from hook.ink.pages.paper import CannotLook

    left, right = (Side(document.id, read_words(document.content).words) for document in (kept, loser))
    try:
        with inspector.looking(
            client, left, right, [difference.span for difference in differences]
        ) as looked:
            looks = looked.looks
    except CannotLook:
        return frozenset()
    pairs = zip(differences, looks, strict=True)
    return frozenset(difference for difference, look in pairs if look.ink is Ink.SAME)


def difference_key(difference: Difference, kept: int, loser: int) -> str:
    """The same for both directions and for the same two texts only: what a person has accepted is known by it."""
    here, there, (a, b, c, d) = difference.here, difference.there, difference.span
    if kept > loser:
        here, there, (a, b, c, d) = there, here, (c, d, a, b)
    return hashlib.sha256(json.dumps([here, there, a, b, c, d]).encode("ascii")).hexdigest()[:24]


def difference_in_words(difference: Difference, kept: int, loser: int) -> Phrase:
    here, there = (plain(side, LISTED_CHARACTERS) for side in (difference.here, difference.there))
    if here and there:
        values = {"here": here, "kept": kept, "there": there, "loser": loser}
        return Phrase('"{here}" in #{kept}, "{there}" in #{loser}', values)
    return Phrase('"{words}" only in #{n}', {"words": here or there, "n": kept if here else loser})


def newer_of(session: Session, subject: RawDocument, other: RawDocument) -> int:
    """The one that replaces the other: by the dates printed on them, then by the dates of Paperless."""
    known = [session.archive.fingerprint_of(document.id) for document in (subject, other)]
    fingerprints = [fingerprint for fingerprint in known if fingerprint is not None]
    if len(fingerprints) == 2:
        return by_age(fingerprints)[-1].id
    return max((subject, other), key=lambda document: (document.added, document.id)).id


def _by_rule(session: Session, finding: Finding, subject: RawDocument, other: RawDocument) -> int:
    ours = ours_in(session.labels.known(), session.settings)
    return suggest(finding, subject, other, ours, session.writer.files(subject, other)).keeper


def _refuse_without_text(finding: Finding, tag_keep: str) -> None:
    if any(statement.kind is StatementKind.LOOKS_THE_SAME for statement in finding.statements):
        raise ImpossibleError(
            "there is no text to compare: look at both, and set {tag} on the one to keep", tag=tag_keep
        )


def _refuse_scan(session: Session, kept: RawDocument, loser: RawDocument) -> None:
    """A born-digital original never goes to the trash for a scan of it, unless the user says which one to keep."""
    is_kept_digital, is_loser_digital = session.writer.files(kept, loser).digital
    if is_loser_digital and not is_kept_digital:
        tag = session.settings.tag_keep
        raise ImpossibleError(
            "#{loser} is born digital, and #{kept} looks like a scan: set {tag} on the one to keep",
            loser=loser.id,
            kept=kept.id,
            tag=tag,
        )
