"""Takes back everything of ours from the documents: notes, links, tags. Planned first, then done; can be repeated.

Ours is what our records say, and what has a name that we alone use. A tag or a link field that was there before us stays,
and so does a field with links that we did not make. A note without a record stays, unless the person asks for its removal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from hook.batching import batched
from hook.errors import DedupeError, NotFoundError, RightsError
from hook.findings.apply import is_ours
from hook.findings.findings import Record, WrittenNote
from hook.findings.links import LinkWriter
from hook.findings.plan import digest_of, linked
from hook.findings.wording import HIDDEN, many
from hook.language.names import NOTE, VIEW_NAME
from hook.language.translate import in_every_language
from hook.paperless import webhooks
from hook.paperless.values import Note
from hook.review.journal import Journal, StepKind
from hook.review.kept.kept_decisions import decisions_in_paperless
from hook.review.kept.own_notes import OwnNotes
from hook.session import Session
from hook.settings.types import RELATIONS

TOGETHER: Final = 250  # documents per call

Label = tuple[str, int, str]  # a saved view, a workflow, a tag or the link field: kind in the API, id, name
# The texts of our notes: they begin with what is before the first value, in any language.
_TEXTS: Final = (
    *(NOTE, HIDDEN, "Not done: {goal}."),
    'Kept this document. #{other} "{title}" was moved to the trash.',
)
_UNDO: Final = "`paperless-dedupe undo "  # at the end of every summary of a merge
_SHORTEST: Final = 5  # characters by which a note of the template can be told from one of a person


@dataclass(frozen=True, slots=True)
class Retraction:
    """What will be done. `labels` are to be deleted from all documents, `untag` only from these; `stays` says what is kept, and
    why."""

    notes: tuple[tuple[int, int], ...] = ()
    links: tuple[tuple[int, frozenset[int]], ...] = ()
    untag: tuple[tuple[int, str, tuple[int, ...]], ...] = ()
    labels: tuple[Label, ...] = ()
    stays: tuple[str, ...] = ()

    def named(self, kind: str) -> list[str]:
        return [name for labelled, _, name in self.labels if labelled == kind]


def plan_retraction(session: Session, *, lost_index: bool, unrecorded_notes: bool) -> Retraction:
    """Without the index, and for notes in our words, what has no record is taken for ours, too."""
    if Journal(session.archive.index).open():
        raise DedupeError("a decision is being carried out: run `paperless-dedupe backfill --sync` first")
    labels = session.labels.renew()
    planner = _Planner(session, lost_index=lost_index, unrecorded_notes=unrecorded_notes)
    tags, untag = planner.tags()
    links, field = planner.links()
    gone = (*planner.beside(), *tags, *field)
    problem = [labels.problem] if labels.problem else []
    return Retraction(planner.notes(), links, untag, gone, (*planner.stays, *problem))


def retract(session: Session, plan: Retraction) -> None:
    """Hold the writing lock. Our own records go last: a run that was killed can be repeated."""
    client = session.client
    for document, note in plan.notes:
        with suppress(NotFoundError):
            client.delete_note(document, note)
    for document, others in plan.links:
        known = session.labels.known().link_field
        if known is not None:
            with suppress(NotFoundError):
                LinkWriter(client, known).remove(document, others)
    for tag, _, documents in plan.untag:
        for some in batched(documents, TOGETHER):
            client.modify_tags(some, remove=[tag])
    for kind, number, _ in plan.labels:
        with suppress(NotFoundError):  # a tag went with its parent
            client.delete_label(kind, number)
    session.findings.put([Record(record.subject) for record in list(session.findings)])
    OwnNotes(client, session.archive.index).forget_all()
    session.labels.forget()


def described(plan: Retraction) -> list[str]:
    lines = []
    if plan.notes:
        documents = {document for document, _ in plan.notes}
        lines.append(f"notes: {len(plan.notes)} on {many(len(documents), 'document')}")
    if plan.links:
        lines.append(f"links: on {many(len(plan.links), 'document')}")
    lines += [f'custom field: "{name}" with all its links' for name in plan.named("custom_fields")]
    if tags := plan.named("tags"):
        lines.append(f"tags: {', '.join(tags)}")
    lines += [
        f"tag {name}: removed from {many(len(documents), 'document')}" for _, name, documents in plan.untag
    ]
    lines += [f'saved view: "{name}"' for name in plan.named("saved_views")]
    lines += [f'workflow: "{name}"' for name in plan.named("workflows")]
    return lines + [f"stays: {why}" for why in plan.stays]


class _Planner:
    """`stays` says what is not removed, and why."""

    def __init__(self, session: Session, *, lost_index: bool, unrecorded_notes: bool) -> None:
        self._session, self._client, self._settings = session, session.client, session.settings
        self._lost_index, self._unrecorded_notes = lost_index, unrecorded_notes
        self._known = session.labels.known()
        self._own_notes = OwnNotes(session.client, session.archive.index)
        self._records = {record.subject: record for record in session.findings}
        self._touched = self._documents()
        self.stays: list[str] = []

    def _documents(self) -> list[int]:
        """Those that may have something of ours on them, as far as they are there."""
        numbers = set(self._records)
        numbers.update(document for record in self._records.values() for document, _ in record.tagged)
        numbers.update(number for decision in self._session.decisions for number in decision.pair)
        operations = Journal(self._session.archive.index)
        numbers.update(number for entry in operations for number in (entry.kept, entry.loser))
        numbers.update(number for number, _ in self._own_notes.all())
        numbers.update(self._tagged(self._known.tags.values()))
        if (field := self._known.link_field) is not None:
            numbers.update(self._client.document_ids(custom_fields__id__all=[field]))
        there = [self._client.document_ids(id__in=some) for some in batched(sorted(numbers), TOGETHER)]
        return sorted({number for some in there for number in some})

    def _tagged(self, tags: Iterable[int]) -> set[int]:
        wanted = sorted(tags)
        return set(self._client.document_ids(tags__id__in=wanted)) if wanted else set()

    def beside(self) -> tuple[Label, ...]:
        """Saved views that filter by our tag, and our workflows."""
        tag, names = self._known.tags.get(self._settings.tag_review), in_every_language(VIEW_NAME)
        views = [view for view in self._client.saved_views() if view.name in names and view.filters_on(tag)]
        try:
            workflows = list(webhooks.ours(self._client).values())
        except RightsError:
            workflows = []
            self.stays.append("workflows: the token's user may not see them")
        named = [("saved_views", view.id, view.name) for view in views]
        return (*named, *(("workflows", workflow.id, workflow.name) for workflow in workflows))

    # Notes

    def notes(self) -> tuple[tuple[int, int], ...]:
        """By document and id; those that only read like ours stay."""
        recorded, user = self._recorded(), self._our_user()
        texts = [text for each in _TEXTS for text in in_every_language(each)]
        beginnings = tuple(start for text in texts if len(start := text.partition("{")[0]) >= _SHORTEST)
        ours, alike = [], []
        for document, notes in self._noted():
            for note in notes:
                is_alike = user is not None and note.user_id == user and _is_worded(note, beginnings)
                if is_ours(note, recorded.get(document, ())) or (is_alike and self._unrecorded_notes):
                    ours.append((document, note.id))
                elif is_alike:
                    alike.append(document)
        if alike:
            shown = ", ".join(f"#{number}" for number in alike[:5]) + (", ..." if alike[5:] else "")
            self.stays.append(
                f"{many(len(alike), 'note')} worded like ours, but not recorded (on {shown}): --unrecorded-notes removes them"
            )
        return tuple(ours)

    def _noted(self) -> Iterator[tuple[int, tuple[Note, ...]]]:
        """The documents with their notes. Paperless has no filter for the text of notes, and nothing else may be left that
        shows where ours are: for notes without a record, all documents are read, 250 a call."""
        if self._unrecorded_notes:
            everything = self._client.document_ids()
            for document in self._client.documents_by_id(everything, fields=("id", "notes")):
                yield document.id, document.notes
            return
        for number in self._touched:
            yield number, self._notes_on(number)

    def _recorded(self) -> dict[int, list[WrittenNote]]:
        """By document: the notes of findings, of refusals, and those that say what became of two documents."""
        recorded = {number: list(record.notes) for number, record in self._records.items()}
        for number, notes in self._own_notes.all():
            recorded.setdefault(number, []).extend(notes)
        for step in (step for entry in Journal(self._session.archive.index) for step in entry.steps):
            if step.kind is StepKind.ADD_NOTE and "quote" not in step.values and "text" in step.values:
                written = WrittenNote(digest_of(step.values["text"]), step.values.get("note"))
                recorded.setdefault(step.document, []).append(written)
        return recorded

    def _notes_on(self, document: int) -> tuple[Note, ...]:
        try:
            return self._client.notes(document)
        except NotFoundError:
            return ()

    def _our_user(self) -> int | None:
        try:
            return self._client.server_info().user_id
        except RightsError:
            return None

    # Tags

    def tags(self) -> tuple[tuple[Label, ...], tuple[tuple[int, str, tuple[int, ...]], ...]]:
        """Those to be deleted; and those that were there before us, with the documents on which we set them."""
        known, review = self._known, self._known.tags.get(self._settings.tag_review)
        ours = set(known.tags.values())
        strangers = known.below_review - ours
        delete, untag = list[Label](), list[tuple[int, str, tuple[int, ...]]]()
        for tag in sorted(ours):
            name = known.names[tag]
            if tag == review and strangers:
                self.stays.append(f"tag {name}: {known.names[min(strangers)]} is below it and is not ours")
            elif self._session.labels.was_created(tag):
                delete.append(("tags", tag, name))
            else:
                set_by_us = {n for record in self._records.values() for n, t in record.tagged if t == tag}
                documents = tuple(sorted(set_by_us & self._tagged([tag])))
                untag += [(tag, name, documents)] if documents else []
                self.stays.append(f"tag {name}: it was there before")
        nested = {known.tags.get(self._settings.tag_for(relation)) for relation in RELATIONS}
        delete.sort(key=lambda label: (label[1] not in nested, label[1]))  # a parent takes its children along
        return tuple(delete), tuple(untag)

    # Links

    def links(self) -> tuple[tuple[tuple[int, frozenset[int]], ...], tuple[Label, ...]]:
        """Either the field can be deleted, or our links are removed from it one by one."""
        number = self._known.link_field
        if number is None:
            return (), ()
        is_our_link = self._our_links()
        heads = self._client.documents_by_id(self._touched, fields=("id", "custom_fields"))
        linking = {head.id: linked(head, number) for head in heads}
        ours = {
            n: frozenset(other for other in others if is_our_link(n, other)) for n, others in linking.items()
        }
        foreign = [document for document, others in linking.items() if others - ours[document]]
        name = next((f.name for f in self._client.custom_fields() if f.id == number), f"#{number}")
        if self._session.labels.was_field_created(number) and not foreign:
            return (), (("custom_fields", number, name),)
        why = f"#{foreign[0]} has links in it that are not ours" if foreign else "it was there before"
        self.stays.append(f'custom field "{name}": {why}')
        return tuple((document, others) for document, others in sorted(ours.items()) if others), ()

    def _our_links(self) -> Callable[[int, int], bool]:
        """What was confirmed keeps its link, without a record; Paperless links both ways."""
        pairs = {frozenset((r.subject, other)) for r in self._records.values() for other in r.links}
        pairs |= {frozenset(decision.pair) for decision in self._session.decisions}
        marked = set[int]()
        if self._lost_index:
            pairs |= {frozenset(decision.pair) for decision in decisions_in_paperless(self._session)}
            tags, settings = self._known.tags, self._settings
            names = {settings.tag_review, settings.tag_maybe, settings.tag_confirmed}
            names.update(map(settings.tag_for, RELATIONS))
            marked = self._tagged(tags[name] for name in names if name in tags)
        return lambda one, two: frozenset((one, two)) in pairs or bool({one, two} & marked)


def _is_worded(note: Note, beginnings: tuple[str, ...]) -> bool:
    """A copy of a person's note begins with "Note on #", and stays."""
    return note.text.startswith(beginnings) or _UNDO in note.text
