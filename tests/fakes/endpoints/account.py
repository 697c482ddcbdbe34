"""Who is asking and what the server says about itself: settings, users, tokens, statistics, status, tasks."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Mapping
from typing import Any

from ..rows.listing import paged
from ..rows.models import Task, User
from ..rows.present import moment
from ..rows.state import State
from ..web import Answer, Request, allow, encode, forbidden_object, missing, ok, required, route

Ids = Mapping[str, str]

TOKENS_PER_MINUTE = 5


def ui_settings(state: State, request: Request, ids: Ids) -> Answer:
    """The caller, his settings and every right of his role: the one call a set-up check needs."""
    allow(request.user, "view_uisettings")
    user = request.user
    settings = {
        **user.settings,
        "update_checking": {"backend_setting": "default"},
        "trash_delay": 30,
        "version": state.version,
        "app_title": None,
        "app_logo": None,
        "auditlog_enabled": True,
        "email_enabled": False,
    }
    who = {
        "id": user.id,
        "username": user.username,
        "is_staff": user.is_superuser,
        "is_superuser": user.is_superuser,
        "groups": [],
    }
    return ok({"user": who, "settings": settings, "permissions": user.all_permissions()})


def save_ui_settings(state: State, request: Request, ids: Ids) -> Answer:
    allow(request.user, "add_uisettings")
    request.user.settings = dict(request.data.get("settings") or {})
    return ok({"success": True})


def list_users(state: State, request: Request, ids: Ids) -> Answer:
    allow(request.user, "view_user")
    rows = sorted(state.users.values(), key=lambda user: user.username.lower())
    if wanted := request.query.get("username__iexact", "").casefold():
        rows = [user for user in rows if user.username.casefold() == wanted]
    return paged(request, rows, _user, encode([user.id for user in rows]))


def retrieve_user(state: State, request: Request, ids: Ids) -> Answer:
    allow(request.user, "view_user")
    user = state.users.get(int(ids["id"]))
    if user is None:
        raise missing("No User matches the given query.")
    return ok(_user(user))


def list_groups(state: State, request: Request, ids: Ids) -> Answer:
    allow(request.user, "view_group")
    rows: list[Any] = []
    return paged(request, rows, lambda row: row, b"[]")


def _user(user: User) -> dict[str, Any]:
    return {
        "id": user.id,
        "username": user.username,
        "email": "",
        "password": "**********",
        "first_name": "",
        "last_name": "",
        "date_joined": "2026-01-01T00:00:00Z",
        "is_staff": user.is_superuser,
        "is_active": True,
        "is_superuser": user.is_superuser,
        "groups": [],
        "user_permissions": sorted(user.permissions),
        "inherited_permissions": [],
        "is_mfa_enabled": False,
    }


def obtain_token(state: State, data: Mapping[str, Any]) -> Answer:
    """The one call without a token; Paperless 3 allows it five times a minute."""
    now = state.now()
    state.token_attempts = [at for at in state.token_attempts if now - at < dt.timedelta(minutes=1)]
    if state.major >= 3 and len(state.token_attempts) >= TOKENS_PER_MINUTE:
        wait_s = 60 - int((now - state.token_attempts[0]).total_seconds())
        words = f"Request was throttled. Expected available in {wait_s} seconds."
        return Answer(429, encode({"detail": words}), headers=(("Retry-After", str(wait_s)),))
    state.token_attempts.append(now)
    for name in ("username", "password"):
        if not data.get(name):
            raise required(name)
    for user in state.users.values():
        if user.username == data["username"] and user.password == data["password"] and user.token:
            return ok({"token": user.token})
    return ok({"non_field_errors": ["Unable to log in with provided credentials."]}, 400)


def statistics(state: State, request: Request, ids: Ids) -> Answer:
    rows = [d for d in state.roots() if d.visible_to(request.user)]
    inbox = sorted(tag.id for tag in state.tags.values() if tag.is_inbox_tag)
    kinds = Counter(d.mime_type for d in rows).most_common()
    return ok(
        {
            "documents_total": len(rows),
            "documents_inbox": sum(1 for d in rows if d.tags.intersection(inbox)) if inbox else None,
            "inbox_tag": inbox[0] if inbox else None,
            "inbox_tags": inbox or None,
            "document_file_type_counts": [{"mime_type": k, "mime_type_count": n} for k, n in kinds],
            "character_count": sum(len(d.content) for d in rows),
            "tag_count": len(state.tags),
            "correspondent_count": len(state.correspondents),
            "document_type_count": len(state.document_types),
            "storage_path_count": len(state.storage_paths),
            "current_asn": max((d.archive_serial_number or 0 for d in rows), default=0),
        }
    )


def status(state: State, request: Request, ids: Ids) -> Answer:
    if not request.user.is_superuser:
        raise forbidden_object("Insufficient permissions")
    return ok({"pngx_version": state.version, "install_type": "bare-metal", "server_os": "fake"})


# tasks


def list_tasks(state: State, request: Request, ids: Ids) -> Answer:
    """Up to API version 9 a plain list, newest first; from 10 a paged one with other names."""
    allow(request.user, "view_paperlesstask")
    rows = [
        t for t in reversed(state.tasks) if request.user.is_superuser or t.owner in (None, request.user.id)
    ]
    if request.query.get("task_id"):
        rows = [task for task in rows if task.task_id == request.query["task_id"]]
    if request.api_version < 10:
        return ok([_task(state, task) for task in rows])
    return paged(request, rows, _task_v10, b"[]")


def _task(state: State, task: Task) -> dict[str, Any]:
    shown = {
        "id": task.id,
        "task_id": task.task_id,
        "task_name": task.kind,
        "task_file_name": task.filename,
        "date_created": moment(task.created),
        "date_done": moment(task.done),
        "type": "manual_task" if task.kind == "consume_file" else "auto_task",
        "status": task.status,
        "result": task.result,
        "acknowledged": False,
        "related_document": _related(state, task),
        "owner": task.owner,
    }
    if state.major >= 3:
        twin = state.documents.get(task.duplicate_of or 0)
        named = [] if twin is None else [twin]
        shown["duplicate_documents"] = [
            {"id": d.id, "title": d.title, "deleted_at": moment(d.deleted_at)} for d in named
        ]
    return shown


def _related(state: State, task: Task) -> int | str | None:
    """2.20 reads the id from the result's words and leaves it a string."""
    return task.document if state.major >= 3 or task.document is None else str(task.document)


def _task_v10(task: Task) -> dict[str, Any]:
    result: dict[str, Any] = (
        {"document_id": task.document} if task.status == "SUCCESS" else {"error_message": task.result}
    )
    if task.duplicate_of is not None:
        result = {"duplicate_of": task.duplicate_of, "duplicate_in_trash": False}
    return {
        "id": task.id,
        "task_id": task.task_id,
        "task_type": task.kind,
        "status": task.status.lower(),
        "date_created": moment(task.created),
        "date_done": moment(task.done),
        "input_data": {"filename": task.filename},
        "result_data": result if task.done else None,
        "related_document_ids": [] if task.document is None else [task.document],
        "acknowledged": False,
        "owner": task.owner,
    }


ROUTES = [
    route("GET", "ui_settings/", ui_settings),
    route("POST", "ui_settings/", save_ui_settings),
    route("GET", "users/", list_users),
    route("GET", "users/<id>/", retrieve_user),
    route("GET", "groups/", list_groups),
    route("GET", "statistics/", statistics),
    route("GET", "status/", status),
    route("GET", "tasks/", list_tasks),
]
