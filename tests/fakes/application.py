"""From a raw request to an answer: version, token, body, route, in the order of the real server."""

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
    documents,
    files,
    notes,
    trash,
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
    *trash.ROUTES,
    *account.ROUTES,
)


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
    """The archive behind its API."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.tokens: dict[str, User] = {}

    @property
    def api_versions(self) -> range:
        return range(9, 11) if self.state.major >= 3 else range(1, 10)

    def answer(self, raw: Incoming) -> Answer:
        path = unquote(urlsplit(raw.target).path)
        found = self._routes(path)
        if found or path == "/api/token/":
            return self._api(raw, path, found)
        return self._outside_api(raw, path)

    def _routes(self, path: str) -> list[Route]:
        if not path.startswith("/api/"):
            return []
        known = (route for route in ROUTES if route.since_major <= self.state.major)
        return [route for route in known if route.pattern.match(path.removeprefix("/api/"))]

    def _outside_api(self, raw: Incoming, path: str) -> Answer:
        """Every other path is the web page: it wants a session, a token does not count.

        This is what an endpoint that this version lacks, or a forgotten trailing slash, looks like.
        """
        if raw.method != "GET":
            words = "CSRF verification failed. Request aborted."
            return html(403, f"<!doctype html><h1>Forbidden (403)</h1><p>{words}</p>")
        if path == "/accounts/login/":
            return html(200, LOGIN_HTML)
        return _redirect(f"/accounts/login/?next={raw.target}")

    def _api(self, raw: Incoming, path: str, found: list[Route]) -> Answer:
        try:
            self._check_version(raw.header("Accept"))
            if path == "/api/token/":
                return self._token(raw)
            user = self._user(raw.header("Authorization"))
        except Refused as refused:
            return refused.answer
        try:
            answer = self._dispatch(raw, path, found, user)
        except Refused as refused:
            answer = refused.answer
        stamp = (("X-Api-Version", str(self.api_versions[-1])), ("X-Version", self.state.version))
        return Answer(answer.status, answer.body, answer.content_type, (*answer.headers, *stamp))

    def _check_version(self, accept: str) -> None:
        asked = re.search(r"; version=(\d+)", accept)
        if asked is None or int(asked[1]) not in self.api_versions:
            raise Refused(ok({"detail": 'Invalid version in "Accept" header.'}, 406))

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
        with self.state.lock:
            return account.obtain_token(self.state, json.loads(raw.body))

    def _dispatch(self, raw: Incoming, path: str, found: list[Route], user: User) -> Answer:
        route = next((route for route in found if route.method == raw.method), None)
        if route is None:
            return ok({"detail": f'Method "{raw.method}" not allowed.'}, 405)
        data, uploads = _parse(raw)
        request = Request(
            path=path,
            query=dict(parse_qsl(urlsplit(raw.target).query, keep_blank_values=True)),
            user=user,
            base_url=f"http://{raw.header('Host')}",
            data=data,
            files=uploads,
        )
        match = route.pattern.match(path.removeprefix("/api/"))
        with self.state.lock:
            return route.handler(self.state, request, match.groupdict() if match else {})


def _redirect(location: str) -> Answer:
    return html(302, "", (("Location", location),))


def _unauthorized(words: str) -> Refused:
    return Refused(
        Answer(401, encode({"detail": words}), headers=(("WWW-Authenticate", 'Basic realm="api"'),))
    )


def _parse(raw: Incoming) -> tuple[Any, dict[str, Upload]]:
    kind = raw.header("Content-Type")
    if not kind.startswith("multipart/form-data"):
        return json.loads(raw.body or b"{}"), {}
    mark = b"--" + kind.partition("boundary=")[2].strip('"').encode()
    fields: dict[str, Any] = {}
    uploads: dict[str, Upload] = {}
    for part in raw.body.split(mark)[1:-1]:
        head, _, data = part.removeprefix(b"\r\n").removesuffix(b"\r\n").partition(b"\r\n\r\n")
        named = dict(re.findall(r'[; ](name|filename)="([^"]*)"', head.decode()))
        if "filename" in named:
            uploads[named["name"]] = Upload(named["filename"], data)
        else:
            fields[named["name"]] = data.decode()
    return fields, uploads
