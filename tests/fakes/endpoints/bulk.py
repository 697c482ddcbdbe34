"""``bulk_edit`` and its relatives: rows change at once, ``modified`` and workflows follow with the task."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..rows import fieldvalues
from ..rows.fieldvalues import StoreFailed
from ..rows.models import CustomField, Document
from ..rows.rights import set_permissions
from ..rows.state import UPDATED, State
from ..web import Answer, Refused, Request, ok, route, text
from .bulkchecks import CHECKS, Parameters, named_documents, named_method, refuse_unless_permitted
from .webhooks import fire

Apply = Callable[[State, Request, list[Document], Parameters], list[Document]]


def bulk_edit(state: State, request: Request, ids: Mapping[str, str]) -> Answer:
    """All or nothing: one unknown document or missing right refuses the whole call."""
    data = request.data
    documents = named_documents(state, data)
    method = named_method(data)
    parameters = data.get("parameters", {})
    CHECKS[method](state, request, parameters)
    refuse_unless_permitted(request, documents, method)
    try:
        affected = _APPLY[method](state, request, documents, parameters)
    except StoreFailed:
        raise Refused(text(400, "Error performing bulk edit, check logs for more detail.")) from None
    if affected or method == "modify_custom_fields":
        queue_update(state, [document.id for document in affected])
    state.changed()
    return ok({"result": "OK"})


def queue_update(state: State, ids: list[int]) -> None:
    """The celery task behind a bulk edit: it moves ``modified`` and sets off "Document Updated"."""
    task = state.new_task("bulk_update", None) if state.major >= 3 else None

    def run() -> None:
        for document in filter(None, map(state.live, ids)):
            fire(state, document, UPDATED)
            state.touch(document)
        if task is not None:
            task.status, task.done = "SUCCESS", state.now()

    state.enqueue(run)


def delete_documents(state: State, request: Request, ids: Mapping[str, str]) -> Answer:
    documents = named_documents(state, request.data)
    refuse_unless_permitted(request, documents, "delete")
    _delete(state, request, documents, {})
    return ok({"result": "OK"})


def to_trash(state: State, document: Document) -> None:
    """The document and its file versions; links that point here stay where they are."""
    for row in (document, *state.live_versions(document)):
        row.deleted_at = state.now()
    state.changed()


# what is done; each returns the documents whose task is queued


def _add_tag(state: State, request: Request, documents: list[Document], p: Parameters) -> list[Document]:
    wanted = state.with_ancestors([p["tag"]])
    affected = [d for d in documents if not wanted <= d.tags]
    for document in affected:
        document.tags |= wanted
    return affected


def _remove_tag(state: State, request: Request, documents: list[Document], p: Parameters) -> list[Document]:
    unwanted = state.with_descendants([p["tag"]])
    affected = [d for d in documents if unwanted & d.tags]
    for document in affected:
        document.tags -= unwanted
    return affected


def _modify_tags(state: State, request: Request, documents: list[Document], p: Parameters) -> list[Document]:
    """Queues its task for every document named, also where nothing changed."""
    for document in documents:
        document.tags -= state.with_descendants(p["remove_tags"])
        document.tags |= state.with_ancestors(p["add_tags"])
    return documents


def _modify_fields(
    state: State, request: Request, documents: list[Document], p: Parameters
) -> list[Document]:
    added = p["add_custom_fields"]
    pairs = added.items() if isinstance(added, dict) else ((i, None) for i in added)
    for name, value in pairs:
        for document in documents:
            fieldvalues.bulk_set(state, document, _field(state, name), value)
    for name in p["remove_custom_fields"]:
        for document in documents:
            fieldvalues.bulk_remove(state, document, _field(state, name))
    return documents


def _field(state: State, name: Any) -> CustomField:
    return state.custom_fields[int(name)]


def _set_reference(name: str) -> Apply:
    def apply(state: State, request: Request, documents: list[Document], p: Parameters) -> list[Document]:
        affected = [d for d in documents if getattr(d, name) != p[name]]
        for document in affected:
            setattr(document, name, p[name])
        return affected

    return apply


def _set_permissions(
    state: State, request: Request, documents: list[Document], p: Parameters
) -> list[Document]:
    for document in documents:
        set_permissions(document, p.get("set_permissions") or {}, merge=bool(p.get("merge")))
        if not p.get("merge") or document.owner is None:
            document.owner = p.get("owner")
    return documents


def _delete(state: State, request: Request, documents: list[Document], p: Parameters) -> list[Document]:
    for document in documents:
        to_trash(state, document)
    return []


_APPLY: Mapping[str, Apply] = {
    "set_correspondent": _set_reference("correspondent"),
    "set_document_type": _set_reference("document_type"),
    "set_storage_path": _set_reference("storage_path"),
    "add_tag": _add_tag,
    "remove_tag": _remove_tag,
    "modify_tags": _modify_tags,
    "modify_custom_fields": _modify_fields,
    "set_permissions": _set_permissions,
    "delete": _delete,
    "reprocess": lambda state, request, documents, parameters: [],
}

ROUTES = [
    route("POST", "documents/bulk_edit/", bulk_edit),
    route("POST", "documents/delete/", delete_documents, since_major=3),
]
