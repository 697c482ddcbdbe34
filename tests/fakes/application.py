"""From a raw request to an answer: version, token, body, route, in the order of the real server."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from email.message import Message
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from . import documents, labels, tasks
from .rows import ALL_PERMISSIONS, User
from .state import State
from .web import LOGIN_HTML, Answer, Refused, Request, forbidden_model, html, ok, route

TOKENS_PER_MINUTE = 5


@dataclass(frozen=True, slots=True)
class Incoming:
    """A request as it came from the socket."""

    method: str
    target: str
    headers: Message
    body: bytes

    @property
    def path(self) -> str:
        return unquote(urlsplit(self.target).path)

    @property
    def query(self) -> dict[str, str]:
        return dict(parse_qsl(urlsplit(self.target).query, keep_blank_values=True))

    @property
    def token(self) -> str:
        return str(self.headers.get("Authorization", "")).partition("Token ")[2]


def ui_settings(state: State, request: Request) -> Answer:
    """The caller and every right of his role: the one call a set-up check needs."""
    user = request.user
    who = {"id": user.id, "username": user.username, "is_superuser": user.is_superuser}
    rights = sorted(ALL_PERMISSIONS if user.is_superuser else user.permissions)
    return ok({"user": who, "settings": {"version": state.version}, "permissions": rights})


ROUTES = (
    *tasks.ROUTES,
    *documents.ROUTES,
    *labels.ROUTES,
    route("GET", "ui_settings/", ui_settings, "view_uisettings"),
)


class Application:
    """The archive behind its API."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.tokens: dict[str, User] = {}
        self._log_ins: list[dt.datetime] = []
        self._routes = [known for known in ROUTES if known.since_major <= state.major]
        self._versions = range(9, 11) if state.major >= 3 else range(1, 10)

    def answer(self, raw: Incoming) -> Answer:
        path = raw.path.removeprefix("/api/") if raw.path.startswith("/api/") else ""
        is_known = path == "token/" or any(known.pattern.match(path) for known in self._routes)
        if not is_known:
            return _outside_api(raw)
        asked = re.search(r"; version=(\d+)", raw.headers.get("Accept", ""))
        if asked is None or int(asked[1]) not in self._versions:
            return ok({"detail": 'Invalid version in "Accept" header.'}, 406)
        with self.state.lock:
            if path == "token/":
                return self._log_in(json.loads(raw.body))
            if (user := self.tokens.get(raw.token)) is None:
                return ok({"detail": "Invalid token."}, 401)
            answer = self._dispatch(raw, path, user)
        stamp = (("X-Api-Version", str(self._versions[-1])), ("X-Version", self.state.version))
        return replace(answer, headers=(*answer.headers, *stamp))

    def _log_in(self, data: Mapping[str, Any]) -> Answer:
        """The one call without a token; Paperless 3 allows it five times a minute."""
        now = self.state.now()
        self._log_ins = [at for at in self._log_ins if now - at < dt.timedelta(minutes=1)]
        if self.state.major >= 3 and len(self._log_ins) >= TOKENS_PER_MINUTE:
            wait_s = str(60 - int((now - self._log_ins[0]).total_seconds()))
            return replace(ok({"detail": "Request was throttled."}, 429), headers=(("Retry-After", wait_s),))
        self._log_ins.append(now)
        for user in self.state.users.values():
            if (user.username, user.password) == (data["username"], data["password"]) and user.token:
                return ok({"token": user.token})
        return ok({"non_field_errors": ["Unable to log in with provided credentials."]}, 400)

    def _dispatch(self, raw: Incoming, path: str, user: User) -> Answer:
        for known in self._routes:
            if known.method == raw.method and (match := known.pattern.match(path)):
                data, files = _parsed(raw)
                ids = {name: int(number) for name, number in match.groupdict().items()}
                try:
                    if known.permission and not user.may(known.permission):
                        raise forbidden_model()
                    return known.handler(self.state, Request(ids, raw.query, user, data, files))
                except Refused as refused:
                    return refused.answer
        return ok({"detail": f'Method "{raw.method}" not allowed.'}, 405)


def _outside_api(raw: Incoming) -> Answer:
    """Every other path is the web page: it wants a session, a token does not count.

    This is what an endpoint that this version lacks, or a forgotten trailing slash, looks like.
    """
    if raw.method != "GET":
        return html(403, "<!doctype html><h1>Forbidden (403)</h1><p>CSRF verification failed.</p>")
    if raw.path == "/accounts/login/":
        return html(200, LOGIN_HTML)
    return html(302, "", (("Location", f"/accounts/login/?next={raw.target}"),))


def _parsed(raw: Incoming) -> tuple[dict[str, Any], dict[str, tuple[str, bytes]]]:
    kind = raw.headers.get("Content-Type", "")
    if not kind.startswith("multipart/form-data"):
        return json.loads(raw.body or b"{}"), {}
    mark = b"--" + kind.partition("boundary=")[2].strip('"').encode()
    fields: dict[str, Any] = {}
    files: dict[str, tuple[str, bytes]] = {}
    for part in raw.body.split(mark)[1:-1]:
        head, _, data = part.removeprefix(b"\r\n").removesuffix(b"\r\n").partition(b"\r\n\r\n")
        named = dict(re.findall(r'[; ](name|filename)="([^"]*)"', head.decode()))
        if "filename" in named:
            files[named["name"]] = named["filename"], data
        else:
            fields[named["name"]] = data.decode()
    return fields, files
