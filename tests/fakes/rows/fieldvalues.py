"""Custom field values on documents: what each type accepts, and document links with their reverse side.

A link set on one document appears on the other by itself. Two ways of writing differ, as on the real
server: ``bulk_edit`` stores before it compares, so links dropped from the list stay on the other side;
PATCH compares first and takes them away.
"""

from __future__ import annotations

from typing import Any

from ..web import forbidden_target
from .models import CustomField, Document, User
from .state import State

LINK = "documentlink"


class BadValue(Exception):
    """A value the serialiser refuses with words."""


def check_value(state: State, user: User, field: CustomField, value: Any) -> None:
    """Every target of a link must exist outside the trash, once, and be changeable by the caller.

    Of other types, the product writes only values that Paperless had taken before.
    """
    if field.data_type != LINK or value is None:
        return
    found = [target for target in map(state.live, set(value)) if target is not None]
    if len(found) != len(value):
        raise BadValue("Some documents in value don't exist or were specified twice.")
    if not all(target.changeable_by(user) for target in found):
        raise forbidden_target()


def bulk_set(state: State, document: Document, field: CustomField, value: Any) -> None:
    """As ``modify_custom_fields`` does: a list that names the document itself is skipped whole, silently."""
    if field.data_type == LINK and value and document.id in value:
        return
    document.custom_fields[field.id] = value
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
        document.custom_fields[field_id] = value
    document.custom_fields = {i: document.custom_fields[i] for i in values}


def _add_reverse(state: State, document: Document, field: CustomField, targets: list[int]) -> None:
    for target in map(state.documents.__getitem__, targets):
        links = target.custom_fields.get(field.id) or []
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
