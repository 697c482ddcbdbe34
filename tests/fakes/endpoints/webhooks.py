"""Workflow webhooks: which workflows an event sets off, and the POST Paperless would send for each.

Every webhook is one more job on the same queue as everything else.
"""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import Any

from ..rows.models import Document
from ..rows.state import State

WEBHOOK_ACTION = 4
TIMEOUT_S = 5.0
ATTEMPTS = 4  # the first and three retries, after HTTP error statuses only


def fire(state: State, document: Document, trigger: int) -> None:
    """Queue the webhooks of every enabled workflow that matches; file versions set off nothing."""
    if not state.options.fire_webhooks or document.root is not None:
        return
    for workflow in state.workflows.values():
        if workflow.enabled and trigger in [one["type"] for one in workflow.triggers]:
            for action in workflow.actions:
                _queue(state, document, action["webhook"])


def _queue(state: State, document: Document, webhook: dict[str, Any]) -> None:
    """As JSON with parameters, which is the shape that the product asks for."""
    link = f"None/documents/{document.id}/"  # without PAPERLESS_URL
    parameters = {key: value.replace("{{doc_url}}", link) for key, value in webhook["params"].items()}
    headers = {"Content-Type": "application/json", **webhook["headers"]}
    request = urllib.request.Request(webhook["url"], json.dumps(parameters).encode(), headers, method="POST")
    state.enqueue_outside(lambda: _send(request))


def _send(request: urllib.request.Request) -> None:
    """An error status is tried again, a connection error is not; the event is lost in the end."""
    for _ in range(ATTEMPTS):
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:
                answer.read()
                return
        except urllib.error.HTTPError:
            continue
        except OSError:
            return
