"""Reads which document an event is about: webhooks as JSON, and the form that scripts/forward.sh posts.

A body comes from the network, so nothing of it is trusted, and nothing of it appears in an error.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final
from urllib.parse import parse_qsl

from hook.index.ids import MAX_ID
from hook.service.requests import RefusedRequestError

MAX_BODY_BYTES: Final = 65_536  # ours are below 200 bytes; a user may have added the title and the like
_MAX_FIELDS: Final = 50
# The last one counts: a sub-path of the installation may look the same. `[0-9]`, as \d is more than ASCII.
_IN_URL: Final = re.compile(r".*/documents/([0-9]{1,10})(?![0-9])", re.DOTALL)
_NUMBER: Final = re.compile(r"[0-9]{1,10}")


def document_id(body: bytes, content_type: str) -> int:
    """The document that a body names, by `doc_id` or by `doc_url`; both must agree."""
    read = _READERS.get(content_type.partition(";")[0].strip().lower())
    if read is None:
        raise RefusedRequestError(415, "send JSON or a form; not the file of the document")
    try:
        fields = read(body.decode("utf-8"))
    except (ValueError, RecursionError):  # UnicodeDecodeError is one; also for a number of a million digits
        raise RefusedRequestError(400, "neither JSON nor a form with each field once") from None
    if not isinstance(fields, dict):
        raise RefusedRequestError(400, "not a JSON object")
    named = {number(fields[name]) for name, number in _FIELDS.items() if fields.get(name) not in (None, "")}
    if len(named) != 1:
        raise RefusedRequestError(400, "doc_id and doc_url are missing, or name different documents")
    (number,) = named
    if not 0 < number <= MAX_ID:
        raise RefusedRequestError(400, "no document can have this id")
    return number


def _form(text: str) -> dict[str, str]:
    pairs = parse_qsl(text, errors="strict", max_num_fields=_MAX_FIELDS)
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a field is given twice")
    return fields


def _from_number(value: Any) -> int:
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        return int(value)
    if type(value) is int:  # not True, which is one as well
        return value
    raise RefusedRequestError(400, "doc_id is not a document id")


def _from_url(value: Any) -> int:
    match = _IN_URL.match(value) if isinstance(value, str) else None
    if match is None:
        raise RefusedRequestError(400, "doc_url has no /documents/ and number")
    return int(match[1])


_READERS: Final[Mapping[str, Callable[[str], Any]]] = {
    "application/json": json.loads,
    "application/x-www-form-urlencoded": _form,
}
_FIELDS: Final[Mapping[str, Callable[[Any], int]]] = {"doc_id": _from_number, "doc_url": _from_url}
