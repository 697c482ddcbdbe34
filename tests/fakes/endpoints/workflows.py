"""Workflows as the API stores them; what they set off lives in ``webhooks``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..rows.listing import paged
from ..rows.models import Workflow
from ..rows.state import State
from ..web import Answer, Request, allow, invalid, missing, no_content, ok, route

Ids = Mapping[str, str]


def list_workflows(state: State, request: Request, ids: Ids) -> Answer:
    """No filter by name: such a parameter is ignored, as every unknown one."""
    allow(request.user, "view_workflow")
    return paged(request, sorted(state.workflows.values(), key=lambda row: (row.order, row.id)), _shown)


def create_workflow(state: State, request: Request, ids: Ids) -> Answer:
    allow(request.user, "add_workflow")
    if any(row.name == request.data["name"] for row in state.workflows.values()):
        raise invalid({"name": ["workflow with this name already exists."]})
    row = Workflow(state.next_id("workflows"))
    state.workflows[row.id] = row
    return _set(row, request, 201)


def update_workflow(state: State, request: Request, ids: Ids) -> Answer:
    allow(request.user, "change_workflow")
    return _set(_row(state, ids), request, 200)


def delete_workflow(state: State, request: Request, ids: Ids) -> Answer:
    allow(request.user, "delete_workflow")
    del state.workflows[_row(state, ids).id]
    return no_content()


def _set(row: Workflow, request: Request, status: int) -> Answer:
    for name in ("name", "order", "enabled", "triggers", "actions"):
        setattr(row, name, request.data.get(name, getattr(row, name)))
    return ok(_shown(row), status)


def _row(state: State, ids: Ids) -> Workflow:
    row = state.workflows.get(int(ids["id"]))
    if row is None:
        raise missing("No Workflow matches the given query.")
    return row


def _shown(row: Workflow) -> dict[str, Any]:
    return {
        "id": row.id,
        "name": row.name,
        "order": row.order,
        "enabled": row.enabled,
        "triggers": row.triggers,
        "actions": row.actions,
    }


ROUTES = [
    route("GET", "workflows/", list_workflows),
    route("POST", "workflows/", create_workflow),
    route("PATCH", "workflows/<id>/", update_workflow),
    route("DELETE", "workflows/<id>/", delete_workflow),
]
