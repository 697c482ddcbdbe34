"""What ``bulk_edit`` refuses beforehand: unknown documents, tags, fields, bad values, missing rights."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..rows import fieldvalues
from ..rows.fieldvalues import BadValue
from ..rows.models import Document
from ..rows.state import State
from ..web import Request, forbidden_object, invalid, required

TWICE = "don't exist or were specified twice."

Parameters = dict[str, Any]
Check = Callable[[State, Request, Parameters], None]


def named_documents(state: State, data: dict[str, Any]) -> list[Document]:
    if "documents" not in data and state.major >= 3:
        raise invalid({"non_field_errors": ["documents is required unless all is true."]})
    wanted = data.get("documents")
    if wanted is None:
        raise required("documents")
    if not isinstance(wanted, list):
        raise invalid({"documents": [f'Expected a list of items but got type "{type(wanted).__name__}".']})
    found = {row.id: row for i in _integers(wanted) if (row := state.live(i)) is not None}
    if len(found) != len(wanted):
        raise invalid({"documents": [f"Some documents in documents {TWICE}"]})
    return list(found.values())


def _integers(values: list[Any]) -> list[int]:
    bad = {
        str(place): ["A valid integer is required."]
        for place, value in enumerate(values)
        if isinstance(value, bool) or not str(value).lstrip("-").isdigit()
    }
    if bad:
        raise invalid({"documents": bad})
    return [int(value) for value in values]


def named_method(data: dict[str, Any]) -> str:
    if "method" not in data:
        raise required("method")
    if data["method"] not in CHECKS:
        raise invalid({"method": [f'"{data["method"]}" is not a valid choice.']})
    return str(data["method"])


def refuse_unless_permitted(request: Request, documents: list[Document], method: str) -> None:
    user = request.user
    permitted = user.may("change_document") and all(d.changeable_by(user) for d in documents)
    if method in ("delete", "set_permissions") and not user.is_superuser:
        permitted = permitted and all(d.owner in (None, user.id) for d in documents)
    if method == "delete":
        permitted = permitted and user.may("delete_document")
    if not permitted:
        raise forbidden_object()


def _no_check(state: State, request: Request, parameters: Parameters) -> None:
    return None


def _check_tag(state: State, request: Request, parameters: Parameters) -> None:
    if "tag" not in parameters:
        raise invalid({"non_field_errors": ["tag not specified"]})
    if parameters["tag"] not in state.tags:
        raise invalid({"non_field_errors": ["Tag does not exist"]})


def _check_tag_lists(state: State, request: Request, parameters: Parameters) -> None:
    for name in ("add_tags", "remove_tags"):
        if name not in parameters:
            raise invalid({"non_field_errors": [f"{name} not specified"]})
        values = parameters[name]
        if not isinstance(values, list):
            raise invalid({"non_field_errors": [f"{name} must be a list"]})
        if not all(isinstance(value, int) for value in values):
            raise invalid({"non_field_errors": [f"{name} must be a list of integers"]})
        if len(set(values) & state.tags.keys()) != len(values):
            raise invalid({"non_field_errors": [f"Some tags in {name} {TWICE}"]})


def _check_reference(name: str, words: str) -> Callable[[State, Request, Parameters], None]:
    def check(state: State, request: Request, parameters: Parameters) -> None:
        if name not in parameters:
            raise invalid({"non_field_errors": [f"{name} not specified"]})
        if parameters[name] is not None and parameters[name] not in getattr(state, f"{name}s"):
            raise invalid({"non_field_errors": [f"{words} does not exist"]})

    return check


def _check_fields(state: State, request: Request, parameters: Parameters) -> None:
    for name in ("add_custom_fields", "remove_custom_fields"):
        if name not in parameters:
            raise invalid({"non_field_errors": [f"{name} not specified"]})
        ids = [int(i) for i in parameters[name] if str(i).isdigit()]
        if len(ids) != len(parameters[name]):
            words = f"{name} must be a list of integers or a dict of id:value pairs"
            raise invalid({"non_field_errors": [words]})
        if len(set(ids) & state.custom_fields.keys()) != len(ids):
            raise invalid({"non_field_errors": [f"Some custom fields in {name} {TWICE}"]})
    if isinstance(parameters["add_custom_fields"], dict):
        _check_field_values(state, request, parameters["add_custom_fields"])


def _check_field_values(state: State, request: Request, values: dict[str, Any]) -> None:
    """Paperless 3 checks every type and answers by field; 2.20 checks document links only."""
    errors: dict[str, Any] = {}
    for name, value in values.items():
        field = state.custom_fields[int(name)]
        try:
            if state.major >= 3:
                fieldvalues.check_value(state, request.user, field, value)
            elif field.data_type == fieldvalues.LINK and value is not None:
                fieldvalues.check_targets(state, request.user, field, value)
        except BadValue as error:
            errors[name] = {"non_field_errors": [str(error)]}
    if errors and state.major < 3:
        raise invalid(next(iter(errors.values())))
    if errors:
        raise invalid({"add_custom_fields": errors})


CHECKS: Mapping[str, Check] = {
    "set_correspondent": _check_reference("correspondent", "Correspondent"),
    "set_document_type": _check_reference("document_type", "Document type"),
    "set_storage_path": _check_reference("storage_path", "Storage path"),
    "add_tag": _check_tag,
    "remove_tag": _check_tag,
    "modify_tags": _check_tag_lists,
    "modify_custom_fields": _check_fields,
    "set_permissions": _no_check,
    "delete": _no_check,
    "reprocess": _no_check,
}
