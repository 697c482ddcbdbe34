"""Files and file versions: metadata, download, and the version rows that only Paperless 3 has."""

from __future__ import annotations

from collections.abc import Mapping

from .. import pictures
from ..rows.models import Document
from ..rows.state import UPDATED, State
from ..web import Answer, Refused, Request, allow, forbidden_object, missing, ok, route, text
from .webhooks import fire

Ids = Mapping[str, str]


def metadata(state: State, request: Request, ids: Ids) -> Answer:
    row = _file(state, request, ids)
    archived = row.mime_type == "application/pdf"
    return ok(
        {
            "original_checksum": row.checksum,
            "original_size": len(row.file_bytes),
            "archive_checksum": state.checksum(b"archive" + row.file_bytes) if archived else None,
        }
    )


def download(state: State, request: Request, ids: Ids) -> Answer:
    """Works in the trash, too."""
    row = _file(state, request, ids, trash=True)
    disposition = f'attachment; filename="{row.original_filename}"'
    return Answer(200, row.file_bytes, row.mime_type, (("Content-Disposition", disposition),))


def thumb(state: State, request: Request, ids: Ids) -> Answer:
    """A picture of the text, where the real server has a WebP of the first page; works in the trash, too."""
    row = _file(state, request, ids, trash=True)
    return Answer(200, state.options.picture or pictures.page(row.content), "image/png")


def _file(state: State, request: Request, ids: Ids, *, trash: bool = False) -> Document:
    """The newest version of a root, else the version row itself."""
    allow(request.user, "view_document")
    row = state.readable_row(request, int(ids["id"]), trash=trash)
    return row if row.root is not None else state.newest(row)


def root(state: State, request: Request, ids: Ids) -> Answer:
    """From a file version, a 404 elsewhere, to the document that people see; also in the trash."""
    allow(request.user, "view_document")
    return ok({"root_id": state.root_of(state.readable_row(request, int(ids["id"]), trash=True)).id})


def delete_version(state: State, request: Request, ids: Ids) -> Answer:
    allow(request.user, "delete_document")
    top, version = state.live(int(ids["id"])), state.live(int(ids["version"]))
    if top is None or version is None or state.root_of(version) is not top:
        raise missing()
    if not top.changeable_by(request.user):
        raise forbidden_object()
    if version is top:
        raise Refused(text(400, "Cannot delete the root/original version. Delete the document instead."))
    version.deleted_at = state.now()
    state.touch(top)
    fire(state, top, UPDATED)
    return ok({"result": "OK", "current_version_id": state.newest(top).id})


ROUTES = [
    route("GET", "documents/<id>/metadata/", metadata),
    route("GET", "documents/<id>/download/", download),
    route("GET", "documents/<id>/thumb/", thumb),
    route("GET", "documents/<id>/root/", root, since_major=3),
    route("DELETE", "documents/<id>/versions/<version>/", delete_version, since_major=3),
]
