"""All that has a name: tags, correspondents, document types, storage paths, custom fields, saved views, workflows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..rows import present
from ..rows.listing import paged
from ..rows.models import CustomField, Matching, Owned, SavedView, Tag, Workflow
from ..rows.state import State
from ..web import Answer, Request, Route, allow, forbidden_model, invalid, missing, no_content, ok, route

Ids = Mapping[str, str]
Show = Callable[[State, Request, Any], dict[str, Any]]

_PINS = {
    "show_on_dashboard": "dashboard_views_visible_ids",
    "show_in_sidebar": "sidebar_views_visible_ids",
}
_VIEW = ("sort_field", "sort_reverse", "filter_rules", "page_size", "display_mode", "display_fields")
_WORKFLOW = ("name", "order", "enabled", "triggers", "actions")


def _matching(state: State, request: Request, row: Matching) -> dict[str, Any]:
    return present.matching(request, row)


def _field(state: State, request: Request, row: CustomField) -> dict[str, Any]:
    return {"id": row.id, "name": row.name, "data_type": row.data_type, "extra_data": row.extra_data}


def _workflow(state: State, request: Request, row: Workflow) -> dict[str, Any]:
    return {"id": row.id, **{name: getattr(row, name) for name in _WORKFLOW}}


def _view(state: State, request: Request, row: SavedView) -> dict[str, Any]:
    shown = {"id": row.id, "name": row.name, **row.values, "owner": row.owner}
    if state.major >= 3:
        pinned = request.user.settings.get("saved_views", {})
        shown |= {name: row.id in pinned.get(key, ()) for name, key in _PINS.items()}
    return shown


@dataclass(frozen=True, slots=True)
class Kind:
    """Its path and table, the word in permissions, what a caller may set, and the words if a name is taken."""

    path: str
    model: str
    new: type[Any] = Matching
    show: Show = _matching
    settable: tuple[str, ...] = ("name", "match", "matching_algorithm", "color", "is_inbox_tag", "parent")
    taken: dict[str, Any] | None = None

    def table(self, state: State) -> dict[int, Any]:
        rows: dict[int, Any] = getattr(state, self.path)
        return rows

    def routes(self) -> list[Route]:
        return [
            route("GET", f"{self.path}/", self.list_all),
            route("POST", f"{self.path}/", self.create),
            route("PATCH", f"{self.path}/<id>/", self.update),
            route("DELETE", f"{self.path}/<id>/", self.delete),
        ]

    def list_all(self, state: State, request: Request, ids: Ids) -> Answer:
        """Only what the caller owns, is shared, or belongs to nobody: a tag of another user is not found."""
        allow(request.user, f"view_{self.model}")
        rows = [row for row in self.table(state).values() if _is_visible(row, request)]
        if wanted := request.query.get("name__iexact", "").casefold():
            rows = [row for row in rows if row.name.casefold() == wanted]
        if numbers := request.query.get("id__in"):
            rows = [row for row in rows if row.id in {int(part) for part in numbers.split(",")}]
        rows.sort(key=lambda row: (getattr(row, "order", 0), row.name.lower()))
        return paged(request, rows, lambda row: self.show(state, request, row))

    def create(self, state: State, request: Request, ids: Ids) -> Answer:
        """Without ``owner`` the caller becomes the owner; an explicit null leaves the object to everybody."""
        allow(request.user, f"add_{self.model}")
        name, owner = request.data["name"], request.data.get("owner", request.user.id)
        same = [row for row in self.table(state).values() if row.name == name]
        if self.taken and any(getattr(row, "owner", owner) == owner for row in same):
            raise invalid(self.taken)
        row = self.new(state.next_id(self.path), name)
        if isinstance(row, Owned):
            row.owner = owner
        self.table(state)[row.id] = row
        if isinstance(row, SavedView):
            _pin(state, request, row)
        return self._set(state, request, row, 201)

    def update(self, state: State, request: Request, ids: Ids) -> Answer:
        return self._set(state, request, self._changeable(state, request, ids, "change"), 200)

    def _set(self, state: State, request: Request, row: Any, status: int) -> Answer:
        for name in self.settable:
            if name in request.data and hasattr(row, name):
                setattr(row, name, request.data[name])
        state.changed()
        return ok(self.show(state, request, row), status)

    def delete(self, state: State, request: Request, ids: Ids) -> Answer:
        self.remove(state, self._changeable(state, request, ids, "delete"))
        return no_content()

    def remove(self, state: State, row: Any) -> None:
        """Documents lose it without their ``modified`` moving; a tag takes its children along."""
        gone = {row.id, *(state.descendants(row.id) if isinstance(row, Tag) else ())}
        for document in state.documents.values():
            if isinstance(row, Tag):
                document.tags -= gone
            elif isinstance(row, CustomField):
                document.custom_fields.pop(row.id, None)
            elif getattr(document, self.path.removesuffix("s"), None) == row.id:
                setattr(document, self.path.removesuffix("s"), None)
        for row_id in gone:
            del self.table(state)[row_id]
        state.changed()

    def _changeable(self, state: State, request: Request, ids: Ids, verb: str) -> Any:
        allow(request.user, f"{verb}_{self.model}")
        row = self.table(state).get(int(ids["id"]))
        if row is None or not _is_visible(row, request):
            raise missing(f"No {self.new.__name__} matches the given query.")
        if isinstance(row, Owned) and not row.changeable_by(request.user):
            raise forbidden_model()
        return row


def _is_visible(row: Any, request: Request) -> bool:
    return not isinstance(row, Owned) or row.visible_to(request.user)


def _pin(state: State, request: Request, row: SavedView) -> None:
    """By API version 9 only; in 3.x the pins are in the settings of the user who creates it."""
    data = request.data
    row.values = {name: data.get(name) for name in (*_VIEW, *(_PINS if state.major < 3 else ()))}
    if state.major >= 3:
        pinned = request.user.settings.setdefault("saved_views", {})
        for name, key in _PINS.items():
            pinned[key] = sorted({*pinned.get(key, ()), *([row.id] if data[name] else ())})


_TAKEN = {"error": "Object violates owner / name unique constraint"}
TAGS = Kind("tags", "tag", Tag, taken=_TAKEN)
CORRESPONDENTS = Kind("correspondents", "correspondent", taken=_TAKEN)
DOCUMENT_TYPES = Kind("document_types", "documenttype", taken=_TAKEN)
STORAGE_PATHS = Kind("storage_paths", "storagepath", taken=_TAKEN)
CUSTOM_FIELDS = Kind(
    "custom_fields", "customfield", CustomField, _field, ("data_type", "extra_data"),
    {"name": ["custom field with this name already exists."]},
)  # fmt: skip
VIEWS = Kind("saved_views", "savedview", SavedView, _view, ())
WORKFLOWS = Kind(
    "workflows", "workflow", Workflow, _workflow, _WORKFLOW, {"name": ["workflow with this name already exists."]}
)  # fmt: skip

KINDS = (TAGS, CORRESPONDENTS, DOCUMENT_TYPES, STORAGE_PATHS, CUSTOM_FIELDS, VIEWS, WORKFLOWS)
ROUTES = [found for kind in KINDS for found in kind.routes()]
