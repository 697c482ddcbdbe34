"""Saved views: owned by who creates them, pinned by API version 9 only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..rows.listing import paged
from ..rows.models import SavedView
from ..rows.rights import chosen_owner
from ..rows.state import State
from ..web import Answer, Request, allow, missing, no_content, ok, route

Ids = Mapping[str, str]

_PINS = {
    "show_on_dashboard": "dashboard_views_visible_ids",
    "show_in_sidebar": "sidebar_views_visible_ids",
}
_VALUES = ("sort_field", "sort_reverse", "filter_rules", "page_size", "display_mode", "display_fields")


def list_views(state: State, request: Request, ids: Ids) -> Answer:
    """No filter by name: such a parameter is ignored, as every unknown one."""
    allow(request.user, "view_savedview")
    rows = [row for row in state.saved_views.values() if row.visible_to(request.user)]
    rows.sort(key=lambda row: row.name)
    return paged(request, rows, lambda row: _shown(state, request, row))


def create_view(state: State, request: Request, ids: Ids) -> Answer:
    """Names need not be unique: creating twice makes two."""
    allow(request.user, "add_savedview")
    data = request.data
    row = SavedView(state.next_id("saved_views"), data["name"], chosen_owner(request))
    row.values = {name: data.get(name) for name in (*_VALUES, *(_PINS if state.major < 3 else ()))}
    state.saved_views[row.id] = row
    if state.major >= 3:  # the pins are in the settings of the user who creates it
        pinned = request.user.settings.setdefault("saved_views", {})
        for name, key in _PINS.items():
            pinned[key] = sorted({*pinned.get(key, ()), *([row.id] if data[name] else ())})
    return ok(_shown(state, request, row), 201)


def delete_view(state: State, request: Request, ids: Ids) -> Answer:
    allow(request.user, "delete_savedview")
    row = state.saved_views.get(int(ids["id"]))
    if row is None or not row.visible_to(request.user):
        raise missing("No SavedView matches the given query.")
    del state.saved_views[row.id]
    return no_content()


def _shown(state: State, request: Request, row: SavedView) -> dict[str, Any]:
    shown = {"id": row.id, "name": row.name, **row.values, "owner": row.owner}
    if state.major >= 3:
        pinned = request.user.settings.get("saved_views", {})
        shown |= {name: row.id in pinned.get(key, ()) for name, key in _PINS.items()}
    return shown


ROUTES = [
    route("GET", "saved_views/", list_views),
    route("POST", "saved_views/", create_view),
    route("DELETE", "saved_views/<id>/", delete_view),
]
