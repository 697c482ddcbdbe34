"""The tags by which a user asks for an operation: what contradicts them, and whether they are still there.

They stay on the documents until right before the trash, so that a user can withdraw a decision while it is carried out.
"""

from __future__ import annotations

from collections.abc import Iterable

from dedupe_core.explain.say import message
from hook.paperless.values import RawDocument
from hook.review.journal import Do, ImpossibleError, Operation, Step, StepKind
from hook.session import Session


def known_tags(session: Session) -> dict[str, int]:
    """The ids of all tags that say what is to become of a document, by name."""
    known, settings = session.labels.known().tags, session.settings
    names = (*_asking(session), settings.tag_keep, settings.tag_not_duplicate, settings.tag_skip)
    return {name: known[name] for name in names if name in known}


def asked(session: Session, documents: Iterable[RawDocument]) -> dict[str, list[str]]:
    """By document: the names of these tags that it has."""
    tags = known_tags(session)
    return {
        str(document.id): sorted(name for name, tag in tags.items() if tag in document.tags)
        for document in sorted(documents, key=lambda document: document.id)
    }


def decision_tags(session: Session, document: RawDocument) -> list[str]:
    """The names of the decision tags on the document; with `dedupe:skip` if it contradicts them."""
    settings, present = session.settings, asked(session, [document])[str(document.id)]
    decisions = [name for name in present if name not in (settings.tag_keep, settings.tag_skip)]
    is_moved = bool(decisions) and decisions != [settings.tag_not_duplicate]
    return [*decisions, settings.tag_skip] if settings.tag_skip in present and is_moved else decisions


def refuse_contradiction(session: Session, operation: Operation) -> None:
    """Before anything is done. `dedupe:keep` on both is refused with the choice of the one to keep."""
    settings = session.settings
    against = {settings.tag_not_duplicate, settings.tag_skip}
    wanted = {name for names in operation.asked.values() for name in names} & _asking(session)
    if len(wanted) > 1:
        against.add(settings.tag_make_version if operation.doing is Do.TRASH else settings.tag_confirm)
    for number, names in operation.asked.items():
        if contradicting := sorted(against.intersection(names)):
            raise ImpossibleError(
                "#{n} has {tag}, which contradicts it: remove one of the two tags",
                n=int(number),
                tag=contradicting[0],
            )


def refuse_withdrawn(session: Session, operation: Operation, documents: Iterable[RawDocument]) -> None:
    """If a tag that asked for it is gone, or one is there that contradicts it and was not there before.

    Our own removal of the tags, the step before the trash, withdraws nothing.
    """
    is_untagged = operation.has_done(StepKind.UNTAG)
    for number, present in asked(session, documents).items():
        before = operation.asked.get(number)
        if before is None:
            continue  # stored by a version that removed the tags first
        gone = set() if is_untagged else set(before).difference(present)
        added = set(present).difference(before, _harmless(session, operation, int(number)))
        for tags, text in (
            (gone, message("the decision was withdrawn: #{n} no longer has {tag}")),
            (added, message("the decision was withdrawn: #{n} has {tag} now")),
        ):
            if tags:
                raise ImpossibleError(text, n=int(number), tag=min(tags))


def is_withdrawn(session: Session, operation: Operation, documents: Iterable[RawDocument]) -> bool:
    try:
        refuse_withdrawn(session, operation, documents)
    except ImpossibleError:
        return True
    return False


def untag_step(session: Session, operation: Operation) -> Step:
    """A document that is restored from the trash must not bring the decision up again."""
    known = known_tags(session)
    names = (*_asking(session), session.settings.tag_keep)
    values = {
        "tags": sorted(known[name] for name in names if name in known),
        "documents": list(operation.both),
    }
    return Step(StepKind.UNTAG, operation.loser, values)


def _asking(session: Session) -> set[str]:
    return {session.settings.tag_confirm, session.settings.tag_make_version}


def _harmless(session: Session, operation: Operation, document: int) -> set[str]:
    """Asking for the same on the other document, too, or to keep the one that is kept."""
    wanted = {name for names in operation.asked.values() for name in names} & _asking(session)
    return wanted | ({session.settings.tag_keep} if document == operation.kept else set())
