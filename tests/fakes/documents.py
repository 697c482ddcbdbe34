"""Documents as the API shows and changes them: lists, one document, notes, files and file versions, the trash, bulk edits.

Of the filters of a list, the orderings and the methods of ``bulk_edit``, those that the product uses.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from typing import Any

from . import pictures
from .rows import CustomField, Document, Note
from .state import LINK, UPDATED, State
from .web import Answer, Refused, Request, forbidden_model, forbidden_object, missing, ok, paged, route

_REFERENCES = ("correspondent", "document_type", "storage_path")
_ONLY_V3 = {"duplicate_documents", "versions"}
_TWICE = "don't exist or were specified twice."

# Others are ignored without a word, as the real server does: ``id__gt`` returns everything.
_FILTERS: Mapping[str, Callable[[Document, Any], bool]] = {
    "id": lambda row, ids: row.id in ids,
    "id__in": lambda row, ids: row.id in ids,
    "checksum__iexact": lambda row, checksum: row.checksum == checksum,
    "modified__gte": lambda row, since: row.modified >= since,
    "added__gte": lambda row, since: row.added >= since,
    "tags__id__in": lambda row, ids: not ids.isdisjoint(row.tags),
    "custom_fields__id__all": lambda row, ids: ids <= row.custom_fields.keys(),
    "correspondent__id__in": lambda row, ids: row.correspondent in ids,
}
_ORDERINGS: Mapping[str, Callable[[Document], Any]] = {
    "id": lambda row: row.id,
    "modified": lambda row: row.modified,
}


def moment(value: dt.datetime | None) -> str | None:
    return None if value is None else value.isoformat().replace("+00:00", "Z")


# one document


def shown(state: State, request: Request, row: Document, *, detail: bool = False) -> dict[str, Any]:
    """As 2.20 and 3.0 send it; ``detail`` is a GET of it alone, the only answer that names exact duplicates."""
    dropped = _ONLY_V3 if state.major < 3 else set()
    if "full_perms" not in request.query or state.options.hides_permissions:
        dropped = dropped | {"permissions"}
    has_archive = row.has_archive and row.mime_type == "application/pdf"
    root = state.root_of(row)
    files = [] if "versions" in dropped else [root, *state.live_versions(root)]
    fields = {
        **{name: getattr(row, name) for name in ("id", *_REFERENCES, "archive_serial_number", "owner")},
        **{"title": row.name, "page_count": row.page_count, "mime_type": row.mime_type},
        "content": state.newest(row).content,
        "tags": sorted(row.tags),
        "created": row.created.isoformat(),
        "modified": moment(row.modified),
        "added": moment(row.added),
        "original_file_name": row.original_filename,
        "archived_file_name": f"{row.created.isoformat()} {row.name}.pdf" if has_archive else None,
        "duplicate_documents": _exact_duplicates(state, request, row) if detail else [],
        "permissions": {
            "view": {"users": sorted(row.view_users | row.change_users), "groups": sorted(row.view_groups)},
            "change": {"users": sorted(row.change_users), "groups": []},
        },
        "user_can_change": row.changeable_by(request.user),
        "notes": _notes(row),
        "custom_fields": [{"value": value, "field": i} for i, value in row.custom_fields.items()],
        "versions": [
            {"id": file.id, "checksum": file.checksum, "is_root": file is root} for file in files[::-1]
        ],
    }
    chosen = request.query["fields"].split(",") if "fields" in request.query else list(fields)
    return {name: fields[name] for name in chosen if name in fields and name not in dropped}


def _exact_duplicates(state: State, request: Request, row: Document) -> list[dict[str, Any]]:
    """Same checksum, trash included."""
    others = [state.documents[i] for i in sorted(state.by_checksum[row.checksum]) if i != row.id]
    return [
        {"id": other.id, "title": other.name, "deleted_at": moment(other.deleted_at)}
        for other in others
        if other.root is None and other.visible_to(request.user)
    ]


def retrieve(state: State, request: Request) -> Answer:
    return ok(shown(state, request, state.visible_root(request), detail=True))


def destroy(state: State, request: Request) -> Answer:
    state.to_trash(_changeable(state, request))
    return Answer(204)


def update(state: State, request: Request) -> Answer:
    """Lists REPLACE: custom fields not named are lost, whoever added them in the meantime."""
    row, data = _changeable(state, request), request.data
    _check_references(state, row, data)
    if "custom_fields" in data:
        values = {entry["field"]: entry["value"] for entry in data["custom_fields"]}
        for field_id, value in values.items():
            if words := _bad_link(state, request, state.custom_fields[field_id], value):
                raise Refused(400, {"custom_fields": [{"non_field_errors": [words]}]})
    if "custom_fields" in data:
        state.replace_values(row, values)
    for name in (*_REFERENCES, "archive_serial_number"):
        if name in data:
            setattr(row, name, data[name])
    state.touch(row)
    state.fire(row, UPDATED)
    return ok(shown(state, request, row))


def _changeable(state: State, request: Request) -> Document:
    row = state.visible_root(request)
    if not row.changeable_by(request.user):
        raise forbidden_model()
    return row


def _check_references(state: State, row: Document, data: dict[str, Any]) -> None:
    """A serial number is unique over the archive and the trash: a trashed document keeps its number to itself."""
    for name in _REFERENCES:
        if data.get(name) is not None and data[name] not in getattr(state, f"{name}s"):
            raise Refused(400, {name: [f'Invalid pk "{data[name]}" - object does not exist.']})
    number = data.get("archive_serial_number")
    for other in state.documents.values() if number is not None else ():
        if other.archive_serial_number == number and other.id != row.id:
            words = "document with this archive serial number already exists."
            if other.deleted_at is not None:
                words = "Document with this Archive Serial Number already exists in the trash."
            raise Refused(400, {"archive_serial_number": [words]})


def _bad_link(state: State, request: Request, field: CustomField, value: Any) -> str:
    """Every target of a link must exist outside the trash, once, and be changeable by the caller.

    Of other types, the product writes only values that Paperless had taken before.
    """
    if field.data_type != LINK or value is None:
        return ""
    targets = [target for target in map(state.live, set(value)) if target is not None]
    if len(targets) != len(value):
        return f"Some documents in value {_TWICE}"
    if not all(target.changeable_by(request.user) for target in targets):
        raise Refused(403, {"detail": "Insufficient permissions."})
    return ""


# lists


def list_documents(state: State, request: Request) -> Answer:
    """Without an ordering that is known: newest first."""
    query = request.query
    given = {name: value for name, value in query.items() if value and name in _FILTERS}
    tests = [(_FILTERS[name], _wanted(name, value)) for name, value in given.items()]
    rows = [row for row in _narrowed(state, query) if row.visible_to(request.user)]
    rows = [row for row in rows if all(test(row, wanted) for test, wanted in tests)]
    ordering = query.get("ordering", "")
    key = _ORDERINGS.get(ordering.removeprefix("-"))
    if key is None:
        rows.sort(key=lambda row: (row.created, row.id), reverse=True)
    else:
        rows.sort(key=key, reverse=ordering.startswith("-"))
    return paged(request, rows, lambda row: shown(state, request, row))


def _narrowed(state: State, query: Mapping[str, str]) -> list[Document]:
    """Looks up instead of scanning where the query names ids: a sync asks that 250 times of 100,000."""
    if not query.get("id__in"):
        return state.roots()
    rows = map(state.live, sorted(_wanted("id__in", query["id__in"])))
    return [row for row in rows if row is not None and row.root is None]


def _wanted(name: str, value: str) -> Any:
    """A date is ISO; a "+" that was not URL-encoded arrives as a space and is refused."""
    try:
        if name.endswith("__gte"):
            since = dt.datetime.fromisoformat(value)
            return since if since.tzinfo else since.replace(tzinfo=dt.UTC)
        return value.lower() if name == "checksum__iexact" else {int(part) for part in value.split(",")}
    except ValueError:
        raise Refused(400, {name: ["Enter a valid value."]}) from None


# notes: no task, no workflow, but ``modified`` moves at once


def _notes(row: Document) -> list[dict[str, Any]]:
    return [_note(note) for note in row.notes]


def _note(note: Note) -> dict[str, Any]:
    user = {"id": note.user.id, "username": note.user.username}
    return {"id": note.id, "note": note.text, "created": moment(note.created), "user": user}


def list_notes(state: State, request: Request) -> Answer:
    return ok(_notes(state.readable_row(request, "Insufficient permissions to view notes")))


def create_note(state: State, request: Request) -> Answer:
    row = _with_notes(state, request, "create")
    state.add_note(row, str(request.data["note"]), request.user)
    return ok(_notes(row))


def delete_note(state: State, request: Request) -> Answer:
    row, wanted = _with_notes(state, request, "delete"), int(request.query["id"])
    if wanted not in [note.id for note in row.notes]:
        raise missing("No Note matches the given query.")
    row.notes = [note for note in row.notes if note.id != wanted]
    state.touch(row)
    return ok(_notes(row))


def _with_notes(state: State, request: Request, verb: str) -> Document:
    row = state.readable_row(request)
    if not row.changeable_by(request.user):
        raise forbidden_object(f"Insufficient permissions to {verb} notes")
    return row


# files and file versions; files can be had from the trash, too


def metadata(state: State, request: Request) -> Answer:
    row = state.newest(state.readable_row(request))
    archived = row.mime_type == "application/pdf"
    return ok(
        {
            "original_checksum": row.checksum,
            "original_size": len(row.file_bytes),
            "archive_checksum": state.checksum(b"archive" + row.file_bytes) if archived else None,
        }
    )


def download(state: State, request: Request) -> Answer:
    row = state.newest(state.readable_row(request, trash=True))
    return Answer(200, row.file_bytes, row.mime_type)


def thumb(state: State, request: Request) -> Answer:
    """A picture of the text, where the real server has a WebP of the first page."""
    row = state.newest(state.readable_row(request, trash=True))
    return Answer(200, state.options.picture or pictures.page(row.content), "image/png")


def root(state: State, request: Request) -> Answer:
    """From a file version, a 404 elsewhere, to the document that people see."""
    return ok({"root_id": state.root_of(state.readable_row(request, trash=True)).id})


def delete_version(state: State, request: Request) -> Answer:
    top, version = state.live(request.id), state.live(request.ids["version"])
    if top is None or version is None or state.root_of(version) is not top:
        raise missing()
    if not top.changeable_by(request.user):
        raise forbidden_object()
    if version is top:
        raise Refused(400, "Cannot delete the root/original version. Delete the document instead.")
    version.deleted_at = state.now()
    state.touch(top)
    state.fire(top, UPDATED)
    return ok({"result": "OK", "current_version_id": state.newest(top).id})


# the trash


def list_trash(state: State, request: Request) -> Answer:
    """The shape of the documents list; a file version that was deleted shows up, too."""
    user = request.user
    rows = [row for row in state.trashed() if user.is_superuser or row.owner in (None, user.id)]
    rows.sort(key=lambda row: (row.created, row.id), reverse=True)
    return paged(request, rows, lambda row: shown(state, request, row))


def restore(state: State, request: Request) -> Answer:
    """No workflow, webhook or hook; refused as a whole if one is not in the trash."""
    wanted, user = request.data["documents"], request.user
    rows = [row for row in state.trashed() if row.id in wanted]
    if len(rows) != len(wanted):
        raise Refused(400, {"documents": ["Some documents in the list have not yet been deleted."]})
    if not all(user.is_superuser or row.owner in (None, user.id) for row in rows):
        raise forbidden_object()
    for row in rows:
        state.restore(row)
    return ok({"result": "OK", "doc_ids": [row.id for row in rows]})


# bulk edits


def bulk_edit(state: State, request: Request) -> Answer:
    """All or nothing. Rows change at once; ``modified`` and workflows follow with the task, also where nothing changed."""
    data, user = request.data, request.user
    documents = [row for i in data["documents"] if (row := state.live(i)) is not None]
    if len({row.id for row in documents}) != len(data["documents"]):
        raise Refused(400, {"documents": [f"Some documents in documents {_TWICE}"]})
    check, apply = _METHODS[data["method"]]
    check(state, request, data["parameters"])
    if not user.may("change_document") or not all(document.changeable_by(user) for document in documents):
        raise forbidden_object()
    apply(state, documents, data["parameters"])
    task = state.new_task(None) if state.major >= 3 else None

    def run() -> None:
        with state.lock:
            for document in filter(None, map(state.live, data["documents"])):
                state.fire(document, UPDATED)
                state.touch(document)
            if task is not None:
                task.status = "SUCCESS"

    state.enqueue(run)
    return ok({"result": "OK"})


def _check_tags(state: State, request: Request, parameters: dict[str, Any]) -> None:
    for name in ("add_tags", "remove_tags"):
        if not state.tags.keys() >= set(parameters[name]):
            raise Refused(400, {"non_field_errors": [f"Some tags in {name} {_TWICE}"]})


def _modify_tags(state: State, documents: list[Document], parameters: dict[str, Any]) -> None:
    for document in documents:
        document.tags -= state.with_descendants(parameters["remove_tags"])
        document.tags |= state.with_ancestors(parameters["add_tags"])


def _check_fields(state: State, request: Request, parameters: dict[str, Any]) -> None:
    for name in ("add_custom_fields", "remove_custom_fields"):
        if not state.custom_fields.keys() >= {int(i) for i in parameters[name]}:
            raise Refused(400, {"non_field_errors": [f"Some custom fields in {name} {_TWICE}"]})
    for name, value in parameters["add_custom_fields"].items():
        if words := _bad_link(state, request, state.custom_fields[int(name)], value):
            errors = {"non_field_errors": [words]}  # 3.x names the field, 2.20 does not
            raise Refused(400, {"add_custom_fields": {name: errors}} if state.major >= 3 else errors)


def _modify_fields(state: State, documents: list[Document], parameters: dict[str, Any]) -> None:
    for document in documents:
        for name, value in parameters["add_custom_fields"].items():
            state.bulk_set(document, state.custom_fields[int(name)], value)
        for number in parameters["remove_custom_fields"]:
            state.remove_value(document, state.custom_fields[number])


_METHODS = {
    "modify_tags": (_check_tags, _modify_tags),
    "modify_custom_fields": (_check_fields, _modify_fields),
}

ROUTES = (
    route("POST", "documents/bulk_edit/", bulk_edit),
    route("GET", "documents/", list_documents, "view_document"),
    route("GET", "documents/<id>/", retrieve, "view_document"),
    route("PATCH", "documents/<id>/", update, "change_document"),
    route("DELETE", "documents/<id>/", destroy, "delete_document"),
    route("GET", "documents/<id>/notes/", list_notes, "view_note"),
    route("POST", "documents/<id>/notes/", create_note, "add_note"),
    route("DELETE", "documents/<id>/notes/", delete_note, "delete_note"),
    route("GET", "documents/<id>/metadata/", metadata, "view_document"),
    route("GET", "documents/<id>/download/", download, "view_document"),
    route("GET", "documents/<id>/thumb/", thumb, "view_document"),
    route("GET", "documents/<id>/root/", root, "view_document", since_major=3),
    route("DELETE", "documents/<id>/versions/<version>/", delete_version, "delete_document", since_major=3),
    route("GET", "trash/", list_trash),
    route("POST", "trash/", restore),
)
