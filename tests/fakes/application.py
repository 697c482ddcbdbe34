"""From a raw request to an answer: host, version, token, body, route, in the order of the real server."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from . import consumption
from .endpoints import (
    account,
    bulk,
    catalog,
    customfields,
    documents,
    files,
    notes,
    savedviews,
    trash,
    workflows,
)
from .rows.models import User
from .rows.state import State
from .web import LOGIN_HTML, Answer, Refused, Request, Route, Upload, encode, html, ok

ROUTES: tuple[Route, ...] = (
    *bulk.ROUTES,
    *consumption.ROUTES,
    *documents.ROUTES,
    *notes.ROUTES,
    *files.ROUTES,
    *catalog.ROUTES,
    *customfields.ROUTES,
    *savedviews.ROUTES,
    *workflows.ROUTES,
    *trash.ROUTES,
    *account.ROUTES,
)
_JSON_ONLY = {"/api/documents/bulk_edit/", "/api/documents/delete/"}


@dataclass(frozen=True, slots=True)
class Incoming:
    """A request as it came from the socket."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes

    def header(self, name: str) -> str:
        return next((v for k, v in self.headers.items() if k.lower() == name.lower()), "")


class Application:
    """The archive behind its API; ``allowed_hosts`` None means any."""

    def __init__(self, state: State, allowed_hosts: set[str] | None = None) -> None:
        self.state = state
        self.allowed_hosts = allowed_hosts
        self.tokens: dict[str, User] = {}

    @property
    def api_versions(self) -> range:
        return range(9, 11) if self.state.major >= 3 else range(1, 10)

    def answer(self, raw: Incoming) -> Answer:
        if not self._is_allowed(raw.header("Host")):
            return html(400, "<!doctype html><html><body><h1>Bad Request (400)</h1></body></html>")
        path = unquote(urlsplit(raw.target).path)
        if not path.startswith(f"{self.state.script_name}/"):
            return html(404, "<!doctype html><html><body><h1>Not Found</h1></body></html>")
        path = path.removeprefix(self.state.script_name)
        found = self._routes(path)
        if found or path == "/api/token/" or _is_detail(path):
            return self._api(raw, path, found)
        return self._outside_api(raw, path)

    def _is_allowed(self, host: str) -> bool:
        """``localhost`` always is, ``127.0.0.1`` and a container's name are not."""
        return self.allowed_hosts is None or host.split(":")[0] in self.allowed_hosts | {"localhost"}

    def _routes(self, path: str) -> list[Route]:
        if not path.startswith("/api/"):
            return []
        known = (route for route in ROUTES if route.since_major <= self.state.major)
        return [route for route in known if route.pattern.match(path.removeprefix("/api/"))]

    def _outside_api(self, raw: Incoming, path: str) -> Answer:
        """Every other path is the web page: it wants a session, a token does not count.

        This is what an endpoint that this version lacks, or a forgotten trailing slash, looks like.
        """
        if path == "/api/":
            return _redirect("schema/view/")
        if path == "/api/schema/view/":
            return html(200, "<!doctype html><title>Swagger</title>")
        if raw.method not in ("GET", "HEAD"):
            words = "CSRF verification failed. Request aborted."
            return html(403, f"<!doctype html><h1>Forbidden (403)</h1><p>{words}</p>")
        if path == "/accounts/login/":
            return html(200, LOGIN_HTML)
        return _redirect(f"{self.state.script_name}/accounts/login/?next={raw.target}")

    def _api(self, raw: Incoming, path: str, found: list[Route]) -> Answer:
        try:
            version = self._version(raw.header("Accept"))
            if path == "/api/token/":
                return self._token(raw)
            user = self._user(raw.header("Authorization"))
        except Refused as refused:
            return refused.answer
        try:
            answer = self._dispatch(raw, path, found, user, version)
        except Refused as refused:
            answer = refused.answer
        stamp = (("X-Api-Version", str(self.api_versions[-1])), ("X-Version", self.state.version))
        return Answer(answer.status, answer.body, answer.content_type, (*answer.headers, *stamp))

    def _version(self, accept: str) -> int:
        asked = re.search(r";\s*version=([^;,\s]+)", accept)
        if asked is None:
            return self.api_versions[-1]
        if not asked[1].isdigit() or int(asked[1]) not in self.api_versions:
            raise Refused(ok({"detail": 'Invalid version in "Accept" header.'}, 406))
        return int(asked[1])

    def _user(self, authorization: str) -> User:
        scheme, _, token = authorization.partition(" ")
        if scheme.lower() != "token":
            raise _unauthorized("Authentication credentials were not provided.")
        with self.state.lock:
            user = self.tokens.get(token.strip())
        if user is None:
            raise _unauthorized("Invalid token.")
        return user

    def _token(self, raw: Incoming) -> Answer:
        if raw.method != "POST":
            return _not_allowed(raw.method)
        data, _ = _parse(raw)
        with self.state.lock:
            return account.obtain_token(self.state, data if isinstance(data, dict) else {})

    def _dispatch(self, raw: Incoming, path: str, found: list[Route], user: User, version: int) -> Answer:
        method = "GET" if raw.method == "HEAD" else raw.method
        route = next((r for r in found if r.method == method), None)
        if route is None:
            return (
                ok({"detail": "Not found."}, 404) if method == "GET" and not found else _not_allowed(method)
            )
        if path in _JSON_ONLY and not raw.header("Content-Type").startswith("application/json"):
            kind = raw.header("Content-Type")
            return ok({"detail": f'Unsupported media type "{kind}" in request.'}, 415)
        body, uploads = _parse(raw)
        request = Request(
            method=raw.method,
            path=self.state.script_name + path,
            query=dict(parse_qsl(urlsplit(raw.target).query, keep_blank_values=True)),
            user=user,
            api_version=version,
            base_url=f"http://{raw.header('Host')}",
            body=body,
            files=uploads,
        )
        match = route.pattern.match(path.removeprefix("/api/"))
        with self.state.lock:
            return route.handler(self.state, request, match.groupdict() if match else {})


def _is_detail(path: str) -> bool:
    """``/api/documents/delete/`` on 2.20: taken for a document whose id is no number."""
    return (
        re.match(r"^/api/(documents|tags|custom_fields|saved_views|workflows|users)/[^/.]+/$", path)
        is not None
    )


def _redirect(location: str) -> Answer:
    return html(302, "", (("Location", location),))


def _unauthorized(words: str) -> Refused:
    return Refused(
        Answer(401, encode({"detail": words}), headers=(("WWW-Authenticate", 'Basic realm="api"'),))
    )


def _not_allowed(method: str) -> Answer:
    return ok({"detail": f'Method "{method}" not allowed.'}, 405)


def _parse(raw: Incoming) -> tuple[Any, dict[str, Upload]]:
    kind = raw.header("Content-Type")
    if not raw.body:
        return {}, {}
    if kind.startswith("multipart/form-data"):
        return _multipart(kind, raw.body)
    if kind.startswith("application/x-www-form-urlencoded"):
        return dict(parse_qsl(raw.body.decode(), keep_blank_values=True)), {}
    if not kind.startswith("application/json"):
        raise Refused(ok({"detail": f'Unsupported media type "{kind}" in request.'}, 415))
    try:
        return json.loads(raw.body), {}
    except ValueError as error:
        raise Refused(ok({"detail": f"JSON parse error - {error}"}, 400)) from None


def _multipart(kind: str, body: bytes) -> tuple[dict[str, Any], dict[str, Upload]]:
    """Fields named twice become a list, as ``tags`` in an upload does."""
    mark = b"--" + kind.partition("boundary=")[2].strip('"').encode()
    fields: dict[str, Any] = {}
    uploads: dict[str, Upload] = {}
    for part in body.split(mark)[1:-1]:
        head, _, data = part.removeprefix(b"\r\n").removesuffix(b"\r\n").partition(b"\r\n\r\n")
        named = dict(re.findall(r'[; ](name|filename)="([^"]*)"', head.decode()))
        name = named["name"]
        if "filename" in named:
            uploads[name] = Upload(named["filename"], data)
        elif name in fields:
            earlier = fields[name] if isinstance(fields[name], list) else [fields[name]]
            fields[name] = [*earlier, data.decode()]
        else:
            fields[name] = data.decode()
    return fields, uploads
