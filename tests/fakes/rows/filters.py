"""The filters of the documents list: each query parameter Paperless knows becomes a test on one document.

Unknown parameters are ignored without a word, as the real server does (``id__gt`` does not exist there
and returns everything); values that cannot be read are a 400, except in the id lists of tags and the
like, where the real server drops the whole filter.
"""

from __future__ import annotations

import datetime as dt
import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..web import invalid
from .fieldquery import field_query
from .models import Document, Matching
from .state import State

Test = Callable[[Document], bool]
Values = Callable[[Document], Iterable[object]]

_COMPARE: Mapping[str, Callable[[Any, Any], bool]] = {
    "gt": operator.gt,
    "gte": operator.ge,
    "lt": operator.lt,
    "lte": operator.le,
}
_WORDS: Mapping[str, Callable[[str, str], bool]] = {
    "iexact": lambda have, want: have == want,
    "icontains": lambda have, want: want in have,
    "istartswith": lambda have, want: have.startswith(want),
    "iendswith": lambda have, want: have.endswith(want),
}


def tests_for(state: State, query: Mapping[str, str]) -> list[Test]:
    """One test for each parameter that means something."""
    found = (_test(state, name, value) for name, value in query.items() if value)
    return [test for test in found if test is not None]


def _test(state: State, name: str, value: str) -> Test | None:
    special = _SPECIAL.get(name)
    if special is not None:
        return special(state, value)
    column, lookup = _split(name)
    if column in _INTEGERS:
        return _integer_test(name, _INTEGERS[column](state), lookup, value)
    if column in _TEXTS and lookup in _WORDS:
        return _word_test(_TEXTS[column](state), _WORDS[lookup], value)
    if column in ("added", "modified"):
        return _time_test(name, column, lookup, value)
    if column == "created":
        return _date_test(name, "created", lookup, value)
    if lookup == "isnull" and column in ("owner", "correspondent", "document_type", "storage_path"):
        wanted = _boolean(value)
        return None if wanted is None else lambda d: (getattr(d, column) is None) == wanted
    return None


def _split(name: str) -> tuple[str, str]:
    """``tags__id__in`` -> (``tags__id``, ``in``); ``added__date__gte`` -> (``added``, ``date__gte``)."""
    first, _, rest = name.partition("__")
    second, _, lookup = rest.partition("__")
    if second in ("id", "name"):
        return f"{first}__{second}", lookup
    return first, rest


# columns


def _of_row(attribute: str) -> Callable[[State], Values]:
    return lambda state: lambda d: (getattr(d, attribute),)


def _name_of(table: str, attribute: str) -> Callable[[State], Values]:
    def names(state: State) -> Values:
        rows: dict[int, Matching] = getattr(state, table)
        return lambda d: (rows[i].name for i in [getattr(d, attribute)] if i is not None)

    return names


_INTEGERS: Mapping[str, Callable[[State], Values]] = {
    "id": _of_row("id"),
    "archive_serial_number": _of_row("archive_serial_number"),
    "owner__id": _of_row("owner"),
    "correspondent__id": _of_row("correspondent"),
    "document_type__id": _of_row("document_type"),
    "storage_path__id": _of_row("storage_path"),
    "tags__id": lambda state: lambda d: d.tags,
}
_TEXTS: Mapping[str, Callable[[State], Values]] = {
    "title": _of_row("name"),
    "original_filename": _of_row("original_filename"),
    "checksum": _of_row("checksum"),
    "content": lambda state: lambda d: (state.newest(d).content,),
    "tags__name": lambda state: lambda d: (state.tags[i].name for i in d.tags),
    "correspondent__name": _name_of("correspondents", "correspondent"),
    "document_type__name": _name_of("document_types", "document_type"),
    "storage_path__name": _name_of("storage_paths", "storage_path"),
}


def _integer_test(name: str, values: Values, lookup: str, value: str) -> Test | None:
    if lookup == "in":
        wanted = {_integer(name, part) for part in value.split(",")}
        return lambda d: any(have in wanted for have in values(d))
    if lookup in ("", "exact"):
        number = _integer(name, value)
        return lambda d: any(have == number for have in values(d))
    if name.startswith("archive_serial_number") and lookup in _COMPARE:
        compare, bound = _COMPARE[lookup], _integer(name, value)
        return lambda d: any(have is not None and compare(have, bound) for have in values(d))
    if name == "archive_serial_number__isnull" and (empty := _boolean(value)) is not None:
        return lambda d: (d.archive_serial_number is None) == empty
    return None


def _word_test(values: Values, compare: Callable[[str, str], bool], value: str) -> Test:
    wanted = value.casefold()
    return lambda d: any(compare(str(have).casefold(), wanted) for have in values(d))


def _time_test(name: str, column: str, lookup: str, value: str) -> Test | None:
    if lookup in _COMPARE:
        compare, bound = _COMPARE[lookup], _time(name, value)
        return lambda d: compare(getattr(d, column), bound)
    return _date_test(name, column, lookup, value)


def _date_test(name: str, column: str, lookup: str, value: str) -> Test | None:
    lookup = lookup.removeprefix("date__")
    if lookup in _COMPARE:
        compare, bound = _COMPARE[lookup], _date(name, value)
        return lambda d: compare(_day(getattr(d, column)), bound)
    if lookup in ("year", "month", "day"):
        number = _integer(name, value)
        return lambda d: getattr(getattr(d, column), lookup) == number
    return None


def _day(value: dt.date | dt.datetime) -> dt.date:
    return value.date() if isinstance(value, dt.datetime) else value


# id lists: a value that is no number drops the filter


def _id_list(read: Values, *, every: bool = False, none: bool = False) -> Callable[[State, str], Test | None]:
    def build(state: State, value: str) -> Test | None:
        try:
            wanted = {int(part) for part in value.split(",")}
        except ValueError:
            return None
        if every:
            return lambda d: wanted <= set(read(d))
        return lambda d: wanted.isdisjoint(read(d)) == none

    return build


def _presence(read: Values) -> Callable[[State, str], Test | None]:
    def build(state: State, value: str) -> Test | None:
        wanted = _boolean(value)
        return None if wanted is None else lambda d: any(True for _ in read(d)) == wanted

    return build


def _search(state: State, value: str) -> Test:
    """Every word somewhere in title, text or notes; the real index also stems and ranks."""
    words = value.casefold().split()

    def found(document: Document) -> bool:
        notes = " ".join(note.text for note in document.notes)
        haystack = f"{document.title} {state.newest(document).content} {notes}".casefold()
        return all(word in haystack for word in words)

    return found


_SPECIAL: Mapping[str, Callable[[State, str], Test | None]] = {
    "tags__id__all": _id_list(lambda d: d.tags, every=True),
    "tags__id__none": _id_list(lambda d: d.tags, none=True),
    "tags__id__in": _id_list(lambda d: d.tags),
    "correspondent__id__none": _id_list(lambda d: (d.correspondent,), none=True),
    "document_type__id__none": _id_list(lambda d: (d.document_type,), none=True),
    "storage_path__id__none": _id_list(lambda d: (d.storage_path,), none=True),
    "owner__id__none": _id_list(lambda d: (d.owner,), none=True),
    "custom_fields__id__all": _id_list(lambda d: d.custom_fields, every=True),
    "custom_fields__id__none": _id_list(lambda d: d.custom_fields, none=True),
    "custom_fields__id__in": _id_list(lambda d: d.custom_fields),
    "is_tagged": _presence(lambda d: d.tags),
    "has_custom_fields": _presence(lambda d: d.custom_fields),
    "mime_type": lambda state, value: lambda d: value.strip().casefold() in d.mime_type.casefold(),
    "query": _search,
    "search": _search,
    "text": lambda state, value: _search(state, value) if state.major >= 3 else None,
    "custom_field_query": field_query,
}


# values


def _integer(name: str, value: str) -> int:
    try:
        return int(value)
    except ValueError:
        raise invalid({name: ["Enter a number."]}) from None


def _time(name: str, value: str) -> dt.datetime:
    """ISO; a "+" that was not URL-encoded arrives as a space and is refused."""
    try:
        found = dt.datetime.fromisoformat(value)
    except ValueError:
        raise invalid({name: ["Enter a valid date/time."]}) from None
    return found if found.tzinfo else found.replace(tzinfo=dt.UTC)


def _date(name: str, value: str) -> dt.date:
    try:
        return dt.date.fromisoformat(value)
    except ValueError:
        raise invalid({name: ["Enter a valid date."]}) from None


def _boolean(value: str) -> bool | None:
    return {"true": True, "false": False}.get(value.lower())
