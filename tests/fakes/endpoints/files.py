"""Files and file versions: metadata, download, and the version rows that only Paperless 3 has."""

from __future__ import annotations

from collections.abc import Mapping

from .. import pictures
from ..rows import present
from ..rows.models import Document
from ..rows.state import UPDATED, State
from ..web import Answer, Refused, Request, allow, forbidden_object, missing, ok, required, route, text
from .webhooks import fire

Ids = Mapping[str, str]


def metadata(state: State, request: Request, ids: Ids) -> Answer:
    allow(request.user, "view_document")
    row = file_row(state, request, state.readable_row(request, int(ids["id"])))
    archived = row.mime_type == "application/pdf"
    return ok(
        {
            "original_checksum": row.checksum,
            "original_size": len(row.file_bytes),
            "original_mime_type": row.mime_type,
            "media_filename": f"{row.id:07}.pdf",
            "has_archive_version": archived,
            "original_metadata": [],
            "archive_checksum": state.checksum(b"archive" + row.file_bytes) if archived else None,
            "archive_media_filename": f"{row.id:07}.pdf" if archived else None,
            "original_filename": row.original_filename,
            "archive_size": len(row.file_bytes) if archived else None,
            "archive_metadata": [] if archived else None,
            "lang": "en",
        }
    )


def download(state: State, request: Request, ids: Ids) -> Answer:
    """Works in the trash, too."""
    allow(request.user, "view_document")
    row = file_row(state, request, state.readable_row(request, int(ids["id"]), trash=True))
    disposition = f'attachment; filename="{row.original_filename}"'
    return Answer(200, row.file_bytes, row.mime_type, (("Content-Disposition", disposition),))


def thumb(state: State, request: Request, ids: Ids) -> Answer:
    """A picture of the text, where the real server has a WebP of the first page; works in the trash, too."""
    allow(request.user, "view_document")
    row = file_row(state, request, state.readable_row(request, int(ids["id"]), trash=True))
    return Answer(200, state.options.picture or pictures.page(row.content), "image/png")


def file_row(state: State, request: Request, row: Document) -> Document:
    """The version asked for, else the newest of a root, else the version row itself."""
    wanted = request.query.get("version")
    if wanted is None or state.major < 3:
        return row if row.root is not None else state.newest(row)
    if not wanted.isdigit():
        raise missing("Invalid version parameter")
    root, found = state.root_of(row), state.documents.get(int(wanted))
    if found is None or root.id not in (found.id, found.root):
        raise missing()
    return found


def root(state: State, request: Request, ids: Ids) -> Answer:
    """From a file version, a 404 elsewhere, to the document that people see; also in the trash."""
    allow(request.user, "view_document")
    row = state.documents.get(int(ids["id"]))
    if row is None or row.hidden_gets:
        raise missing()
    top = state.root_of(row)
    if not top.visible_to(request.user):
        raise forbidden_object()
    return ok({"root_id": top.id})


def label_version(state: State, request: Request, ids: Ids) -> Answer:
    allow(request.user, "change_document")
    row, version = _version(state, request, ids)
    if "version_label" not in request.data:
        raise required("version_label")
    version.version_label = (request.data["version_label"] or "").strip() or None
    state.touch(row)
    fire(state, row, UPDATED)
    return ok(present.version_info(version, row))


def delete_version(state: State, request: Request, ids: Ids) -> Answer:
    allow(request.user, "delete_document")
    row, version = _version(state, request, ids)
    if version is row:
        words = "Cannot delete the root/original version. Delete the document instead."
        raise Refused(text(400, words))
    version.deleted_at = state.now()
    state.touch(row)
    fire(state, row, UPDATED)
    return ok({"result": "OK", "current_version_id": state.newest(row).id})


def _version(state: State, request: Request, ids: Ids) -> tuple[Document, Document]:
    named, version = state.live(int(ids["id"])), state.live(int(ids["version"]))
    if named is None or version is None or state.root_of(version) is not state.root_of(named):
        raise missing()
    top = state.root_of(named)
    if not top.changeable_by(request.user):
        raise forbidden_object()
    return top, version


ROUTES = [
    route("GET", "documents/<id>/metadata/", metadata),
    route("GET", "documents/<id>/download/", download),
    route("GET", "documents/<id>/thumb/", thumb),
    route("GET", "documents/<id>/root/", root, since_major=3),
    route("PATCH", "documents/<id>/versions/<version>/", label_version, since_major=3),
    route("DELETE", "documents/<id>/versions/<version>/", delete_version, since_major=3),
]
