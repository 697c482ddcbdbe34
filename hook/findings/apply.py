"""Applies plans to Paperless: few calls for many documents, and a record of exactly what was written.

The process can be killed at any call. Tags and links are read before they are written, so writing them again
does no harm. A note is announced in its record before it is sent, and recognised by its text afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final

from hook import errors
from hook.findings.findings import Findings, Record, WrittenNote
from hook.findings.links import LinkWriter
from hook.findings.plan import Plan, TagChange, digest_of
from hook.findings.tagging import change_tags
from hook.paperless.client import Paperless
from hook.paperless.labels import Labels
from hook.paperless.values import Note
from hook.settings.types import Mark

BULK_EDITS_PER_PLAN: Final = 2  # each occupies Paperless's worker for about 5 s
# Errors of Paperless as a whole, not of one document: nothing more is tried in this run.
GENERAL: Final = (errors.TemporaryError, errors.AddressError, errors.TokenError)
_OF_ONE_DOCUMENT: Final = (errors.RefusedError, errors.RightsError, errors.AnswerError)
_PERCENTAGE: Final = re.compile(r"\d{1,3} ?%")


@dataclass(frozen=True, slots=True)
class Applied:
    """The result. `kept`: subjects with writes left for the next run, and why; `stopped`: the error that ended it."""

    written: tuple[int, ...] = ()
    gone: frozenset[int] = frozenset()
    kept: dict[int, str] = field(default_factory=dict)
    bulk_edits: int = 0
    stopped: errors.PaperlessError | None = None

    def __add__(self, more: Applied) -> Applied:
        return Applied(
            self.written + more.written,
            self.gone | more.gone,
            {**self.kept, **more.kept},
            self.bulk_edits + more.bulk_edits,
            more.stopped,
        )


def apply(plans: Sequence[Plan], client: Paperless, findings: Findings, labels: Labels) -> Applied:
    """Hold the writing lock. Tags first, since users filter by them; then links; then notes."""
    run = _Run([plan for plan in plans if plan], client, findings, labels)
    stopped: errors.PaperlessError | None = None
    try:
        if any(plans):
            _claim(labels)
        run.change_tags(run.groups(of_subjects=True))
        run.change_links()
        run.change_tags(run.groups(of_subjects=False))
        run.change_notes()
    except GENERAL as error:
        stopped = error
        run.keep_rest(error)
    finally:
        findings.put([*(plan.record for plan in plans if not plan), *run.records()])
    return Applied(run.written(), frozenset(run.gone), run.kept, run.bulk_edits, stopped)


def _claim(labels: Labels) -> None:
    """Without the right to change tags, the id of the index is kept nowhere: a second index is not noticed."""
    with suppress(errors.RefusedError, errors.RightsError, errors.NotFoundError):
        labels.claim()


class _Run:
    """The plans being applied, the writes that are left of each, and their records so far."""

    def __init__(self, plans: Sequence[Plan], client: Paperless, findings: Findings, labels: Labels) -> None:
        self._plans = {plan.subject: plan for plan in plans}
        self._client, self._findings, self._labels = client, findings, labels
        self._records = {plan.subject: plan.record for plan in plans}
        self._tags: set[tuple[int, TagChange]] = {(p.subject, change) for p in plans for change in p.tags}
        self._links = {plan.subject for plan in plans if plan.link or plan.unlink}
        self._notes = {plan.subject for plan in plans if plan.note is not None}
        self._touched: set[int] = set()
        self.gone: set[int] = set()
        self.kept: dict[int, str] = {}
        self.bulk_edits = 0

    def records(self) -> list[Record]:
        return [record for subject, record in self._records.items() if subject not in self.gone]

    def written(self) -> tuple[int, ...]:
        return tuple(sorted(self._touched))

    def keep_rest(self, error: errors.PaperlessError) -> None:
        """All writes that are left are kept for the next run."""
        for subject in {subject for subject, _ in self._tags} | self._links | self._notes:
            self._keep(subject, str(error))

    def groups(self, *, of_subjects: bool) -> list[list[tuple[int, TagChange]]]:
        """Changes that one call can make together; of subjects, or all that are left."""
        groups: dict[tuple[frozenset[str], frozenset[int]], list[tuple[int, TagChange]]] = {}
        for subject, change in sorted(self._tags, key=lambda entry: (entry[1].document, entry[0])):
            groups.setdefault((change.add, change.remove), []).append((subject, change))
        made = groups.values()
        if of_subjects:
            return [group for group in made if any(subject == c.document for subject, c in group)]
        return list(made)

    def change_tags(self, groups: Iterable[list[tuple[int, TagChange]]]) -> None:
        for group in groups:
            if self.bulk_edits >= BULK_EDITS_PER_PLAN * len(self._plans):
                for subject, _ in group:
                    self._keep(subject, "the other documents are tagged in the next run")
                continue
            self._change_tags(group)
            self._tags.difference_update(group)

    def _change_tags(self, group: list[tuple[int, TagChange]]) -> None:
        change = group[0][1]
        documents = frozenset(entry.document for _, entry in group) - self.gone
        tagged = change_tags(self._client, self._labels, change.add, change.remove, documents)
        self.bulk_edits += tagged.bulk_edits
        self.gone |= tagged.gone & self._plans.keys()
        for subject, entry in group:
            if entry.document in tagged.done:
                self._tagged(subject, entry, tagged.added)
            elif reason := tagged.failed.get(entry.document):
                self._keep(subject, reason)

    def _tagged(self, subject: int, change: TagChange, added: frozenset[int]) -> None:
        record = self._records[subject]
        removed = {(change.document, tag) for tag in change.remove}
        ours = {(change.document, tag) for tag in added}
        self._records[subject] = replace(record, tagged=(record.tagged - removed) | ours)
        self._touched.add(subject)

    def change_links(self) -> None:
        for subject in sorted(self._links - self.gone):
            self._attempt(subject, Mark.LINK)
            self._links.discard(subject)

    def change_notes(self) -> None:
        self._announce_notes()
        for subject in sorted(self._notes - self.gone):
            self._attempt(subject, Mark.NOTE)
            self._notes.discard(subject)

    def _attempt(self, subject: int, mark: Mark) -> None:
        try:
            (self._change_link if mark is Mark.LINK else self._change_note)(self._plans[subject])
            self._touched.add(subject)
        except errors.NotFoundError:
            self.gone.add(subject)  # deleted since we read it
        except _OF_ONE_DOCUMENT as error:
            self._keep(subject, str(error))

    def _change_link(self, plan: Plan) -> None:
        field_id = self._labels.ensure_field()
        if field_id is None:
            return
        try:
            self._write_links(plan, field_id)
        except errors.RefusedError:
            self._labels.renew()  # a user deleted the field: create it again
            renewed = self._labels.ensure_field()
            if renewed in (None, field_id):
                raise
            self._write_links(plan, renewed)

    def _write_links(self, plan: Plan, field_id: int) -> None:
        writer = LinkWriter(self._client, field_id, sparing=len(self._plans) > 1)
        record = self._records[plan.subject]
        try:
            if plan.unlink:
                writer.remove(plan.subject, plan.unlink)
                record = replace(record, links=record.links - plan.unlink)
            if plan.link:
                record = replace(record, links=record.links | writer.add(plan.subject, plan.link))
        finally:
            self.bulk_edits += writer.bulk_edits
            self._records[plan.subject] = replace(record, link_field=field_id if record.links else None)

    def _announce_notes(self) -> None:
        """On disk before any of them is sent."""
        due = self._notes - self.gone
        for subject in due:
            text, record = self._plans[subject].note, self._records[subject]
            if text and digest_of(text) not in [note.digest for note in record.notes]:
                notes = (*record.notes, WrittenNote(digest_of(text)))
                self._records[subject] = replace(record, notes=notes)
        self._findings.put(self._records[subject] for subject in sorted(due))

    def _change_note(self, plan: Plan) -> None:
        record = self._records[plan.subject]
        notes = replace_note(self._client, plan.subject, plan.note or "", record.notes)
        self._records[plan.subject] = replace(record, notes=notes)

    def _keep(self, subject: int, reason: str) -> None:
        if subject not in self.gone:
            self.kept.setdefault(subject, reason)


def replace_note(
    client: Paperless, subject: int, text: str, ours: Sequence[WrittenNote]
) -> tuple[WrittenNote, ...]:
    """Afterwards `text` is our only note on the subject, or there is none if it is empty; returns the record.

    `ours` includes this text if it is not empty: a run that was killed may have sent it. Notes of users stay.
    """
    before = client.notes(subject)
    mine = [note for note in before if is_ours(note, ours)] or _left_behind(before, ours, text)
    present = [note for note in mine if text and digest_of(note.text) == digest_of(text)][:1]
    for note in mine:
        if note not in present:
            with suppress(errors.NotFoundError):  # a user deleted it first
                client.delete_note(subject, note.id)
    if text and not present:
        present = _added(before, client.add_note(subject, text), digest_of(text))
    return tuple(WrittenNote(digest_of(text), note.id) for note in present)


def _left_behind(notes: Sequence[Note], ours: Sequence[WrittenNote], text: str) -> list[Note]:
    """Of a lost index, of which nothing is recorded: the same note, perhaps with another percentage. The archive has grown
    since it was written, so the same pair is a little more or less sure."""
    if not text or any(known.id is not None for known in ours):
        return []
    wanted = _without_percentage(text)
    return [note for note in notes if _without_percentage(note.text) == wanted][:1]


def _without_percentage(text: str) -> str:
    return _PERCENTAGE.sub("%", text.replace("\r\n", "\n").strip())


def is_ours(note: Note, ours: Sequence[WrittenNote]) -> bool:
    """By id and text: a user may have written the same text, and after a database was restored from a backup
    an id of ours can belong to another note."""
    digest = digest_of(note.text)
    return any(known.digest == digest and known.id in (None, note.id) for known in ours)


def _added(before: Sequence[Note], after: Sequence[Note], digest: str) -> list[Note]:
    known = {note.id for note in before}
    new = [note for note in after if note.id not in known]
    return [note for note in new if digest_of(note.text) == digest][-1:] or new[-1:]
