"""A request and an answer as the fake's endpoints see them, and how they refuse."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .rows import User
    from .state import State

JSON = "application/json"
HTML = "text/html; charset=utf-8"
PAGE_SIZE, MAX_PAGE_SIZE = 25, 100_000

LOGIN_HTML = (
    "<!doctype html><html><head><title>Paperless-ngx sign in</title></head>"
    '<body><form method="post"><input name="login"><input name="password"></form></body></html>'
)


@dataclass(frozen=True, slots=True)
class Request:
    """One call to the API by a known user, its body already parsed; a file is its name and its bytes."""

    ids: Mapping[str, int]
    query: Mapping[str, str]
    user: User
    data: dict[str, Any]
    files: Mapping[str, tuple[str, bytes]]

    @property
    def id(self) -> int:
        return self.ids["id"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What goes back over the socket."""

    status: int = 200
    body: bytes = b""
    content_type: str = JSON
    headers: tuple[tuple[str, str], ...] = ()


Handler = Callable[["State", Request], Answer]


@dataclass(frozen=True, slots=True)
class Route:
    """A method and a path below ``/api/`` with the function that serves it, and the permission that the user's role needs."""

    method: str
    pattern: re.Pattern[str]
    handler: Handler
    permission: str
    since_major: int


def route(method: str, path: str, handler: Handler, permission: str = "", *, since_major: int = 2) -> Route:
    """``<id>`` in the path stands for digits; the path is matched whole."""
    regex = re.sub(r"<(\w+)>", r"(?P<\1>\\d+)", path)
    return Route(method, re.compile(f"^{regex}$"), handler, permission, since_major)


class Refused(Exception):
    """An endpoint says no, in JSON or in a bare sentence. Django labels that HTML, so the content type does not tell them
    apart."""

    def __init__(self, status: int, words: object) -> None:
        super().__init__(status)
        self.answer = html(status, words) if isinstance(words, str) else ok(words, status)


def ok(value: object, status: int = 200) -> Answer:
    return Answer(status, json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def html(status: int, body: str, headers: tuple[tuple[str, str], ...] = ()) -> Answer:
    return Answer(status, body.encode(), HTML, headers)


def missing(words: str = "Not found.") -> Refused:
    return Refused(404, {"detail": words})


def forbidden_model() -> Refused:
    """The user's role lacks the right for this kind of object."""
    return Refused(403, {"detail": "You do not have permission to perform this action."})


def forbidden_object(words: str = "Insufficient permissions") -> Refused:
    """The role is fine, but this very object belongs to somebody else: plain text, no JSON."""
    return Refused(403, words)


def paged(request: Request, rows: Sequence[Any], show: Callable[[Any], Any]) -> Answer:
    """``all`` has the ids of every page up to API version 9."""
    size = min(int(request.query.get("page_size", 0)) or PAGE_SIZE, MAX_PAGE_SIZE)
    page, last = int(request.query.get("page", "1")), max(1, -(-len(rows) // size))
    if not 1 <= page <= last:
        raise missing("Invalid page.")
    return ok(
        {
            "count": len(rows),
            # Behind a proxy it may name an address that the caller cannot reach.
            "next": f"http://paperless.internal/?page={page + 1}" if page < last else None,
            "all": [row.id for row in rows],
            "results": [show(row) for row in rows[(page - 1) * size : page * size]],
        }
    )
