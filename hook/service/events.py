"""Reads which document an event is about: webhooks as JSON, form or plain text, and posts of scripts/forward.sh.

A body comes from the network, so nothing of it is trusted, and nothing of it appears in an error.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import parse_qsl

from hook.index.ids import MAX_ID

MAX_BODY_BYTES: Final = 65_536  # ours are below 200 bytes; a user may have added the title and the like
_MAX_FIELDS: Final = 50
_JSON: Final = "application/json"
_FORM: Final = "application/x-www-form-urlencoded"
_PLAIN: Final = ("", "text/plain", "application/octet-stream")
# The last one counts: a sub-path of the installation may look the same. `[0-9]`, as \d is more than ASCII.
_IN_URL: Final = re.compile(r".*/documents/([0-9]{1,10})(?![0-9])", re.DOTALL)
_NUMBER: Final = re.compile(r"[0-9]{1,10}")


class BadEventError(Exception):
    """Nothing that names a document, or a kind of body that is not read at all; answered with this status."""

    def __init__(self, text: str, status: int = 400) -> None:
        super().__init__(text)
        self.status = status


def document_id(body: bytes, content_type: str) -> int:
    """The document that a body names, by `doc_id` or by `doc_url`; both must agree. Plain text is a template of the user's own: an
    object, a number, or anything with the address in it."""
    kind = content_type.partition(";")[0].strip().lower()
    if kind not in (_JSON, _FORM, *_PLAIN):
        raise BadEventError("send JSON, a form or plain text; not the file of the document", 415)
    try:
        text = body.decode("utf-8").strip()
    except UnicodeDecodeError:
        raise BadEventError("no text") from None
    if kind == _FORM:
        return _from_fields(_form(text))
    if kind == _JSON or text.startswith("{"):
        return _from_fields(_json_object(text))
    return _from_number(text) if _NUMBER.fullmatch(text) else _from_url(text)


def _from_fields(fields: Mapping[str, Any]) -> int:
    readers = (("doc_id", _from_number), ("doc_url", _from_url))
    named = {read(fields[name]) for name, read in readers if fields.get(name) not in (None, "")}
    if not named:
        raise BadEventError("neither doc_id nor doc_url")
    if len(named) > 1:
        raise BadEventError("doc_id and doc_url name different documents")
    return named.pop()


def _json_object(text: str) -> Mapping[str, Any]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):  # also for a number of a million digits
        raise BadEventError("no JSON") from None
    if not isinstance(data, dict):
        raise BadEventError("not a JSON object")
    return data


def _form(text: str) -> Mapping[str, Any]:
    try:
        pairs = parse_qsl(text, errors="strict", max_num_fields=_MAX_FIELDS)
    except ValueError:  # UnicodeDecodeError is one
        raise BadEventError("no form") from None
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise BadEventError("a field is given twice")
    return fields


def _from_number(value: Any) -> int:
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        return _in_range(int(value))
    if type(value) is int:  # not True, which is one as well
        return _in_range(value)
    raise BadEventError("doc_id is not a document id")


def _from_url(value: Any) -> int:
    match = _IN_URL.match(value) if isinstance(value, str) else None
    if match is None:
        raise BadEventError("doc_url has no /documents/ and number")
    return _in_range(int(match[1]))


def _in_range(number: int) -> int:
    if not 0 < number <= MAX_ID:
        raise BadEventError("no document can have this id")
    return number
