"""Which document an event names; whatever is in a body, it is an id or it is refused, and never repeated."""

from __future__ import annotations

import json
from contextlib import suppress
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook.index.ids import MAX_ID
from hook.service.events import document_id
from hook.service.requests import RefusedRequestError

JSON, FORM = "application/json", "application/x-www-form-urlencoded"


def as_json(**fields: object) -> int:
    return document_id(json.dumps(fields).encode(), JSON)


def as_form(**fields: str) -> int:
    return document_id(urlencode(fields).encode(), FORM)


@pytest.mark.parametrize(
    "url",
    [
        "https://paperless.example/documents/12/",
        "https://example/sub/path/documents/12",
        "None/documents/12/",  # Paperless without PAPERLESS_URL
        "https://example/documents/7/documents/12/details",
    ],
)
def test_the_address_of_a_document(url: str) -> None:
    """As Paperless fills in {{doc_url}}."""
    assert as_json(doc_url=url) == as_form(doc_url=url) == 12


def test_the_id_if_there_is_one() -> None:
    """Paperless 3 has {{doc_id}}; the forwarder script sends nothing else."""
    assert as_json(doc_id=12) == as_json(doc_id="12") == as_form(doc_id="12") == 12
    assert as_json(doc_id=12, doc_url="x/documents/12/", doc_title="whatever") == 12
    assert document_id(b'{"doc_id": 12}\n', "Application/JSON; charset=utf-8") == 12


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{}",  # 2.20 for a template with an unknown placeholder
        b"[]",
        b"null",
        b'"12"',
        b"12",
        b'{"doc_id": true}',
        b'{"doc_id": 12.0}',
        b'{"doc_id": -1}',
        b'{"doc_id": 0}',
        b'{"doc_id": "12; DROP TABLE"}',
        b'{"doc_id": "\xd9\xa1\xd9\xa2"}',  # digits, but Arabic ones
        b'{"doc_id": [12]}',
        b'{"doc_id": 1, "doc_url": "x/documents/2/"}',
        b'{"doc_url": "x/documents/"}',
        b'{"doc_url": "x/documents/99999999999/"}',
        b'{"doc_url": {"a": 1}}',
        b'{"doc_id": NaN}',
        b'{"doc_id": ' + b"9" * 5000 + b"}",
        b"[" * 60_000,
        b'{"a":' * 20_000,
        b"\xff\xfe\x00",
        b"\x00" * 100,
    ],
)
def test_hostile_json_is_refused(body: bytes) -> None:
    """Without an exception of another kind, and without a word of it in the message."""
    with pytest.raises(RefusedRequestError) as refused:
        document_id(body, JSON)
    assert not any(word in str(refused.value) for word in ("DROP", "999", "99999999999"))


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"doc_id=",
        b"doc_id=1&doc_id=2",
        b"doc_id=%ff",
        b"&" * 1000,
        b"a=1&" * 100,
        b"\xff",
        b"doc_id=1 2",
    ],
)
def test_hostile_forms_are_refused(body: bytes) -> None:
    with pytest.raises(RefusedRequestError):
        document_id(body, FORM)


def test_ids_that_the_index_cannot_hold() -> None:
    assert as_json(doc_id=MAX_ID) == MAX_ID
    with pytest.raises(RefusedRequestError):
        as_json(doc_id=MAX_ID + 1)


@pytest.mark.parametrize("kind", ["multipart/form-data; boundary=x", "text/plain", ""])
def test_another_kind_of_body_is_not_wanted(kind: str) -> None:
    """A webhook with `include_document` sends multipart."""
    with pytest.raises(RefusedRequestError) as refused:
        document_id(b"12", kind)
    assert refused.value.status == 415


@given(st.binary(max_size=300), st.sampled_from([JSON, FORM]))
def test_any_body_is_an_id_or_refused(body: bytes, kind: str) -> None:
    with suppress(RefusedRequestError):
        assert 0 < document_id(body, kind) <= MAX_ID
