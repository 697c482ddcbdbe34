"""Changes the tags of many documents with one call, and finds the document at fault if Paperless refuses it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from hook.batching import in_halves
from hook.errors import PaperlessError, RefusedError, RightsError
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


def change_tags(
    client: Paperless, labels: Labels, add: frozenset[str], remove: frozenset[int], documents: frozenset[int]
) -> Tagged:
    """Adds tags by name, creating those that are missing, and removes tags by id."""
    try:
        added = frozenset(labels.ensure(add).values())
    except (RightsError, RefusedError) as error:
        return _failed(documents, error)
    try:
        client.modify_tags(documents, add=added, remove=remove)
    except RefusedError as refusal:
        return _again(client, labels, add, remove, documents, refusal)
    except RightsError as error:
        return _one_by_one(client, added, remove, documents, error)
    return Tagged(added, done=documents, bulk_edits=1)


def _again(
    client: Paperless,
    labels: Labels,
    add: frozenset[str],
    remove: frozenset[int],
    documents: frozenset[int],
    refusal: RefusedError,
) -> Tagged:
    """Paperless refuses the whole call for one tag or document that was deleted in the meantime: retry without it."""
    live = documents & frozenset(client.document_ids(id__in=sorted(documents)))
    gone = documents - live
    try:
        remove &= labels.renew().names.keys()
        added = frozenset(labels.ensure(add).values())
        if live and (added or remove):
            client.modify_tags(live, add=added, remove=remove)
    except (RightsError, RefusedError):
        return _failed(live, refusal, gone)
    return Tagged(added, done=live, gone=gone, bulk_edits=1)


def _one_by_one(
    client: Paperless,
    added: frozenset[int],
    remove: frozenset[int],
    documents: frozenset[int],
    error: RightsError,
) -> Tagged:
    """Paperless refuses the whole call for one document that the token's user may not change: retry in halves."""

    def attempt(some: Sequence[int]) -> Tagged:
        if len(some) == len(documents):
            raise error  # that is what Paperless has just refused
        try:
            client.modify_tags(some, add=added, remove=remove)
        except RefusedError as refusal:
            return _failed(frozenset(some), refusal)
        return Tagged(added, done=frozenset(some), bulk_edits=1)

    def alone(document: int, refusal: RightsError) -> Tagged:
        return _failed(frozenset([document]), refusal)

    return _merged(in_halves(sorted(documents), attempt, alone, RightsError))


def _failed(documents: frozenset[int], error: PaperlessError, gone: frozenset[int] = frozenset()) -> Tagged:
    return Tagged(gone=gone, failed=dict.fromkeys(documents, str(error)))


def _merged(parts: Iterable[Tagged]) -> Tagged:
    parts = list(parts)
    return Tagged(
        added=frozenset[int]().union(*(part.added for part in parts)),
        done=frozenset[int]().union(*(part.done for part in parts)),
        gone=frozenset[int]().union(*(part.gone for part in parts)),
        failed={number: why for part in parts for number, why in part.failed.items()},
        bulk_edits=sum(part.bulk_edits for part in parts),
    )
