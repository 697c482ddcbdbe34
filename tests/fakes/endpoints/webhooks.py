"""Workflow webhooks: which workflows an event sets off, and the POST Paperless would send for each.

Every webhook is one more job on the same queue as everything else. The template language is Jinja on the
real server; only ``{{name}}`` is understood here, with its rule for unknown names: the whole parameter
object becomes empty, and a raw body is not sent at all.
"""

from __future__ import annotations

import json
import re
import time
import urllib.error
import urllib.request
import uuid
from pathlib import PurePath
from typing import Any
from urllib.parse import urlencode

from ..rows.models import Document, Workflow
from ..rows.state import State

WEBHOOK_ACTION = 4
TIMEOUT_S = 5.0
ATTEMPTS = 4  # the first and three retries, after HTTP error statuses only

Message = tuple[str, bytes, dict[str, str]]


class UnknownPlaceholder(Exception):
    """The template names something this Paperless does not know."""


def fire(state: State, document: Document, trigger: int) -> None:
    """Queue the webhooks of every enabled workflow that matches; file versions set off nothing."""
    if not state.options.fire_webhooks or document.root is not None:
        return
    for workflow in sorted(state.workflows.values(), key=lambda w: (w.order, w.id)):
        if workflow.enabled and _matches(workflow, document, trigger):
            for action in workflow.actions:
                if action["type"] == WEBHOOK_ACTION:
                    _queue(state, document, action["webhook"])


def _matches(workflow: Workflow, document: Document, trigger: int) -> bool:
    return any(t["type"] == trigger and _tags_match(t, document.tags) for t in workflow.triggers)


def _tags_match(trigger: dict[str, Any], tags: set[int]) -> bool:
    some, every = trigger.get("filter_has_tags") or [], trigger.get("filter_has_all_tags") or []
    none = trigger.get("filter_has_not_tags") or []
    return (not some or not tags.isdisjoint(some)) and tags.issuperset(every) and tags.isdisjoint(none)


def _queue(state: State, document: Document, webhook: dict[str, Any]) -> None:
    message = _message(state, document, webhook)
    if message is not None:
        backoff_s = state.options.webhook_backoff_s
        state.enqueue_outside(lambda: _send(message, backoff_s))


def _message(state: State, document: Document, webhook: dict[str, Any]) -> Message | None:
    names = _placeholders(state, document)
    headers = {k: v for k, v in (webhook.get("headers") or {}).items() if k.lower() != "host"}
    headers = {"User-Agent": "python-httpx/0.28.1", **{str(k): str(v) for k, v in headers.items()}}
    if not webhook.get("use_params", True):
        try:
            return webhook["url"], _fill(webhook.get("body") or "", names).encode(), headers
        except UnknownPlaceholder:
            return None
    try:
        params = {key: _fill(value, names) for key, value in (webhook.get("params") or {}).items()}
    except UnknownPlaceholder:
        params = {}
    if webhook.get("include_document"):
        kind, body = _multipart(params, document)
    elif webhook.get("as_json"):
        kind, body = "application/json", json.dumps(params).encode()
    else:
        kind, body = "application/x-www-form-urlencoded", urlencode(params).encode()
    return webhook["url"], body, {"Content-Type": kind, **headers}


def _placeholders(state: State, document: Document) -> dict[str, str]:
    owner = state.users.get(document.owner or 0)
    known = {
        "doc_url": f"{state.options.public_url}{state.script_name}/documents/{document.id}/",
        "doc_title": document.title,
        "owner_username": owner.username if owner else "",
        "correspondent": _name(state.correspondents.get(document.correspondent or 0)),
        "document_type": _name(state.document_types.get(document.document_type or 0)),
        "original_filename": PurePath(document.original_filename).stem,
        "filename": PurePath(document.original_filename).stem,
        "added": document.added.isoformat(),
        "created": document.created.isoformat(),
    }
    if state.major >= 3:
        known["doc_id"] = str(document.id)
    return known


def _name(row: Any) -> str:
    return "" if row is None else str(row.name)


def _fill(template: str, names: dict[str, str]) -> str:
    def value(match: re.Match[str]) -> str:
        try:
            return names[match[1]]
        except KeyError:
            raise UnknownPlaceholder(match[1]) from None

    return re.sub(r"\{\{\s*(\w+)\s*\}\}", value, template)


def _multipart(params: dict[str, str], document: Document) -> tuple[str, bytes]:
    mark = uuid.uuid4().hex
    parts = [f'name="{name}"\r\n\r\n{value}'.encode() for name, value in params.items()]
    head = (
        f'name="file"; filename="{document.original_filename}"\r\nContent-Type: {document.mime_type}\r\n\r\n'
    )
    parts.append(head.encode() + document.file_bytes)
    start = f"--{mark}\r\nContent-Disposition: form-data; ".encode()
    body = b"\r\n".join(start + part for part in parts) + f"\r\n--{mark}--\r\n".encode()
    return f"multipart/form-data; boundary={mark}", body


def _send(message: Message, backoff_s: float) -> None:
    """An error status is tried again, a connection error is not; the event is lost in the end."""
    url, body, headers = message
    for attempt in range(ATTEMPTS):
        if attempt:
            time.sleep(backoff_s)
        try:
            with urllib.request.urlopen(
                urllib.request.Request(url, body, headers, method="POST"), timeout=TIMEOUT_S
            ) as answer:
                answer.read()
                return
        except urllib.error.HTTPError:
            continue
        except OSError:
            return
