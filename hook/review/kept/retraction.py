"""Takes back everything of ours from the documents: notes, links, tags. Planned first, then done; can be repeated.

Ours is what our records say, and what has a name that we alone use. A tag or a link field that was there before us stays,
and so does a field with links that we did not make. A note without a record stays, unless the person asks for its removal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
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
from hook.language.names import NOTE_TEMPLATE, VIEW_NAME
from hook.language.translate import in_every_language
from hook.paperless import webhooks
from hook.paperless.values import Note
from hook.review.journal import Journal, StepKind
from hook.review.kept.kept_decisions import decisions_in_paperless
from hook.review.kept.own_notes import OwnNotes
from hook.session import Session
from hook.settings.types import RELATIONS

TOGETHER: Final = 250  # documents per call
# The texts of our notes: they begin with what is before the first value, in any language.
_TEXTS: Final = (
    *(NOTE_TEMPLATE, HIDDEN, "Not done: {goal}.", "Not done."),
    'Kept this document. #{other} "{title}" was moved to the trash.',
)
_UNDO: Final = "`paperless-dedupe undo "  # at the end of every summary of a merge
_SHORTEST: Final = 5  # characters by which a note of the template can be told from one of a person


@dataclass(frozen=True, slots=True)
class Retraction:
    """What will be done. `kept` are labels that stay, and why."""

    notes: tuple[tuple[int, int], ...] = ()
    links: tuple[tuple[int, frozenset[int]], ...] = ()
    tags: tuple[tuple[int, str], ...] = ()  # to be deleted: documents lose them
    untag: tuple[tuple[int, str, tuple[int, ...]], ...] = ()  # to be removed from these documents only
    link_field: tuple[int, str] | None = None  # to be deleted, with all links in it
    beside: tuple[tuple[str, int, str], ...] = ()  # saved views and workflows: kind, id, name
    kept: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Recognised:
    """What is taken for ours without a record of it: if the index is lost, and notes in our words."""

    lost_index: bool = False
    notes: bool = False


def plan_retraction(session: Session, by: Recognised) -> Retraction:
    if Journal(session.archive.index).open():
        raise DedupeError("a decision is being carried out: run `paperless-dedupe backfill --sync` first")
    labels = session.labels.renew()
    records = {record.subject: record for record in session.findings}
    touched = _touched(session, records)
    tags, untag, kept = _tags(session, records.values())
    links, link_field, why = _links(session, _our_links(session, records, by), touched)
    notes, unrecorded = _notes(session, records, sorted(touched), by)
    beside, unseen = _beside(session)
    return Retraction(
        tuple(notes),
        links,
        tags,
        untag,
        None if link_field is None else (link_field, _field_name(session, link_field)),
        beside,
        (*kept, *why, *unseen, *_unrecorded(unrecorded), *([labels.problem] if labels.problem else [])),
    )


def retract(session: Session, plan: Retraction) -> None:
    """Hold the writing lock. Our own records go last: a run that was killed can be repeated."""
    client = session.client
    for kind, number, _ in plan.beside:
        with suppress(NotFoundError):
            client.delete_label(kind, number)
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
    for tag, _ in plan.tags:
        with suppress(NotFoundError):  # it went with its parent
            client.delete_label("tags", tag)
    if plan.link_field is not None:
        with suppress(NotFoundError):
            client.delete_label("custom_fields", plan.link_field[0])
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
    if plan.link_field is not None:
        lines.append(f'custom field: "{plan.link_field[1]}" with all its links')
    if plan.tags:
        lines.append(f"tags: {', '.join(name for _, name in plan.tags)}")
    lines += [
        f"tag {name}: removed from {many(len(documents), 'document')}" for _, name, documents in plan.untag
    ]
    lines += [f'{kind.replace("_", " ").removesuffix("s")}: "{name}"' for kind, _, name in plan.beside]
    return lines + [f"stays: {why}" for why in plan.kept]


def _beside(session: Session) -> tuple[tuple[tuple[str, int, str], ...], list[str]]:
    """Saved views that filter by our tag, and our workflows; and why some are not known."""
    tag = session.labels.known().tags.get(session.settings.tag_review)
    names = in_every_language(VIEW_NAME)
    views = [view for view in session.client.saved_views() if view.name in names and view.filters_on(tag)]
    found = [("saved_views", view.id, view.name) for view in views]
    try:
        workflows = webhooks.ours(session.client).values()
    except RightsError:
        return tuple(found), ["workflows: the token's user may not see them"]
    return (*found, *(("workflows", workflow.id, workflow.name) for workflow in workflows)), []


def _touched(session: Session, records: dict[int, Record]) -> set[int]:
    """The documents that may have something of ours on them, as far as they are there."""
    found = set(records) | {document for record in records.values() for document, _ in record.tagged}
    found |= {number for one in session.decisions for number in (one.a, one.b)}
    found |= {number for one in Journal(session.archive.index) for number in (one.kept, one.loser)}
    found |= {number for number, _ in OwnNotes(session.client, session.archive.index).all()}
    known = session.labels.known()
    if known.tags:
        found |= set(session.client.document_ids(tags__id__in=sorted(known.tags.values())))
    if known.link_field is not None:
        found |= set(session.client.document_ids(custom_fields__id__all=[known.link_field]))
    there = [session.client.document_ids(id__in=some) for some in batched(sorted(found), TOGETHER)]
    return {number for some in there for number in some}


# Notes


def _notes(
    session: Session, records: dict[int, Record], documents: Iterable[int], by: Recognised
) -> tuple[list[tuple[int, int]], list[int]]:
    """Notes to remove, by document and id; and the documents of those that only read like ours, and stay."""
    recorded, user = _recorded(session, records), _our_user(session)
    texts = (session.settings.note_template, *(text for known in _TEXTS for text in in_every_language(known)))
    beginnings = tuple(start for text in texts if len(start := text.partition("{")[0]) >= _SHORTEST)
    found, alike = [], []
    for document in documents:
        for note in _notes_on(session, document):
            is_alike = user is not None and note.user_id == user and _is_worded(note, beginnings)
            if is_ours(note, recorded.get(document, ())) or (is_alike and by.notes):
                found.append((document, note.id))
            elif is_alike:
                alike.append(document)
    return found, alike


def _recorded(session: Session, records: dict[int, Record]) -> dict[int, list[WrittenNote]]:
    """By document: the notes of findings, of refusals, and those that say what became of two documents."""
    index = session.archive.index
    found = {number: list(record.notes) for number, record in records.items()}
    for number, notes in OwnNotes(session.client, index).all():
        found.setdefault(number, []).extend(notes)
    for step in (step for operation in Journal(index) for step in operation.steps):
        if step.kind is StepKind.ADD_NOTE and "quote" not in step.values and "text" in step.values:
            written = WrittenNote(digest_of(step.values["text"]), step.values.get("note"))
            found.setdefault(step.document, []).append(written)
    return found


def _unrecorded(documents: list[int]) -> list[str]:
    if not documents:
        return []
    shown = ", ".join(f"#{number}" for number in documents[:5]) + (", ..." if documents[5:] else "")
    return [
        f"{many(len(documents), 'note')} worded like ours, but not recorded (on {shown}): --unrecorded-notes removes them"
    ]


def _notes_on(session: Session, document: int) -> tuple[Note, ...]:
    try:
        return session.client.notes(document)
    except NotFoundError:
        return ()


def _our_user(session: Session) -> int | None:
    try:
        return session.client.server_info().user_id
    except RightsError:
        return None


def _is_worded(note: Note, beginnings: tuple[str, ...]) -> bool:
    """A copy of a person's note begins with "Note on #", and stays."""
    return note.text.startswith(beginnings) or _UNDO in note.text


# Tags


def _tags(
    session: Session, records: Iterable[Record]
) -> tuple[tuple[tuple[int, str], ...], tuple[tuple[int, str, tuple[int, ...]], ...], list[str]]:
    labels, known = session.labels, session.labels.known()
    review = known.tags.get(session.settings.tag_review)
    ours = set(known.tags.values())
    strangers = known.below_review - ours
    delete, untag, kept = [], [], []
    tagged = [pair for record in records for pair in record.tagged]
    for tag in sorted(ours):
        name = known.names[tag]
        if tag == review and strangers:
            kept.append(f"tag {name}: {known.names[min(strangers)]} is below it and is not ours")
        elif labels.was_created(tag):
            delete.append((tag, name))
        else:
            there = set(session.client.document_ids(tags__id__in=[tag]))
            documents = tuple(sorted({document for document, one in tagged if one == tag} & there))
            untag += [(tag, name, documents)] if documents else []
            kept.append(f"tag {name}: it was there before")
    nested = {known.tags.get(session.settings.tag_for(relation)) for relation in RELATIONS}
    delete.sort(key=lambda entry: (entry[0] not in nested, entry[0]))  # a parent takes its children along
    return tuple(delete), tuple(untag), kept


# Links


def _links(
    session: Session, ours: Callable[[int, int], bool], documents: set[int]
) -> tuple[tuple[tuple[int, frozenset[int]], ...], int | None, list[str]]:
    """Either the field can be deleted, or our links are removed from it one by one."""
    number = session.labels.known().link_field
    if number is None:
        return (), None, []
    heads = list(session.client.documents_by_id(sorted(documents), fields=("id", "custom_fields")))
    found = {head.id: linked(head, number) for head in heads}
    mine = {
        document: frozenset(other for other in others if ours(document, other))
        for document, others in found.items()
    }
    foreign = [document for document, others in found.items() if others - mine[document]]
    name = _field_name(session, number)
    if session.labels.was_field_created(number) and not foreign:
        return (), number, []
    links = tuple((document, others) for document, others in sorted(mine.items()) if others)
    why = f"#{foreign[0]} has links in it that are not ours" if foreign else "it was there before"
    return links, None, [f'custom field "{name}": {why}']


def _our_links(session: Session, records: dict[int, Record], by: Recognised) -> Callable[[int, int], bool]:
    """What was confirmed keeps its link, without a record; Paperless links both ways."""
    pairs = {frozenset((r.subject, other)) for r in records.values() for other in r.links}
    pairs |= {frozenset((one.a, one.b)) for one in session.decisions}
    marked = set[int]()
    if by.lost_index:
        pairs |= {frozenset((one.a, one.b)) for one in decisions_in_paperless(session)}
        tags, settings = session.labels.known().tags, session.settings
        names = {settings.tag_review, settings.tag_maybe, settings.tag_confirmed}
        names.update(map(settings.tag_for, RELATIONS))
        shown = sorted(tags[name] for name in names if name in tags)
        marked = set(session.client.document_ids(tags__id__in=shown)) if shown else set()
    return lambda one, two: frozenset((one, two)) in pairs or bool({one, two} & marked)


def _field_name(session: Session, number: int) -> str:
    return next((one.name for one in session.client.custom_fields() if one.id == number), f"#{number}")
