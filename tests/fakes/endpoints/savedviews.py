"""Saved views: owned by who creates them, pinned by API version 9 only."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ..rows import present
from ..rows.listing import paged
from ..rows.models import SavedView, User
from ..rows.rights import change_owner, chosen_owner
from ..rows.state import State
from ..web import (
    Answer,
    Request,
    allow,
    encode,
    forbidden_model,
    invalid,
    missing,
    no_content,
    ok,
    required,
    route,
)

Ids = Mapping[str, str]

_PINS = {
    "show_on_dashboard": "dashboard_views_visible_ids",
    "show_in_sidebar": "sidebar_views_visible_ids",
}
_VIEW_DEFAULTS: Mapping[str, Any] = {
    "sort_field": None,
    "sort_reverse": False,
    "filter_rules": [],
    "page_size": None,
    "display_mode": None,
    "display_fields": None,
}
_COLUMNS = (
    "title",
    "created",
    "added",
    "tag",
    "correspondent",
    "documenttype",
    "storagepath",
    "note",
    "owner",
    "shared",
    "asn",
    "pagecount",
)


def list_views(state: State, request: Request, ids: Ids) -> Answer:
    """No filter by name: such a parameter is ignored, as every unknown one."""
    allow(request.user, "view_savedview")
    rows = [r for r in state.saved_views.values() if r.visible_to(request.user)]
    rows.sort(key=lambda r: r.name)
    everything = encode([r.id for r in rows])
    return paged(request, rows, lambda r: present.saved_view(state, request, r), everything)


def create_view(state: State, request: Request, ids: Ids) -> Answer:
    """Names need not be unique: creating twice makes two."""
    allow(request.user, "add_savedview")
    data = request.data
    pins = tuple(_PINS) if state.major < 3 else ()
    for name in ("name", "filter_rules", *pins):
        if name not in data:
            raise required(name)
    _check_view(state, data)
    row = SavedView(state.next_id("saved_views"), data["name"])
    row.values = {**_VIEW_DEFAULTS, **_view_values(state, data)}
    row.owner = chosen_owner(state, request.user, data)
    change_owner(state, request.user, row, {"set_permissions": data.get("set_permissions")})
    state.saved_views[row.id] = row
    _pin(state, request, row, data)
    return ok(present.saved_view(state, request, row), 201)


def retrieve_view(state: State, request: Request, ids: Ids) -> Answer:
    allow(request.user, "view_savedview")
    return ok(present.saved_view(state, request, _view(state, request, ids)))


def update_view(state: State, request: Request, ids: Ids) -> Answer:
    allow(request.user, "change_savedview")
    row, data = _view(state, request, ids), request.data
    if not row.changeable_by(request.user):
        raise forbidden_model()
    _check_view(state, data)
    change_owner(state, request.user, row, data)
    row.name = data.get("name", row.name)
    row.values.update(_view_values(state, data))
    _pin(state, request, row, data)
    return ok(present.saved_view(state, request, row))


def delete_view(state: State, request: Request, ids: Ids) -> Answer:
    allow(request.user, "delete_savedview")
    del state.saved_views[_view(state, request, ids).id]
    return no_content()


def _view(state: State, request: Request, ids: Ids) -> SavedView:
    row = state.saved_views.get(int(ids["id"]))
    if row is None or not row.visible_to(request.user):
        raise missing("No SavedView matches the given query.")
    return row


def _view_values(state: State, data: dict[str, Any]) -> dict[str, Any]:
    known = {*_VIEW_DEFAULTS, *(_PINS if state.major < 3 else ())}
    return {name: value for name, value in data.items() if name in known}


def _check_view(state: State, data: dict[str, Any]) -> None:
    for column in data.get("display_fields") or []:
        custom = re.fullmatch(r"custom_field_(\d+)", column)
        if (custom and int(custom[1]) in state.custom_fields) or column in _COLUMNS:
            continue
        raise invalid({"non_field_errors": [f"Invalid field: {column}"]})


def _pin(state: State, request: Request, row: SavedView, data: dict[str, Any]) -> None:
    """Paperless 3 keeps the pins in the *creating* user's settings, and only for API version 9."""
    if state.major >= 3 and request.api_version < 10:
        for name, key in _PINS.items():
            if name in data:
                _pin_one(request.user, key, row.id, bool(data[name]))


def _pin_one(user: User, key: str, view_id: int, wanted: bool) -> None:
    pinned = user.settings.setdefault("saved_views", {})
    ids = set(pinned.get(key, [])) - {view_id}
    pinned[key] = sorted(ids | {view_id} if wanted else ids)


ROUTES = [
    route("GET", "saved_views/", list_views),
    route("POST", "saved_views/", create_view),
    route("GET", "saved_views/<id>/", retrieve_view),
    route("PATCH", "saved_views/<id>/", update_view),
    route("DELETE", "saved_views/<id>/", delete_view),
]
