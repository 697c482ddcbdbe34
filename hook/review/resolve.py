"""Decisions that move no document: the pair is dismissed or confirmed, stored, and no longer shown.

Everything can be repeated: the decision tag is removed last, so the next run resumes after a kill. Hold the writing lock.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from dedupe_core.model import Observation
from hook.examination.archive import NotIndexed
from hook.findings.apply import Applied, change_tags
from hook.findings.decisions import Decision, Kind, now
from hook.findings.findings import Finding, Record
from hook.findings.plan import ExaminationResult, Plan, TagChange, linked
from hook.paperless.values import HEAD_FIELDS, RawDocument
from hook.review.asked import decision_tags, known_tags
from hook.review.kept.own_notes import OwnNotes
from hook.session import Session


@dataclass(frozen=True, slots=True)
class Pair:
    """A finding as it is stored: on the subject, about the other."""

    record: Record
    finding: Finding

    @property
    def subject(self) -> int:
        return self.record.subject

    @property
    def both(self) -> tuple[int, int]:
        return self.record.subject, self.finding.other

    def __str__(self) -> str:
        return f"#{self.subject} and #{self.finding.other}"


def pairs_on(session: Session, document: int) -> list[Pair]:
    """The findings on the document; if there are none, the findings about it. The strongest first."""
    own = session.findings.get(document)
    if own.findings:
        return [Pair(own, finding) for finding in own.findings]
    records = [session.findings.get(subject) for subject in session.findings.about(document)]
    pairs = [Pair(r, f) for r in records for f in r.findings if f.other == document]
    return sorted(pairs, key=lambda pair: (-pair.finding.confidence, pair.subject))


def pairs_between(session: Session, document: int, others: Sequence[int]) -> list[Pair]:
    """The findings on a document and these others, whichever of two has it."""
    records = [session.findings.get(number) for number in (document, *others)]
    pairs = [Pair(record, finding) for record in records for finding in record.findings]
    wanted = {frozenset((document, other)) for other in others}
    return [pair for pair in pairs if frozenset(pair.both) in wanted]


def live(session: Session, pairs: Sequence[Pair]) -> list[Pair]:
    """Those of which both documents are there: the user may have trashed one since the last sync."""
    numbers = {number for pair in pairs for number in pair.both}
    there = {head.id for head in session.client.documents_by_id(sorted(numbers), fields=("id",))}
    return [pair for pair in pairs if there.issuperset(pair.both)]


def decision_on(
    session: Session, pair: Pair, kind: Kind, action: str = "", by: str = "", looked: int = 0
) -> Decision:
    a, b = sorted(pair.both)
    finding, evidence = pair.finding, tuple[Observation, ...]()
    with suppress(NotIndexed):
        evidence = session.archive.explain(a, b).evidence
    said = (finding.relation, finding.confidence, finding.reason, evidence)
    return Decision(a, b, kind, *said, action, now(), by, looked)


def dismiss(session: Session, document: RawDocument, pairs: Sequence[Pair], by: str = "") -> None:
    """Our tags, note and link are removed."""
    session.decisions.put(decision_on(session, pair, Kind.DISMISSED, by=by) for pair in pairs)
    _unmark(session, document, pairs)


def confirm(session: Session, document: RawDocument, pairs: Sequence[Pair], by: str = "") -> None:
    """Only the tags of the finding change: note and link stay, and no finding has them any more. That the note is ours stays
    known (own_notes.py): `retract` removes it."""
    session.decisions.put(decision_on(session, pair, Kind.CONFIRMED, by=by) for pair in pairs)
    own_notes = OwnNotes(session.client, session.archive.index)
    for pair in pairs:
        record = session.findings.get(pair.subject)
        rest = tuple(finding for finding in record.findings if finding.other != pair.finding.other)
        for note in () if rest else record.notes:
            own_notes.record(pair.subject, note)
        links, notes = record.links - {pair.finding.other}, record.notes if rest else ()
        session.findings.put([replace(record, findings=rest, links=links, notes=notes)])
    _unmark(session, document, pairs, add=(session.settings.tag_confirmed,))


def finish(session: Session, document: RawDocument) -> bool:
    """For a document without findings: removes the tag if the pair is decided already, by a tag on the other document
    or by a run that was killed just before its last write. False if the decision is about something else."""
    decided = session.decisions.about(document.id)
    if not decided or shows_strange_finding(session, document):
        return False
    is_confirmed = any(entry.kind is Kind.CONFIRMED for entry in decided)
    add = is_confirmed and session.settings.tag_confirm in decision_tags(session, document)
    names = (session.settings.tag_confirmed,) if add else ()
    unmark(session, document.id, (), add=names, remove=_user_tags(session, document))
    return True


def shows_strange_finding(session: Session, document: RawDocument) -> bool:
    """True if there is a tag of a finding on it, or a link, that this index has neither written nor decided on."""
    labels, record = session.labels.known(), session.findings.get(document.id)
    own = {labels.tags.get(name) for name in (session.settings.tag_review, session.settings.tag_maybe)}
    tags = (own | labels.below_review) & set(document.tags)
    decided = {number for decision in session.decisions.about(document.id) for number in decision.pair}
    links = linked(document, labels.link_field) - record.links - decided
    return bool(tags - {tag for _, tag in record.tagged}) or bool(links)


def _user_tags(session: Session, document: RawDocument) -> tuple[int, ...]:
    """The tags on the document that the user set for us, and that are of no use any more."""
    known, skip = known_tags(session), session.settings.tag_skip
    return tuple(tag for name, tag in known.items() if tag in document.tags and name != skip)


def _unmark(
    session: Session, document: RawDocument, pairs: Sequence[Pair], add: tuple[str, ...] = ()
) -> None:
    subjects = sorted({pair.subject for pair in pairs})
    for subject in subjects:
        decided = {pair.finding.other for pair in pairs if pair.subject == subject}
        record = session.findings.get(subject)
        rest = tuple(finding for finding in record.findings if finding.other not in decided)
        remove = _user_tags(session, document) if subject == document.id else ()
        unmark(session, subject, rest, add=add, remove=remove)
    if document.id not in subjects:
        session.client.modify_tags([document.id], remove=_user_tags(session, document))


def unmark(
    session: Session,
    subject: int,
    rest: tuple[Finding, ...],
    *,
    add: Iterable[str] = (),
    remove: Iterable[int] = (),
) -> None:
    """Afterwards the subject shows only the findings in `rest`; the tags `add` and `remove` are changed with the same call."""
    plan = _planned(session, session.client.document(subject, fields=HEAD_FIELDS), rest)
    own = next((change for change in plan.tags if change.document == subject), TagChange(subject))
    others = tuple(change for change in plan.tags if change is not own)
    session.writer.apply([replace(plan, tags=others)], applied := Applied())
    if applied.stopped:
        raise applied.stopped
    if applied.kept:
        session.examine_later(subject, applied.kept[subject])
    removing = own.remove | frozenset(remove)
    adding = own.add | frozenset(add)
    if not (adding or removing):
        return
    tagged = change_tags(session.client, session.labels, adding, removing, frozenset({subject}))
    if reason := tagged.failed.get(subject):
        session.examine_later(subject, reason)
        return
    record, known = session.findings.get(subject), session.labels.known().tags
    kept = {(number, tag) for number, tag in record.tagged if number != subject or tag not in removing}
    kept |= {(subject, known[name]) for name in own.add}
    session.findings.put([replace(record, tagged=frozenset(kept))])


def unmark_around(session: Session, subject: int) -> None:
    """Of a subject that is in the trash, only what we wrote on other documents is removed."""
    plan = _planned(session, RawDocument(subject), ())
    if others := tuple(change for change in plan.tags if change.document != subject):
        session.writer.apply([Plan(subject, session.findings.get(subject), others)], Applied())


def _planned(session: Session, document: RawDocument, rest: tuple[Finding, ...]) -> Plan:
    content_hash = session.findings.get(document.id).content_hash
    (plan,) = session.writer.planned([ExaminationResult(document, rest, content_hash=content_hash)])
    return plan
