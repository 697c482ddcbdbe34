"""``bulk_edit``: rows change at once, ``modified`` and workflows follow with the task.

Of its methods, the two that the product calls.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..rows import fieldvalues
from ..rows.fieldvalues import BadValue
from ..rows.models import Document
from ..rows.state import UPDATED, State
from ..web import Answer, Request, forbidden_object, invalid, ok, route
from .webhooks import fire

TWICE = "don't exist or were specified twice."


def bulk_edit(state: State, request: Request, ids: Mapping[str, str]) -> Answer:
    """All or nothing: one unknown document or missing right refuses the whole call."""
    data = request.data
    documents = [row for i in data["documents"] if (row := state.live(i)) is not None]
    if len({row.id for row in documents}) != len(data["documents"]):
        raise invalid({"documents": [f"Some documents in documents {TWICE}"]})
    check, apply = METHODS[data["method"]]
    check(state, request, data["parameters"])
    user = request.user
    if not user.may("change_document") or not all(document.changeable_by(user) for document in documents):
        raise forbidden_object()
    apply(state, documents, data["parameters"])
    _queue_update(state, [document.id for document in documents])
    state.changed()
    return ok({"result": "OK"})


def _queue_update(state: State, ids: list[int]) -> None:
    """The celery task behind a bulk edit: it moves ``modified`` and sets off "Document Updated".

    It is queued for every document named, also where nothing changed.
    """
    task = state.new_task(None) if state.major >= 3 else None

    def run() -> None:
        for document in filter(None, map(state.live, ids)):
            fire(state, document, UPDATED)
            state.touch(document)
        if task is not None:
            task.status = "SUCCESS"

    state.enqueue(run)


def _check_tags(state: State, request: Request, parameters: dict[str, Any]) -> None:
    for name in ("add_tags", "remove_tags"):
        if not state.tags.keys() >= set(parameters[name]):
            raise invalid({"non_field_errors": [f"Some tags in {name} {TWICE}"]})


def _modify_tags(state: State, documents: list[Document], parameters: dict[str, Any]) -> None:
    for document in documents:
        document.tags -= state.with_descendants(parameters["remove_tags"])
        document.tags |= state.with_ancestors(parameters["add_tags"])


def _check_fields(state: State, request: Request, parameters: dict[str, Any]) -> None:
    for name in ("add_custom_fields", "remove_custom_fields"):
        if not state.custom_fields.keys() >= {int(i) for i in parameters[name]}:
            raise invalid({"non_field_errors": [f"Some custom fields in {name} {TWICE}"]})
    errors: dict[str, Any] = {}
    for name, value in parameters["add_custom_fields"].items():
        try:
            fieldvalues.check_value(state, request.user, state.custom_fields[int(name)], value)
        except BadValue as error:
            errors[name] = {"non_field_errors": [str(error)]}
    if errors:  # 3.x names the field, 2.20 does not
        raise invalid({"add_custom_fields": errors} if state.major >= 3 else next(iter(errors.values())))


def _modify_fields(state: State, documents: list[Document], parameters: dict[str, Any]) -> None:
    for document in documents:
        for name, value in parameters["add_custom_fields"].items():
            fieldvalues.bulk_set(state, document, state.custom_fields[int(name)], value)
        for number in parameters["remove_custom_fields"]:
            fieldvalues.bulk_remove(state, document, state.custom_fields[number])


METHODS = {
    "modify_tags": (_check_tags, _modify_tags),
    "modify_custom_fields": (_check_fields, _modify_fields),
}

ROUTES = [route("POST", "documents/bulk_edit/", bulk_edit)]
