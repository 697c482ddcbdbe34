"""Changes the tags of many documents with one call, and finds the documents at fault if Paperless refuses it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from hook.batching import in_halves
from hook.errors import RefusedError, RightsError
from hook.paperless.client import Paperless
from hook.paperless.labels import Labels


@dataclass(frozen=True, slots=True)
class Tagged:
    """The result: the tags that were added, and for each document whether it is done, deleted, or why not."""

    added: frozenset[int] = frozenset()
    done: frozenset[int] = frozenset()
    gone: frozenset[int] = frozenset()
    failed: dict[int, str] = field(default_factory=dict)
    bulk_edits: int = 0

    def __add__(self, more: Tagged) -> Tagged:
        return Tagged(
            self.added | more.added,
            self.done | more.done,
            self.gone | more.gone,
            {**self.failed, **more.failed},
            self.bulk_edits + more.bulk_edits,
        )


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
        return Tagged(added, done=documents, bulk_edits=1)
    except (RefusedError, RightsError):
        live = documents & frozenset(client.document_ids(id__in=sorted(documents)))
    try:
        remove &= labels.renew().names.keys()
        added = frozenset(labels.ensure(add).values())
    except (RefusedError, RightsError) as error:
        return Tagged(gone=documents - live, failed=dict.fromkeys(live, str(error)))

    def attempt(some: Sequence[int]) -> Tagged:
        if not added and not remove:
            return Tagged(done=frozenset(some))
        try:
            client.modify_tags(some, add=added, remove=remove)
        except RefusedError as error:
            return Tagged(failed=dict.fromkeys(some, str(error)))
        return Tagged(added, done=frozenset(some), bulk_edits=1)

    def alone(document: int, error: RightsError) -> Tagged:
        return Tagged(failed={document: str(error)})

    return sum(in_halves(sorted(live), attempt, alone, RightsError), Tagged(gone=documents - live))
