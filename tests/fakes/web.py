"""A request and an answer as the fake's endpoints see them, and the refusals in Paperless's own words."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .rows.models import User
    from .rows.state import State

JSON = "application/json"
HTML = "text/html; charset=utf-8"

LOGIN_HTML = (
    "<!doctype html><html><head><title>Paperless-ngx sign in</title></head>"
    '<body><form method="post"><input name="login"><input name="password"></form></body></html>'
)


@dataclass(frozen=True, slots=True)
class Upload:
    """One file of a multipart body."""

    filename: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Request:
    """One call to the API by a known user, its body already parsed."""

    path: str
    query: Mapping[str, str]
    user: User
    base_url: str
    data: dict[str, Any]
    files: Mapping[str, Upload] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer:
    """What goes back over the socket."""

    status: int = 200
    body: bytes = b""
    content_type: str = JSON
    headers: tuple[tuple[str, str], ...] = ()


Handler = Callable[["State", Request, Mapping[str, str]], Answer]


@dataclass(frozen=True, slots=True)
class Route:
    """A method and a path below ``/api/`` with the function that serves it."""

    method: str
    pattern: re.Pattern[str]
    handler: Handler
    since_major: int = 2


def route(method: str, path: str, handler: Handler, since_major: int = 2) -> Route:
    """``<id>`` in the path stands for digits; the path is matched whole."""
    regex = re.sub(r"<(\w+)>", r"(?P<\1>\\d+)", path)
    return Route(method, re.compile(f"^{regex}$"), handler, since_major)


class Refused(Exception):
    """An endpoint says no; carries the whole answer."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.status)
        self.answer = answer


def encode(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def ok(value: object, status: int = 200) -> Answer:
    return Answer(status, encode(value))


def no_content() -> Answer:
    return Answer(204, b"")


def text(status: int, words: str) -> Answer:
    """A bare sentence. Django labels it HTML all the same, so a client cannot tell by the content type."""
    return Answer(status, words.encode(), HTML)


def html(status: int, body: str, headers: tuple[tuple[str, str], ...] = ()) -> Answer:
    return Answer(status, body.encode(), HTML, headers)


def invalid(errors: object) -> Refused:
    return Refused(ok(errors, 400))


def invalid_pk(name: str, value: object) -> Refused:
    return invalid({name: [f'Invalid pk "{value}" - object does not exist.']})


def missing(words: str = "Not found.") -> Refused:
    return Refused(ok({"detail": words}, 404))


def no_document() -> Refused:
    return missing("No Document matches the given query.")


def forbidden_model() -> Refused:
    """The user's role lacks the right for this kind of object."""
    return Refused(ok({"detail": "You do not have permission to perform this action."}, 403))


def forbidden_object(words: str = "Insufficient permissions") -> Refused:
    """The role is fine, but this very object belongs to somebody else: plain text, no JSON."""
    return Refused(text(403, words))


def forbidden_target() -> Refused:
    """A document link points at a document the user may not change."""
    return Refused(ok({"detail": "Insufficient permissions."}, 403))


def allow(user: User, codename: str) -> None:
    """Refuse unless the user's role has the model permission, for example ``add_tag``."""
    if not user.may(codename):
        raise forbidden_model()
