"""All that has a name: tags, correspondents, document types, storage paths, custom fields, saved views, workflows."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from .rows import CustomField, Matching, Owned, SavedView, Tag, Workflow
from .state import State
from .web import Answer, Refused, Request, Route, forbidden_model, missing, ok, paged, route


@dataclass(frozen=True, slots=True)
class Kind:
    """Its path and table, the word in permissions, what a caller may set, and the words if a name is taken."""

    path: str
    model: str
    new: type[Any] = Matching
    settable: tuple[str, ...] = ("name", "match", "matching_algorithm", "color", "parent")
    taken: dict[str, Any] | None = None

    def table(self, state: State) -> dict[int, Any]:
        rows: dict[int, Any] = getattr(state, self.path)
        return rows

    def routes(self) -> list[Route]:
        one = f"{self.path}/<id>/"
        return [
            route("GET", f"{self.path}/", self.list_all, f"view_{self.model}"),
            route("POST", f"{self.path}/", self.create, f"add_{self.model}"),
            route("PATCH", one, self.update, f"change_{self.model}"),
            route("DELETE", one, self.delete, f"delete_{self.model}"),
        ]

    def list_all(self, state: State, request: Request) -> Answer:
        """Only what the caller owns, is shared, or belongs to nobody: a tag of another user is not found."""
        rows = [row for row in self.table(state).values() if _is_visible(row, request)]
        if wanted := request.query.get("name__iexact", "").casefold():
            rows = [row for row in rows if row.name.casefold() == wanted]
        if numbers := request.query.get("id__in"):
            rows = [row for row in rows if row.id in {int(part) for part in numbers.split(",")}]
        rows.sort(key=lambda row: (getattr(row, "order", 0), row.name.lower()))
        return paged(request, rows, lambda row: _shown(request, row))

    def create(self, state: State, request: Request) -> Answer:
        """Without ``owner`` the caller becomes the owner; an explicit null leaves the object to everybody."""
        name, owner = request.data["name"], request.data.get("owner", request.user.id)
        same = [row for row in self.table(state).values() if row.name == name]
        if self.taken and any(getattr(row, "owner", owner) == owner for row in same):
            raise Refused(400, self.taken)
        row = self.new(state.next_id(self.path), name)
        if isinstance(row, Owned):
            row.owner = owner
        if isinstance(row, SavedView):
            row.values = request.data
        self.table(state)[row.id] = row
        return self._set(request, row, 201)

    def update(self, state: State, request: Request) -> Answer:
        return self._set(request, self._changeable(state, request), 200)

    def _set(self, request: Request, row: Any, status: int) -> Answer:
        for name in self.settable:
            if name in request.data and hasattr(row, name):
                setattr(row, name, request.data[name])
        return ok(_shown(request, row), status)

    def delete(self, state: State, request: Request) -> Answer:
        self.remove(state, self._changeable(state, request))
        return Answer(204)

    def remove(self, state: State, row: Any) -> None:
        """Documents lose it without their ``modified`` moving; a tag takes its children along."""
        gone = state.with_descendants([row.id]) if isinstance(row, Tag) else {row.id}
        for document in state.documents.values():
            if isinstance(row, Tag):
                document.tags -= gone
            elif isinstance(row, CustomField):
                document.custom_fields.pop(row.id, None)
        for row_id in gone:
            del self.table(state)[row_id]

    def _changeable(self, state: State, request: Request) -> Any:
        row = self.table(state).get(request.id)
        if row is None or not _is_visible(row, request):
            raise missing(f"No {self.new.__name__} matches the given query.")
        if isinstance(row, Owned) and not row.changeable_by(request.user):
            raise forbidden_model()
        return row


def _is_visible(row: Any, request: Request) -> bool:
    return not isinstance(row, Owned) or row.visible_to(request.user)


def _shown(request: Request, row: Any) -> dict[str, Any]:
    fields = {name: value for name, value in asdict(row).items() if not isinstance(value, set)}
    if isinstance(row, SavedView):
        return {**fields.pop("values"), **fields}
    return fields | ({"user_can_change": row.changeable_by(request.user)} if isinstance(row, Owned) else {})


_TAKEN = {"error": "Object violates owner / name unique constraint"}
TAGS = Kind("tags", "tag", Tag, taken=_TAKEN)
CORRESPONDENTS = Kind("correspondents", "correspondent", taken=_TAKEN)
DOCUMENT_TYPES = Kind("document_types", "documenttype", taken=_TAKEN)
STORAGE_PATHS = Kind("storage_paths", "storagepath", taken=_TAKEN)
CUSTOM_FIELDS = Kind(
    *("custom_fields", "customfield", CustomField, ("data_type", "extra_data")),
    taken={"name": ["custom field with this name already exists."]},
)
VIEWS = Kind("saved_views", "savedview", SavedView, ())
WORKFLOWS = Kind(
    *("workflows", "workflow", Workflow, ("name", "order", "enabled", "triggers", "actions")),
    taken={"name": ["workflow with this name already exists."]},
)

KINDS = (TAGS, CORRESPONDENTS, DOCUMENT_TYPES, STORAGE_PATHS, CUSTOM_FIELDS, VIEWS, WORKFLOWS)
ROUTES = tuple(found for kind in KINDS for found in kind.routes())
