"""Custom field values on documents: what each type accepts, and document links with their reverse side.

A link set on one document appears on the other by itself. Two ways of writing differ, as on the real
server: ``bulk_edit`` stores before it compares, so links dropped from the list stay on the other side;
PATCH compares first and takes them away. Neither holds a lock, see ``Options.link_gap``.
"""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

from ..web import forbidden_target
from .models import CustomField, Document, User
from .state import State

LINK = "documentlink"


class BadValue(Exception):
    """A value the serialiser refuses with words."""


class StoreFailed(Exception):
    """A value only the database refuses: no words for the caller, see the callers for what comes of it."""


def check_value(state: State, user: User, field: CustomField, value: Any) -> None:
    """What Paperless's serialiser checks; a float that is none passes here and fails in the store."""
    if value is None:
        return
    check = {
        LINK: check_targets,
        "integer": _check_integer,
        "string": _check_string,
        "select": _check_option,
        "url": _check_url,
        "monetary": _check_monetary,
        "date": _check_date,
    }.get(field.data_type)
    if check is not None:
        check(state, user, field, value)


def check_targets(state: State, user: User, field: CustomField, value: Any) -> None:
    """Every target must exist outside the trash, once, and be changeable by the caller."""
    if not isinstance(value, list):
        raise BadValue("Value must be a list")
    targets = {i: state.live(i) for i in value if isinstance(i, int)}
    found = [target for target in targets.values() if target is not None]
    if len(found) != len(value):
        raise BadValue("Some documents in value don't exist or were specified twice.")
    if not all(target.changeable_by(user) for target in found):
        raise forbidden_target()


def store(document: Document, field: CustomField, value: Any) -> None:
    """Into the row, as the database would take it."""
    if value is not None and field.data_type == "float":
        value = _to(float, value)
    if value is not None and field.data_type == "integer":
        value = _to(int, value)
    if value is not None and field.data_type == "boolean" and not isinstance(value, bool):
        raise StoreFailed
    document.custom_fields[field.id] = value


def bulk_set(state: State, document: Document, field: CustomField, value: Any) -> None:
    """As ``modify_custom_fields`` does: a list that names the document itself is skipped whole, silently."""
    if field.data_type == LINK and value and document.id in value:
        return
    store(document, field, value)
    if field.data_type == LINK:
        _add_reverse(state, document, field, value or [])


def bulk_remove(state: State, document: Document, field: CustomField) -> None:
    if field.data_type == LINK:
        for target in document.custom_fields.get(field.id) or []:
            _remove_reverse(state, document, field, target)
    document.custom_fields.pop(field.id, None)


def replace_all(state: State, document: Document, values: dict[int, Any]) -> None:
    """As PATCH does: fields not listed are dropped, links no longer listed vanish on the other side, too."""
    for field_id in list(document.custom_fields):
        if field_id not in values:
            bulk_remove(state, document, state.custom_fields[field_id])
    for field_id, value in values.items():
        field = state.custom_fields[field_id]
        if field.data_type == LINK:
            for dropped in set(document.custom_fields.get(field_id) or []) - set(value or []):
                _remove_reverse(state, document, field, dropped)
            _add_reverse(state, document, field, value or [])
        store(document, field, value)
    document.custom_fields = {i: document.custom_fields[i] for i in values}


def _add_reverse(state: State, document: Document, field: CustomField, targets: list[int]) -> None:
    before = {i: list(state.documents[i].custom_fields.get(field.id) or []) for i in targets}
    state.gap(state.options.link_gap)
    for target_id, links in before.items():
        target = state.documents.get(target_id)
        if target is None:
            raise StoreFailed
        if document.id not in links:
            target.custom_fields[field.id] = [*links, document.id]
        state.touch(target)


def _remove_reverse(state: State, document: Document, field: CustomField, target_id: int) -> None:
    """A target in the trash keeps its link: its values are out of reach until it is restored."""
    target = state.live(target_id)
    if target is not None:
        links = target.custom_fields.get(field.id) or []
        if document.id in links:
            target.custom_fields[field.id] = [i for i in links if i != document.id]
        state.touch(target)


def _to(kind: type[float | int], value: Any) -> float | int:
    try:
        return kind(value)
    except (TypeError, ValueError):
        raise StoreFailed from None


def _check_integer(state: State, user: User, field: CustomField, value: Any) -> None:
    if not re.fullmatch(r"-?\d+", str(value)):
        raise BadValue("Enter a valid integer.")


def _check_string(state: State, user: User, field: CustomField, value: Any) -> None:
    if len(str(value)) > 128:
        raise BadValue(f"Ensure this value has at most 128 characters (it has {len(str(value))}).")


def _check_option(state: State, user: User, field: CustomField, value: Any) -> None:
    options = field.extra_data.get("select_options", [])
    if value not in [option["id"] for option in options]:
        raise BadValue(f"Value must be an id of an element in {options}")


def _check_url(state: State, user: User, field: CustomField, value: Any) -> None:
    if value and not re.match(r"^[a-z][a-z0-9+.-]*://?\S+$", str(value), re.IGNORECASE):
        raise BadValue(f"Unable to parse URI {value}, missing scheme")


def _check_monetary(state: State, user: User, field: CustomField, value: Any) -> None:
    if value != "" and not re.fullmatch(r"-?\d+(\.\d{1,2})?|[A-Z]{3}-?\d+\.\d{1,2}", str(value)):
        raise BadValue("Must be a two-decimal number with optional currency code e.g. GBP123.45")


def _check_date(state: State, user: User, field: CustomField, value: Any) -> None:
    try:
        dt.date.fromisoformat(str(value))
    except ValueError:
        raise BadValue("Date has wrong format. Use one of these formats instead: YYYY-MM-DD.") from None
