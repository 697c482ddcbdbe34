"""Workflows as the API stores them; what they set off lives in ``webhooks``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..rows.listing import paged
from ..rows.models import Workflow
from ..rows.state import State
from ..web import Answer, Request, allow, encode, invalid, missing, no_content, ok, required, route

Ids = Mapping[str, str]

WEBHOOK_SCHEMES = ("http", "https")


def list_workflows(state: State, request: Request, ids: Ids) -> Answer:
    """No filter by name: such a parameter is ignored, as every unknown one."""
    allow(request.user, "view_workflow")
    rows = sorted(state.workflows.values(), key=lambda w: (w.order, w.id))
    return paged(request, rows, _workflow, encode([w.id for w in rows]))


def create_workflow(state: State, request: Request, ids: Ids) -> Answer:
    allow(request.user, "add_workflow")
    data = request.data
    for name in ("name", "triggers", "actions"):
        if name not in data:
            raise required(name)
    _check_workflow(state, data, None)
    number = state.next_id("workflows")
    row = Workflow(number, data["name"], data.get("order", 0), data.get("enabled", True), [], [])
    _apply_workflow(state, row, data)
    state.workflows[row.id] = row
    return ok(_workflow(row), 201)


def retrieve_workflow(state: State, request: Request, ids: Ids) -> Answer:
    allow(request.user, "view_workflow")
    return ok(_workflow(_workflow_row(state, ids)))


def update_workflow(state: State, request: Request, ids: Ids) -> Answer:
    allow(request.user, "change_workflow")
    row = _workflow_row(state, ids)
    _check_workflow(state, request.data, row)
    row.name = request.data.get("name", row.name)
    row.order = request.data.get("order", row.order)
    row.enabled = request.data.get("enabled", row.enabled)
    _apply_workflow(state, row, request.data)
    return ok(_workflow(row))


def delete_workflow(state: State, request: Request, ids: Ids) -> Answer:
    allow(request.user, "delete_workflow")
    del state.workflows[_workflow_row(state, ids).id]
    return no_content()


def _workflow_row(state: State, ids: Ids) -> Workflow:
    row = state.workflows.get(int(ids["id"]))
    if row is None:
        raise missing("No Workflow matches the given query.")
    return row


def _workflow(row: Workflow) -> dict[str, Any]:
    return {
        "id": row.id,
        "name": row.name,
        "order": row.order,
        "enabled": row.enabled,
        "triggers": row.triggers,
        "actions": row.actions,
    }


def _check_workflow(state: State, data: dict[str, Any], row: Workflow | None) -> None:
    if "name" in data and any(w.name == data["name"] and w is not row for w in state.workflows.values()):
        raise invalid({"name": ["workflow with this name already exists."]})
    for action in data.get("actions") or []:
        if action.get("type") == 4:
            _check_webhook(action)


def _check_webhook(action: dict[str, Any]) -> None:
    if not action.get("webhook"):
        raise invalid({"actions": [{"non_field_errors": ["Webhook data is required for webhook actions"]}]})
    url = str(action["webhook"].get("url") or "")
    scheme = url.partition("://")[0]
    if scheme not in WEBHOOK_SCHEMES:
        allowed = ", ".join(WEBHOOK_SCHEMES)
        words = f"URI scheme '{scheme}' is not allowed. Allowed schemes: {allowed}"
        raise invalid({"actions": [{"webhook": {"url": [words]}}]})


def _apply_workflow(state: State, row: Workflow, data: dict[str, Any]) -> None:
    if "triggers" in data:
        row.triggers = [_trigger(state, trigger) for trigger in data["triggers"]]
    if "actions" in data:
        row.actions = [_action(state, action) for action in data["actions"]]


def _trigger(state: State, given: dict[str, Any]) -> dict[str, Any]:
    defaults = {"sources": [1, 2, 3], "matching_algorithm": 0, "match": "", "filter_has_tags": []}
    return {**defaults, **given, "id": given.get("id") or state.next_id("workflow_triggers")}


def _action(state: State, given: dict[str, Any]) -> dict[str, Any]:
    action = {"type": 1, "webhook": None, **given, "id": given.get("id") or state.next_id("workflow_actions")}
    if action["webhook"]:
        shape = {"use_params": True, "as_json": False, "params": None, "body": None, "headers": None}
        number = action["webhook"].get("id") or state.next_id("workflow_webhooks")
        action["webhook"] = {**shape, "include_document": False, **action["webhook"], "id": number}
    return action


ROUTES = [
    route("GET", "workflows/", list_workflows),
    route("POST", "workflows/", create_workflow),
    route("GET", "workflows/<id>/", retrieve_workflow),
    route("PATCH", "workflows/<id>/", update_workflow),
    route("DELETE", "workflows/<id>/", delete_workflow),
]
