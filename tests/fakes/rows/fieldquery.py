"""The little language of ``custom_field_query``: ``[2,"gt",0.9]``, joined by AND, OR and NOT."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..web import invalid
from .models import CustomField, Document
from .state import State

Test = Callable[[Document], bool]
NAME = "custom_field_query"

_BASIC = ("exact", "in", "isnull", "exists")
_TEXT = ("icontains", "istartswith", "iendswith")
_ORDER = ("gt", "gte", "lt", "lte", "range")
_OPERATORS: Mapping[str, tuple[str, ...]] = {
    "string": _BASIC + _TEXT,
    "url": _BASIC + _TEXT,
    "longtext": _BASIC + _TEXT,
    "date": _BASIC + _ORDER,
    "boolean": _BASIC,
    "integer": _BASIC + _ORDER,
    "float": _BASIC + _ORDER,
    "monetary": _BASIC + _TEXT + _ORDER,
    "documentlink": (*_BASIC, "contains"),
    "select": _BASIC,
}
_HOLDS: Mapping[str, Callable[[Any, Any], bool]] = {
    "exact": lambda have, want: bool(have == want),
    "in": lambda have, want: have in want,
    "gt": lambda have, want: bool(have > want),
    "gte": lambda have, want: bool(have >= want),
    "lt": lambda have, want: bool(have < want),
    "lte": lambda have, want: bool(have <= want),
    "range": lambda have, want: bool(want[0] <= have <= want[1]),
    "contains": lambda have, want: True,  # an empty list: any document whose field has a value
    "icontains": lambda have, want: str(want).casefold() in str(have).casefold(),
    "istartswith": lambda have, want: str(have).casefold().startswith(str(want).casefold()),
    "iendswith": lambda have, want: str(have).casefold().endswith(str(want).casefold()),
}


def field_query(state: State, value: str) -> Test:
    try:
        expression = json.loads(value)
    except ValueError:
        raise invalid({NAME: ["Value must be valid JSON."]}) from None
    return _parse(state, expression)


def _parse(state: State, expression: Any) -> Test:
    if isinstance(expression, list) and len(expression) == 2:
        return _logical(state, expression[0], expression[1])
    if isinstance(expression, list) and len(expression) == 3:
        return _atom(state, expression)
    raise invalid({NAME: ["Invalid custom field query expression"]})


def _logical(state: State, operator: Any, arguments: Any) -> Test:
    word = str(operator).lower()
    if word == "not":
        inner = _parse(state, arguments)
        return lambda d: not inner(d)
    if word not in ("and", "or"):
        raise invalid({NAME: {"0": [f"Invalid logical operator {operator!r}"]}})
    if not isinstance(arguments, list) or not arguments:
        raise invalid({NAME: {"1": ["Invalid expression list. Must be nonempty."]}})
    parts = [_parse(state, argument) for argument in arguments]
    join = all if word == "and" else any
    return lambda d: join(part(d) for part in parts)


def _atom(state: State, expression: Sequence[Any]) -> Test:
    named, operator, wanted = expression
    field = _field(state, named)
    if operator not in _OPERATORS[field.data_type]:
        raise invalid({NAME: {"1": [f"{field.data_type} does not support query expr {operator!r}."]}})
    if operator == "exists":
        return lambda d: (field.id in d.custom_fields) == bool(wanted)
    if operator == "isnull":
        return lambda d: field.id in d.custom_fields and (d.custom_fields[field.id] is None) == bool(wanted)
    _check_value(field, operator, wanted)
    if operator == "contains" and wanted:
        linked = _linked_from(state, wanted)
        return lambda d: d.id in linked
    holds = _HOLDS[operator]
    return lambda d: d.custom_fields.get(field.id) is not None and holds(d.custom_fields[field.id], wanted)


def _linked_from(state: State, wanted: Sequence[int]) -> set[int]:
    """The real server reads the links of the *other* side, so a stale reverse link is found, too."""
    links = {f.id for f in state.custom_fields.values() if f.data_type == "documentlink"}
    rows = [document for i in wanted if (document := state.live(i)) is not None]
    values = [set(d.custom_fields[i] or []) for d in rows for i in links & d.custom_fields.keys()]
    complete = all(links & d.custom_fields.keys() for d in rows) and len(rows) == len(set(wanted))
    return set.intersection(*values) if values and complete else set()


def _field(state: State, named: Any) -> CustomField:
    for field in state.custom_fields.values():
        if named in (field.id, field.name):
            return field
    raise invalid({NAME: {"0": [f"{named!r} is not a valid custom field."]}})


def _check_value(field: CustomField, operator: str, wanted: Any) -> None:
    """Only the kinds our queries use are checked; the real server checks each type."""
    if field.data_type == "documentlink" and not isinstance(wanted, list):
        raise invalid({NAME: {"2": [f'Expected a list of items but got type "{type(wanted).__name__}".']}})
    if field.data_type in ("float", "integer") and operator not in ("in", "range"):
        try:
            float(wanted)
        except (TypeError, ValueError):
            raise invalid({NAME: {"2": ["A valid number is required."]}}) from None
