"""Decisions that move no document: the pair is dismissed or confirmed, stored, and no longer shown.

Everything can be repeated: the decision tag is removed last, so the next run resumes after a kill.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from dedupe_core.model import Observation
from hook.examination.archive import NotIndexed
from hook.findings.decisions import Decision, Kind, now
from hook.findings.findings import Finding, Record
from hook.findings.plan import ExaminationResult, Plan, TagChange, linked
from hook.findings.tagging import change_tags
from hook.paperless.values import HEAD_FIELDS, RawDocument
from hook.review.asked import asked, known_tags
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

    def __str__(self) -> str:
        return f"#{self.subject} and #{self.finding.other}"


class Resolver:
    """Hold the writing lock."""

    def __init__(self, session: Session, report: Callable[[str], None]) -> None:
        self._session, self._settings, self._report = session, session.settings, report
        self._notes = OwnNotes(session.client, session.archive.index)

    def pairs(self, document: int) -> list[Pair]:
        """The findings on the document; if there are none, the findings about it. The strongest first."""
        findings = self._session.findings
        own = findings.get(document)
        if own.findings:
            return [Pair(own, finding) for finding in own.findings]
        records = [findings.get(subject) for subject in findings.about(document)]
        pairs = [Pair(r, f) for r in records for f in r.findings if f.other == document]
        return sorted(pairs, key=lambda pair: (-pair.finding.confidence, pair.subject))

    def between(self, document: int, others: Sequence[int]) -> list[Pair]:
        """The findings on a document and these others, whichever of two has it."""
        records = [self._session.findings.get(number) for number in (document, *others)]
        pairs = [Pair(record, finding) for record in records for finding in record.findings]
        wanted = {frozenset((document, other)) for other in others}
        return [pair for pair in pairs if frozenset((pair.subject, pair.finding.other)) in wanted]

    def live(self, pairs: Sequence[Pair]) -> list[Pair]:
        """Those of which both documents are there: the user may have trashed one since the last sync."""
        numbers = {number for pair in pairs for number in (pair.subject, pair.finding.other)}
        there = {head.id for head in self._session.client.documents_by_id(sorted(numbers), fields=("id",))}
        return [pair for pair in pairs if {pair.subject, pair.finding.other} <= there]

    def decision_tags(self, document: RawDocument) -> list[str]:
        """The names of the decision tags on the document; with `dedupe:skip` if it contradicts them."""
        settings, present = self._settings, asked(self._session, [document])[str(document.id)]
        decisions = [name for name in present if name not in (settings.tag_keep, settings.tag_skip)]
        is_moved = bool(decisions) and decisions != [settings.tag_not_duplicate]
        return [*decisions, settings.tag_skip] if settings.tag_skip in present and is_moved else decisions

    def dismiss(self, document: RawDocument, pairs: Sequence[Pair], by: str = "") -> None:
        """Our tags, note and link are removed."""
        self._session.decisions.put(self.decision(pair, Kind.DISMISSED, by=by) for pair in pairs)
        self._unmark(document, pairs)
        for pair in pairs:
            self._report(f"{pair}: dismissed, not reported again")

    def confirm(self, document: RawDocument, pairs: Sequence[Pair], by: str = "") -> None:
        """Only the tags of the finding change: note, link and the tag of an older edition stay, and no finding has them
        any more. That the note is ours stays known (own_notes.py): `retract` removes it."""
        self._session.decisions.put(self.decision(pair, Kind.CONFIRMED, by=by) for pair in pairs)
        superseded = self._session.labels.known().tags.get(self._settings.tag_superseded)
        for pair in pairs:
            record = self._session.findings.get(pair.subject)
            rest = tuple(finding for finding in record.findings if finding.other != pair.finding.other)
            links, notes = record.links - {pair.finding.other}, record.notes if rest else ()
            for note in () if rest else record.notes:
                self._notes.record(pair.subject, note)
            tagged = frozenset(mark for mark in record.tagged if mark[1] != superseded)
            self._session.findings.put(
                [replace(record, findings=rest, tagged=tagged, links=links, notes=notes)]
            )
        self._unmark(document, pairs, add=(self._settings.tag_confirmed,))
        for pair in pairs:
            self._report(f"{pair}: confirmed, both are kept")

    def shows_strange_finding(self, document: RawDocument) -> bool:
        """True if there is a tag of a finding on it, or a link, that this index has neither written nor decided on."""
        labels, record = self._session.labels.known(), self._session.findings.get(document.id)
        own = {labels.tags.get(name) for name in (self._settings.tag_review, self._settings.tag_maybe)}
        tags = (own | labels.below_review) & set(document.tags)
        decided = {n for decision in self._session.decisions.about(document.id) for n in decision.pair}
        links = linked(document, labels.link_field) - record.links - decided
        return bool(tags - {tag for _, tag in record.tagged}) or bool(links)

    def finish(self, document: RawDocument) -> bool:
        """For a document without findings: removes the tag if the pair is decided already, by a tag on the other document
        or by a run that was killed just before its last write. False if the decision is about something else."""
        decided = self._session.decisions.about(document.id)
        if not decided or self.shows_strange_finding(document):
            return False
        is_confirmed = any(entry.kind is Kind.CONFIRMED for entry in decided)
        add = is_confirmed and self._settings.tag_confirm in self.decision_tags(document)
        names = (self._settings.tag_confirmed,) if add else ()
        unmark(self._session, document.id, (), add=names, remove=self.tag_ids(document))
        return True

    def decision(self, pair: Pair, kind: Kind, action: str = "", by: str = "", looked: int = 0) -> Decision:
        a, b = sorted((pair.subject, pair.finding.other))
        finding = pair.finding
        said = (finding.relation, finding.confidence, finding.reason, self._evidence(a, b))
        return Decision(a, b, kind, *said, action, now(), by, looked)

    def tag_ids(self, document: RawDocument) -> tuple[int, ...]:
        """The tags on the document that the user set for us, and that are of no use any more."""
        known = known_tags(self._session)
        return tuple(
            tag for name, tag in known.items() if tag in document.tags and name != self._settings.tag_skip
        )

    def _unmark(self, document: RawDocument, pairs: Sequence[Pair], add: tuple[str, ...] = ()) -> None:
        subjects = sorted({pair.subject for pair in pairs})
        for subject in subjects:
            decided = {pair.finding.other for pair in pairs if pair.subject == subject}
            record = self._session.findings.get(subject)
            rest = tuple(finding for finding in record.findings if finding.other not in decided)
            remove = self.tag_ids(document) if subject == document.id else ()
            unmark(self._session, subject, rest, add=add, remove=remove)
        if document.id not in subjects:
            self._session.client.modify_tags([document.id], remove=self.tag_ids(document))

    def _evidence(self, one: int, two: int) -> tuple[Observation, ...]:
        try:
            return self._session.archive.explain(one, two).evidence
        except NotIndexed:
            return ()


def unmark(
    session: Session,
    subject: int,
    rest: tuple[Finding, ...],
    *,
    add: Iterable[str] = (),
    remove: Iterable[int] = (),
    is_gone: bool = False,
) -> None:
    """Afterwards the subject shows only the findings in `rest`; the tags `add` and `remove` are changed with the
    same call. `is_gone`: it is in the trash, so only what we wrote on other documents is removed.

    Hold the writing lock.
    """
    record = session.findings.get(subject)
    plan = _plan(session, subject, record, rest, is_gone=is_gone)
    if is_gone:
        others = tuple(change for change in plan.tags if change.document != subject)
        if others:
            session.writer.apply([Plan(subject, record, others)])
        return
    own = next((change for change in plan.tags if change.document == subject), TagChange(subject))
    others = tuple(change for change in plan.tags if change is not own)
    applied = session.writer.apply([replace(plan, tags=others)])
    if applied.stopped:
        raise applied.stopped
    if applied.kept:
        session.examine_later(subject, applied.kept[subject])
    _change_own_tags(session, own, frozenset(add), frozenset(remove))


def _plan(
    session: Session, subject: int, record: Record, rest: tuple[Finding, ...], *, is_gone: bool
) -> Plan:
    head = RawDocument(subject) if is_gone else session.client.document(subject, fields=HEAD_FIELDS)
    examined = ExaminationResult(replace(head, content=""), rest, content_hash=record.content_hash)
    (made,) = session.writer.planned([examined])
    return made


def _change_own_tags(session: Session, own: TagChange, add: frozenset[str], remove: frozenset[int]) -> None:
    removing = own.remove | remove
    if not (own.add or add or removing):
        return
    documents = frozenset({own.document})
    tagged = change_tags(session.client, session.labels, own.add | add, removing, documents)
    if reason := tagged.failed.get(own.document):
        session.examine_later(own.document, reason)
        return
    record = session.findings.get(own.document)
    ours = session.labels.known().tags
    kept = {pair for pair in record.tagged if pair[0] != own.document or pair[1] not in removing}
    kept |= {(own.document, ours[name]) for name in own.add}
    session.findings.put([replace(record, tagged=frozenset(kept))])
