"""The filters of the documents list that the product uses, each as a test on one document.

All others are ignored without a word, as the real server does with those that it does not know (``id__gt``
does not exist there and returns everything).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping

from ..web import invalid
from .models import Document

Test = Callable[[Document], bool]


def tests_for(query: Mapping[str, str]) -> list[Test]:
    """One test for each parameter that means something."""
    return [FILTERS[name](value) for name, value in query.items() if value and name in FILTERS]


def _ids(value: str) -> set[int | None]:
    try:
        return {int(part) for part in value.split(",")}
    except ValueError:
        raise invalid({"id": ["Enter a number."]}) from None


def _id_in(value: str) -> Test:
    wanted = _ids(value)
    return lambda document: document.id in wanted


def _checksum(value: str) -> Test:
    return lambda document: document.checksum == value.lower()


def _since(name: str) -> Callable[[str], Test]:
    def test(value: str) -> Test:
        """ISO; a "+" that was not URL-encoded arrives as a space and is refused."""
        try:
            since = dt.datetime.fromisoformat(value)
        except ValueError:
            raise invalid({f"{name}__gte": ["Enter a valid date/time."]}) from None
        since = since if since.tzinfo else since.replace(tzinfo=dt.UTC)
        return lambda document: bool(getattr(document, name) >= since)

    return test


def _tagged(value: str) -> Test:
    wanted = _ids(value)
    return lambda document: not wanted.isdisjoint(document.tags)


def _with_fields(value: str) -> Test:
    wanted = _ids(value)
    return lambda document: wanted <= document.custom_fields.keys()


def _from(value: str) -> Test:
    wanted = _ids(value)
    return lambda document: document.correspondent in wanted


FILTERS: Mapping[str, Callable[[str], Test]] = {
    "id": _id_in,
    "id__in": _id_in,
    "checksum__iexact": _checksum,
    "modified__gte": _since("modified"),
    "added__gte": _since("added"),
    "tags__id__in": _tagged,
    "custom_fields__id__all": _with_fields,
    "correspondent__id__in": _from,
}
