"""Applies plans to Paperless: few calls for many documents, and a record of exactly what was written.

The process can be killed at any call. Tags and links are read before they are written, so writing them again
does no harm. A note is announced in its record before it is sent, and recognised by its text afterwards.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from hook import errors
from hook.batching import in_halves
from hook.findings.findings import Findings, WrittenNote
from hook.findings.links import LinkWriter
from hook.findings.plan import Plan, TagChange, digest_of
from hook.paperless.client import Paperless
from hook.paperless.labels import Labels
from hook.paperless.values import Note

# Errors of Paperless as a whole, not of one document: nothing more is tried in this run.
GENERAL: Final = (errors.TemporaryError, errors.AddressError, errors.TokenError)
_OF_ONE_DOCUMENT: Final = (errors.RefusedError, errors.RightsError, errors.AnswerError)
_PERCENTAGE: Final = re.compile(r"\d{1,3} ?%")


@dataclass(slots=True)
class Applied:
    """The result. `kept`: subjects with writes left for the next run, and why; `stopped`: the error that ended it."""

    written: set[int] = field(default_factory=set)
    gone: set[int] = field(default_factory=set)
    kept: dict[int, str] = field(default_factory=dict)
    bulk_edits: int = 0
    stopped: errors.PaperlessError | None = None

    def keep(self, subjects: Iterable[int], reason: object) -> None:
        """For the next run."""
        for subject in set(subjects) - self.gone:
            self.kept.setdefault(subject, str(reason))


def apply(
    plans: Sequence[Plan], client: Paperless, findings: Findings, labels: Labels, into: Applied
) -> None:
    """Hold the writing lock. Tags first, since users filter by them; then links; then notes. The result is added to `into`."""
    run = _Run([plan for plan in plans if plan], client, findings, labels, into)
    writes = list(run.writes())
    try:
        # Without the right to change tags, the id of the index is kept nowhere: a second index is not noticed.
        with suppress(errors.RefusedError, errors.RightsError, errors.NotFoundError):
            if writes:
                labels.claim()
        while writes:
            writes[0][1]()
            del writes[0]
    except GENERAL as error:
        into.stopped = error
        for subjects, _ in writes:
            into.keep(subjects, error)
    finally:
        records = [record for subject, record in run.records.items() if subject not in into.gone]
        findings.put([*(plan.record for plan in plans if not plan), *records])


Write = tuple[frozenset[int], Callable[[], None]]  # the subjects that it is for


class _Run:
    """The plans being applied, and their records so far."""

    def __init__(
        self, plans: Sequence[Plan], client: Paperless, findings: Findings, labels: Labels, into: Applied
    ) -> None:
        self._plans = {plan.subject: plan for plan in plans}
        self._client, self._findings, self._labels, self._applied = client, findings, labels, into
        self.records = {plan.subject: plan.record for plan in plans}

    def writes(self) -> Iterator[Write]:
        """In order: tags of the subjects, links, tags of other documents, notes."""
        plans = [self._plans[subject] for subject in sorted(self._plans)]
        groups: dict[object, list[tuple[int, TagChange]]] = {}  # changes that one call can make together
        for change, plan in sorted(((c, p) for p in plans for c in p.tags), key=lambda e: e[0].document):
            groups.setdefault((change.add, change.remove), []).append((plan.subject, change))
        own, others = list[Write](), list[Write]()
        for group in groups.values():
            is_own = any(subject == change.document for subject, change in group)
            subjects = frozenset(subject for subject, _ in group)
            (own if is_own else others).append((subjects, partial(self._change_tags, group)))
        yield from own
        yield from (
            (frozenset({p.subject}), partial(self._attempt, self._change_link, p))
            for p in plans
            if p.link or p.unlink
        )
        yield from others
        noted = [plan for plan in plans if plan.note is not None]
        if noted:
            yield frozenset(plan.subject for plan in noted), partial(self._announce_notes, noted)
        yield from (
            (frozenset({plan.subject}), partial(self._attempt, self._change_note, plan)) for plan in noted
        )

    def _attempt(self, act: Callable[[Plan], None], plan: Plan) -> None:
        if plan.subject in self._applied.gone:
            return
        try:
            act(plan)
            self._applied.written.add(plan.subject)
        except errors.NotFoundError:
            self._applied.gone.add(plan.subject)  # deleted since we read it
        except _OF_ONE_DOCUMENT as error:
            self._applied.keep([plan.subject], error)

    def _change_tags(self, group: Sequence[tuple[int, TagChange]]) -> None:
        change = group[0][1]
        documents = frozenset(entry.document for _, entry in group) - self._applied.gone
        tagged = change_tags(self._client, self._labels, change.add, change.remove, documents)
        self._applied.bulk_edits += tagged.bulk_edits
        self._applied.gone |= tagged.gone & self._plans.keys()
        for subject, entry in group:
            if entry.document in tagged.done:
                record = self.records[subject]
                removed = {(entry.document, tag) for tag in entry.remove}
                added = {(entry.document, tag) for tag in tagged.added}
                self.records[subject] = replace(record, tagged=(record.tagged - removed) | added)
                self._applied.written.add(subject)
            elif reason := tagged.failed.get(entry.document):
                self._applied.keep([subject], reason)

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
        record = self.records[plan.subject]
        try:
            if plan.unlink:
                writer.remove(plan.subject, plan.unlink)
                record = replace(record, links=record.links - plan.unlink)
            if plan.link:
                record = replace(record, links=record.links | writer.add(plan.subject, plan.link))
        finally:
            self._applied.bulk_edits += writer.bulk_edits
            self.records[plan.subject] = replace(record, link_field=field_id if record.links else None)

    def _announce_notes(self, plans: Iterable[Plan]) -> None:
        """On disk before any of them is sent."""
        due = [plan for plan in plans if plan.subject not in self._applied.gone]
        for plan in due:
            text, record = plan.note, self.records[plan.subject]
            if text and digest_of(text) not in [note.digest for note in record.notes]:
                notes = (*record.notes, WrittenNote(digest_of(text)))
                self.records[plan.subject] = replace(record, notes=notes)
        self._findings.put(self.records[plan.subject] for plan in due)

    def _change_note(self, plan: Plan) -> None:
        record = self.records[plan.subject]
        notes = replace_note(self._client, plan.subject, plan.note or "", record.notes)
        self.records[plan.subject] = replace(record, notes=notes)


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


@dataclass(slots=True)
class Tagged:
    """The result: the tags that were added, and for each document whether it is done, deleted, or why not."""

    added: frozenset[int] = frozenset()
    done: set[int] = field(default_factory=set)
    gone: frozenset[int] = frozenset()
    failed: dict[int, str] = field(default_factory=dict)
    bulk_edits: int = 0


def change_tags(
    client: Paperless, labels: Labels, add: frozenset[str], remove: frozenset[int], documents: frozenset[int]
) -> Tagged:
    """Adds tags by name, creating those that are missing, and removes tags by id.

    Paperless refuses the whole call for one tag or document that was deleted in the meantime, or for one document that
    the token's user may not change: then without what is gone, and in halves around what may not be changed.
    """
    try:
        added = frozenset(labels.ensure(add).values())
        client.modify_tags(documents, add=added, remove=remove)
        return Tagged(added, set(documents), bulk_edits=1)
    except (errors.RefusedError, errors.RightsError):
        live = documents & frozenset(client.document_ids(id__in=sorted(documents)))
    try:
        remove &= labels.renew().names.keys()
        added = frozenset(labels.ensure(add).values())
    except (errors.RefusedError, errors.RightsError) as error:
        return Tagged(gone=documents - live, failed=dict.fromkeys(live, str(error)))

    tagged = Tagged(added, gone=documents - live)

    def attempt(some: Sequence[int]) -> None:
        try:
            if added or remove:
                client.modify_tags(some, add=added, remove=remove)
                tagged.bulk_edits += 1
            tagged.done.update(some)
        except errors.RefusedError as error:
            tagged.failed.update(dict.fromkeys(some, str(error)))

    def alone(document: int, error: errors.RightsError) -> None:
        tagged.failed[document] = str(error)

    deque(in_halves(sorted(live), attempt, alone, errors.RightsError), maxlen=0)
    return tagged
