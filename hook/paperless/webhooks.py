"""The two workflows in Paperless that notify the service: one for added documents, one for updated ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from hook.errors import SettingsError
from hook.paperless.client import Paperless
from hook.paperless.values import Workflow
from hook.settings.environment import SECRET_HEADER
from hook.settings.types import WebAddress

TRIGGERS: Final = {"paperless-dedupe: document added": 2, "paperless-dedupe: document updated": 3}
WEBHOOK: Final = 4
ORDER: Final = 1000  # after the users' own workflows, which may set the owner
# Nothing else: 2.20 does not know {{doc_id}}, and sends an empty object if a template names it.
PARAMETERS: Final = {"doc_url": "{{doc_url}}"}


def events_url(address: str) -> str:
    """The URL to post to, for the address of a service with or without /events."""
    try:
        base = TypeAdapter[str](WebAddress).validate_python(address)
    except ValidationError:
        raise SettingsError(f"--webhooks: {address!r} is not an address like http://dedupe:8642") from None
    return base if base.endswith("/events") else f"{base}/events"


def ensure(client: Paperless, url: str, secret: str | None) -> Iterator[tuple[str, bool, bool]]:
    """Makes sure that each workflow exists, is enabled, and posts to this address with this secret; its name, and whether it
    was created or changed."""
    existing = ours(client)
    for name, trigger in TRIGGERS.items():
        workflow, wanted = existing.get(name), _workflow(name, trigger, url, secret)
        changed = workflow is not None and not _is_as_wanted(workflow, trigger, url, secret)
        if workflow is None:
            client.create_workflow(wanted)
        elif changed:
            client.patch_workflow(workflow.id, wanted)
        yield name, workflow is None, changed


def ours(client: Paperless) -> dict[str, Workflow]:
    return {workflow.name: workflow for workflow in client.workflows() if workflow.name in TRIGGERS}


def targets(workflow: Workflow) -> list[tuple[str, str]]:
    """The addresses that it posts to, each with the secret that it sends."""
    hooks = [action.get("webhook") or {} for action in _list(workflow.raw.get("actions"))]
    return [(str(hook["url"]), _secret(hook)) for hook in hooks if hook.get("url")]


def _secret(hook: Mapping[str, Any]) -> str:
    headers = hook.get("headers")
    return str(headers.get(SECRET_HEADER, "")) if isinstance(headers, dict) else ""


def _workflow(name: str, trigger: int, url: str, secret: str | None) -> dict[str, Any]:
    hook = {
        "url": url,
        "use_params": True,
        "as_json": True,
        "params": PARAMETERS,
        "headers": {SECRET_HEADER: secret} if secret else {},
        "include_document": False,
    }
    return {
        "name": name,
        "order": ORDER,
        "enabled": True,
        "triggers": [{"type": trigger}],
        "actions": [{"type": WEBHOOK, "webhook": hook}],
    }


def _is_as_wanted(workflow: Workflow, trigger: int, url: str, secret: str | None) -> bool:
    triggers = [entry.get("type") for entry in _list(workflow.raw.get("triggers"))]
    hooks = [action.get("webhook") or {} for action in _list(workflow.raw.get("actions"))]
    return (
        workflow.enabled
        and triggers == [trigger]
        and targets(workflow) == [(url, secret or "")]
        and all(hook.get("use_params") and hook.get("params") == PARAMETERS for hook in hooks)
    )


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
