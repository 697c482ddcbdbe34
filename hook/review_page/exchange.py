"""A request and a reply as the site knows them, without a web server; and what a person asked for in an address."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qsl, urlencode

from dedupe_core.model import Relation
from hook.errors import DedupeError
from hook.index.ids import parse_id
from hook.review.journal import Do
from hook.review_page.plan import Chosen
from hook.review_page.render.html import Html
from hook.settings.types import RELATIONS

LONGEST_FIELD: Final = 256


class LoggedOutError(DedupeError):
    """There is no session, or Paperless does not accept its token any more."""


class ForgedError(DedupeError):
    """The form does not have the token of the session."""


class BusyError(DedupeError):
    """Too many requests are waiting: of this person (429), or of all (503)."""

    def __init__(self, status: int) -> None:
        super().__init__(f"too many requests ({status})")
        self.status = status


@dataclass(frozen=True, slots=True)
class Question:
    """A request, as far as a page needs it. `fields` are those of the form, `address` is where it came from."""

    query: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, list[str]] = field(default_factory=dict, repr=False)
    cookie: str = field(default="", repr=False)
    number: int = 0
    address: str = ""
    wants_json: bool = False

    def field(self, name: str) -> str:
        return self.fields.get(name, [""])[-1]


@dataclass(frozen=True, slots=True)
class Reply:
    """`cookie`: None leaves it as it is, "" ends the session."""

    body: bytes
    status: int = 200
    content_type: str = "text/html; charset=utf-8"
    location: str | None = None
    cookie: str | None = None
    retry_after_s: int = 0


def page(html: Html, status: int = 200, **more: object) -> Reply:
    return Reply(html.encode("utf-8", "replace"), status, **more)  # type: ignore[arg-type]  # as named above


def json_reply(data: Mapping[str, object], status: int = 200) -> Reply:
    return Reply(json.dumps(data).encode("ascii"), status, "application/json")


@dataclass(frozen=True, slots=True)
class Asked:
    """What a person asked for in the address of the page."""

    relation: Relation | None = None
    correspondent: int | None = None
    page: int = 1


def asked_in(query: Mapping[str, str]) -> Asked:
    """What cannot be read counts as not asked for."""
    correspondent, page = query.get("correspondent", ""), query.get("page", "")
    relation = next((relation for relation in RELATIONS if relation.value == query.get("relation")), None)
    return Asked(relation, parse_id(correspondent), parse_id(page) or 1)


def query_of(asked: Asked, **changes: object) -> str:
    values = {
        "relation": asked.relation.value if asked.relation else "",
        "correspondent": asked.correspondent or "",
        "page": asked.page if asked.page > 1 else "",
        **changes,
    }
    return urlencode({name: value for name, value in values.items() if value != ""})


def chosen_of(question: Question) -> Chosen:
    """In a form, or in the address of a plan; what cannot be read counts as not chosen."""
    do, keep = (question.field(name) or question.query.get(name, "") for name in ("do", "keep"))
    looked = frozenset(key[:LONGEST_FIELD] for key in question.fields.get("looked", []))
    return Chosen(Do(do) if do in (Do.TRASH, Do.KEEP, Do.VERSION) else None, parse_id(keep), looked)


def address_back(question: Question) -> str:
    """Of the list from which a form was sent."""
    back = query_of(asked_in(dict(parse_qsl(question.field("back")[:LONGEST_FIELD]))))
    return f"./?{back}" if back else "."
