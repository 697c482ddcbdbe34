"""Calls and answers of Paperless's API in general: query values, paging, decoding into our values."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from types import MappingProxyType
from typing import Any, Final, TypeVar

from hook.errors import NotFoundError, RefusedError
from hook.paperless import decode as payloads
from hook.paperless import http_errors as translate
from hook.paperless.http import Answer, ApiTransport

T = TypeVar("T")

PAGE_SIZE: Final = 250  # measured on 2.20 and 3.0: twice the throughput of 25 a page, and 1,000 gain nothing
MAX_PAGES: Final = 2000  # 500,000 tags, or 20 million documents

QueryValue = str | int | float | date | Sequence[Any]


class Api:
    """Each path is relative to /api/ and ends with a slash (Paperless redirects the others)."""

    def __init__(self, transport: ApiTransport) -> None:
        self.transport = transport

    def get(self, path: str, reader: Callable[[Any], T], **query: QueryValue) -> T:
        return read(self.call("GET", path, query=query), reader)

    def call(
        self,
        method: str,
        path: str,
        payload: Mapping[str, Any] | None = None,
        *,
        repeatable: bool = False,
        query: Mapping[str, QueryValue] = MappingProxyType({}),
    ) -> Answer:
        body = None if payload is None else dict(payload)
        repeatable = repeatable or method == "GET"
        return self.transport.call(method, path, params=encoded(query), payload=body, repeatable=repeatable)

    def items(
        self, path: str, reader: Callable[[Any], T], *, page_size: int = PAGE_SIZE, **query: QueryValue
    ) -> Iterator[T]:
        """Streams a paged list."""
        page, more = 1, True
        while more:
            try:
                answer = self.call("GET", path, query={"page": page, "page_size": page_size, **query})
            except NotFoundError:
                if page == 1:
                    raise
                return  # the list shrank while we read it
            entries = read_results(answer, reader)
            yield from entries
            page, more = page + 1, bool(answer.data.get("next"))
            if more and (not entries or page > MAX_PAGES):
                raise translate.endless_error(answer.call)

    def create(
        self, path: str, payload: Mapping[str, Any], reader: Callable[[Any], T], find: Callable[[], T | None]
    ) -> T:
        """Creates something with a unique name, or returns what another process has just created under it."""
        try:
            return read(self.call("POST", path, payload), reader)
        except RefusedError:
            if (existing := find()) is None:
                raise
            return existing


def read(answer: Answer, reader: Callable[[Any], T]) -> T:
    """The answer in our values; AnswerError if it is not what Paperless documents."""
    try:
        return reader(answer.data)
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise translate.shape_error(answer.call) from error


def read_results(answer: Answer, reader: Callable[[Any], T]) -> list[T]:
    """The entries of one page of a list."""
    return read(answer, lambda raw: [reader(entry) for entry in payloads.results(raw)])


def expect_ok(answer: Answer) -> None:
    if not isinstance(answer.data, dict) or answer.data.get("result") != "OK":
        raise translate.shape_error(answer.call)


def encoded(query: Mapping[str, QueryValue]) -> dict[str, str]:
    return {name: _text(name, value) for name, value in query.items()}


def _text(name: str, value: QueryValue) -> str:
    if name == "custom_field_query":
        return json.dumps(value)
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Sequence):
        return ",".join(map(str, value))
    return str(value)
