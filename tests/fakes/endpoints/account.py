"""Who is asking, the other users, and the background tasks."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from ..rows.models import Task
from ..rows.state import State
from ..web import Answer, Request, allow, encode, invalid, ok, route

Ids = Mapping[str, str]

TOKENS_PER_MINUTE = 5


def ui_settings(state: State, request: Request, ids: Ids) -> Answer:
    """The caller and every right of his role: the one call a set-up check needs."""
    user = request.user
    allow(user, "view_uisettings")
    who = {"id": user.id, "username": user.username, "is_superuser": user.is_superuser}
    settings = {**user.settings, "version": state.version}
    return ok({"user": who, "settings": settings, "permissions": user.all_permissions()})


def obtain_token(state: State, data: Mapping[str, Any]) -> Answer:
    """The one call without a token; Paperless 3 allows it five times a minute."""
    now = state.now()
    state.token_attempts = [at for at in state.token_attempts if now - at < dt.timedelta(minutes=1)]
    if state.major >= 3 and len(state.token_attempts) >= TOKENS_PER_MINUTE:
        wait_s = 60 - int((now - state.token_attempts[0]).total_seconds())
        words = f"Request was throttled. Expected available in {wait_s} seconds."
        return Answer(429, encode({"detail": words}), headers=(("Retry-After", str(wait_s)),))
    state.token_attempts.append(now)
    for user in state.users.values():
        if (user.username, user.password) == (data["username"], data["password"]) and user.token:
            return ok({"token": user.token})
    raise invalid({"non_field_errors": ["Unable to log in with provided credentials."]})


def list_tasks(state: State, request: Request, ids: Ids) -> Answer:
    """Up to API version 9 a plain list, newest first."""
    user = request.user
    allow(user, "view_paperlesstask")
    rows = [task for task in reversed(state.tasks) if user.is_superuser or task.owner in (None, user.id)]
    if wanted := request.query.get("task_id"):
        rows = [task for task in rows if task.task_id == wanted]
    return ok([_task(state, task) for task in rows])


def _task(state: State, task: Task) -> dict[str, Any]:
    """2.20 reads the id of the document from the words of the result and leaves it a string."""
    related = task.document if state.major >= 3 or task.document is None else str(task.document)
    return {
        "task_id": task.task_id,
        "task_file_name": task.filename,
        "status": task.status,
        "result": task.result,
        "related_document": related,
    }


ROUTES = [
    route("GET", "ui_settings/", ui_settings),
    route("GET", "tasks/", list_tasks),
]
