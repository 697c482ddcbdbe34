"""Checks whether events reach the service, with the address and the secret that Paperless would use."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Iterator, Mapping
from typing import Final
from urllib.parse import urlsplit

from hook.commands.check.line import Line, fail, ok, warn
from hook.commands.check.script import WHERE
from hook.errors import PaperlessError, RightsError
from hook.paperless.client import Paperless
from hook.paperless.webhooks import TRIGGERS, ours, targets
from hook.settings.environment import SECRET_HEADER
from hook.settings.model import Settings

INTERNAL: Final = "PAPERLESS_WEBHOOKS_ALLOW_INTERNAL_REQUESTS"
TIMEOUT_S: Final = 5.0  # as Paperless's own
_SETUP: Final = "Run `paperless-dedupe setup --webhooks URL` once more, with the secret of the service set."


def webhook_lines(client: Paperless, environ: Mapping[str, str]) -> Iterator[Line]:
    """No lines if there are no workflows of ours: the service is optional."""
    try:
        there = ours(client)
    except RightsError:
        yield warn("webhooks", "the token's user cannot see workflows, so webhooks cannot be checked")
        return
    except PaperlessError as error:
        yield fail("webhooks", str(error))
        return
    if not there:
        return
    if missing := sorted(TRIGGERS.keys() - {name for name, workflow in there.items() if workflow.enabled}):
        yield warn("webhooks", f"missing or disabled: workflow {', '.join(missing)}", _SETUP)
    if environ.get(INTERNAL, "").strip().lower() in ("false", "no", "0", "off"):
        yield fail("webhooks", f"{INTERNAL} prevents Paperless from posting to a service in its own network")
    for url, secret in sorted({target for workflow in there.values() for target in targets(workflow)}):
        yield _probe(url.removesuffix("/events"), secret)


def report_only_lines(settings: Settings) -> list[Line]:
    """That nothing has to report documents to the service, if one answers here that writes nothing to Paperless."""
    connection = http.client.HTTPConnection(settings.serve_host, settings.serve_port, timeout=TIMEOUT_S)
    try:
        connection.request("GET", "/healthz")
        health = json.loads(connection.getresponse().read(256))
    except (OSError, http.client.HTTPException, ValueError):
        return []
    finally:
        connection.close()
    if not isinstance(health, dict) or health.get("report_only") is not True:
        return []
    if settings.sweep_minutes == 0:
        text = "the service runs with --report-only and without periodic syncs: no document is examined"
        return [warn("hook", text, "Set DEDUPE_SWEEP_MINUTES to another value than 0, or remove it.")]
    text = "the service runs with --report-only: its periodic sync examines new documents, without hook or webhooks"
    return [ok("hook", text)]


def _probe(url: str, secret: str) -> Line:
    """Requests /metrics, which needs the secret and changes nothing."""
    try:
        status, is_ours = _metrics(url, secret)
    except socket.gaierror:
        return warn("webhooks", f"the host name in {url} cannot be resolved here", WHERE)
    except (OSError, http.client.HTTPException) as error:
        text = f"the service does not answer at {url} ({error})"
        return fail("webhooks", text, "Start the service, or correct the address.")
    if status == 401:
        return fail("webhooks", f"the service at {url} rejects the secret", _SETUP)
    if status != 200 or not is_ours:
        return fail("webhooks", f"the program at {url} is not paperless-dedupe (status {status})", _SETUP)
    return ok("webhooks", f"the service answers at {url} and accepts the secret")


def _metrics(url: str, secret: str) -> tuple[int, bool]:
    parts = urlsplit(url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.hostname or "", parts.port, timeout=TIMEOUT_S)
    try:
        connection.request("GET", f"{parts.path}/metrics", headers={SECRET_HEADER: secret} if secret else {})
        answer = connection.getresponse()
        return answer.status, b"dedupe_" in answer.read(256)
    finally:
        connection.close()
