"""Tags, correspondents, document types, storage paths: named, owned, unique per owner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..rows import present
from ..rows.listing import paged
from ..rows.models import Matching, Tag
from ..rows.rights import chosen_owner
from ..rows.state import State
from ..web import Answer, Request, Route, allow, forbidden_model, invalid, missing, no_content, ok, route

Ids = Mapping[str, str]

TAKEN = "Object violates owner / name unique constraint"
_PLAIN = ("name", "match", "matching_algorithm", "color", "is_inbox_tag", "parent")


@dataclass(frozen=True, slots=True)
class Kind:
    """One of the four catalogues: its path and table, the word in permissions."""

    path: str
    model: str
    new: type[Matching] = Matching

    def table(self, state: State) -> dict[int, Matching]:
        rows: dict[int, Matching] = getattr(state, self.path)
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
        rows = [row for row in named(self.table(state).values(), request) if row.visible_to(request.user)]
        rows.sort(key=lambda row: row.name.lower())
        return paged(request, rows, lambda row: present.matching(request, row))

    def create(self, state: State, request: Request, ids: Ids) -> Answer:
        allow(request.user, f"add_{self.model}")
        data, owner = request.data, chosen_owner(request)
        if len(data["name"]) > 128:
            raise invalid({"name": ["Ensure this field has no more than 128 characters."]})
        if any(row.name == data["name"] and row.owner == owner for row in self.table(state).values()):
            raise invalid({"error": TAKEN})
        row = self.new(state.next_id(self.path), data["name"], owner)
        self.table(state)[row.id] = row
        return self._set(state, request, row, 201)

    def update(self, state: State, request: Request, ids: Ids) -> Answer:
        return self._set(state, request, self._changeable(state, request, ids, "change"), 200)

    def _set(self, state: State, request: Request, row: Matching, status: int) -> Answer:
        for name in _PLAIN:
            if name in request.data and hasattr(row, name):
                setattr(row, name, request.data[name])
        state.changed()
        return ok(present.matching(request, row), status)

    def delete(self, state: State, request: Request, ids: Ids) -> Answer:
        self.remove(state, self._changeable(state, request, ids, "delete"))
        return no_content()

    def remove(self, state: State, row: Matching) -> None:
        """Documents lose it without their ``modified`` moving; a tag takes its children along."""
        gone = {row.id, *(state.descendants(row.id) if isinstance(row, Tag) else ())}
        for document in state.documents.values():
            if isinstance(row, Tag):
                document.tags -= gone
            elif getattr(document, self.path.removesuffix("s")) == row.id:
                setattr(document, self.path.removesuffix("s"), None)
        for row_id in gone:
            del self.table(state)[row_id]
        state.changed()

    def _changeable(self, state: State, request: Request, ids: Ids, verb: str) -> Matching:
        allow(request.user, f"{verb}_{self.model}")
        row = self.table(state).get(int(ids["id"]))
        if row is None or not row.visible_to(request.user):
            raise missing(f"No {self.new.__name__} matches the given query.")
        if not row.changeable_by(request.user):
            raise forbidden_model()
        return row


def named(rows: Any, request: Request) -> list[Any]:
    """The filters every catalogue has: by name and by ids."""
    found = list(rows)
    if wanted := request.query.get("name__iexact", "").casefold():
        found = [row for row in found if row.name.casefold() == wanted]
    if ids := request.query.get("id__in"):
        found = [row for row in found if row.id in {int(part) for part in ids.split(",")}]
    return found


TAGS = Kind("tags", "tag", Tag)
CORRESPONDENTS = Kind("correspondents", "correspondent")
DOCUMENT_TYPES = Kind("document_types", "documenttype")
STORAGE_PATHS = Kind("storage_paths", "storagepath")

KINDS = (TAGS, CORRESPONDENTS, DOCUMENT_TYPES, STORAGE_PATHS)
ROUTES = [found for kind in KINDS for found in kind.routes()]
