"""Tags, correspondents, document types, storage paths: named, owned, unique per owner."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..rows import present
from ..rows.listing import paged
from ..rows.models import Matching, Tag
from ..rows.rights import change_owner, chosen_owner
from ..rows.state import State
from ..web import (
    Answer,
    Request,
    Route,
    allow,
    encode,
    forbidden_model,
    invalid,
    invalid_pk,
    missing,
    no_content,
    ok,
    required,
    route,
)

Ids = Mapping[str, str]

TAKEN = "Object violates owner / name unique constraint"
MAX_TAG_DEPTH = 5
_NAME_LOOKUPS: Mapping[str, Callable[[str, str], bool]] = {
    "name__iexact": lambda have, want: have == want,
    "name__icontains": lambda have, want: want in have,
    "name__istartswith": lambda have, want: have.startswith(want),
    "name__iendswith": lambda have, want: have.endswith(want),
}
_PLAIN = ("match", "matching_algorithm", "is_insensitive", "path", "color", "is_inbox_tag")


@dataclass(frozen=True, slots=True)
class Kind:
    """One of the four catalogues: its path, its table, the word in permissions, the column on documents."""

    path: str
    model: str
    column: str
    new: type[Matching]

    def table(self, state: State) -> dict[int, Matching]:
        rows: dict[int, Matching] = getattr(state, self.path)
        return rows

    def routes(self) -> list[Route]:
        return [
            route("GET", f"{self.path}/", self.list_all),
            route("POST", f"{self.path}/", self.create),
            route("GET", f"{self.path}/<id>/", self.retrieve),
            route("PATCH", f"{self.path}/<id>/", self.update),
            route("DELETE", f"{self.path}/<id>/", self.delete),
        ]

    def list_all(self, state: State, request: Request, ids: Ids) -> Answer:
        """Only what the caller owns, is shared, or belongs to nobody: a tag of another user is not found."""
        allow(request.user, f"view_{self.model}")
        rows = [r for r in named(self.table(state).values(), request) if r.visible_to(request.user)]
        rows.sort(key=lambda r: r.name.lower())
        if request.query.get("ordering") == "-name":
            rows.reverse()
        counts = self.counts(state)
        return paged(
            request, rows, lambda r: self.show(state, request, r, counts), encode([r.id for r in rows])
        )

    def retrieve(self, state: State, request: Request, ids: Ids) -> Answer:
        allow(request.user, f"view_{self.model}")
        return ok(self.show(state, request, self.visible(state, request, ids), self.counts(state)))

    def create(self, state: State, request: Request, ids: Ids) -> Answer:
        allow(request.user, f"add_{self.model}")
        data = request.data
        self.check(state, data, None)
        if "name" not in data:
            raise required("name")
        owner = chosen_owner(state, request.user, data)
        self.refuse_taken(state, data["name"], owner, None)
        row = self.new(state.next_id(self.path), data["name"])
        self.apply(row, data)
        change_owner(
            state, request.user, row, {"owner": owner, "set_permissions": data.get("set_permissions")}
        )
        self.table(state)[row.id] = row
        state.changed()
        return ok(self.show(state, request, row, {}), 201)

    def update(self, state: State, request: Request, ids: Ids) -> Answer:
        allow(request.user, f"change_{self.model}")
        row = self.visible(state, request, ids)
        if not row.changeable_by(request.user):
            raise forbidden_model()
        data = request.data
        self.check(state, data, row)
        if "name" in data or "owner" in data:
            owner = data.get("owner", request.user.id)
            self.refuse_taken(state, data.get("name", row.name), owner, row)
        change_owner(state, request.user, row, data)
        self.apply(row, data)
        state.changed()
        return ok(self.show(state, request, row, self.counts(state)))

    def delete(self, state: State, request: Request, ids: Ids) -> Answer:
        """Documents lose it without their ``modified`` moving; a tag takes its children along."""
        allow(request.user, f"delete_{self.model}")
        row = self.visible(state, request, ids)
        if not row.changeable_by(request.user):
            raise forbidden_model()
        self.remove(state, row)
        return no_content()

    def remove(self, state: State, row: Matching) -> None:
        gone = {row.id, *(state.descendants(row.id) if self.column == "tags" else ())}
        for document in state.documents.values():
            if self.column == "tags":
                document.tags -= gone
            elif getattr(document, self.column) in gone:
                setattr(document, self.column, None)
        for row_id in gone:
            del self.table(state)[row_id]
        state.changed()

    def visible(self, state: State, request: Request, ids: Ids) -> Matching:
        row = self.table(state).get(int(ids["id"]))
        if row is None or not row.visible_to(request.user):
            raise missing(f"No {self.new.__name__} matches the given query.")
        return row

    def show(
        self, state: State, request: Request, row: Matching, counts: Mapping[int, int]
    ) -> dict[str, Any]:
        if isinstance(row, Tag):
            return present.tag(state, request, row, counts)
        shown = present.matching(request, row, counts.get(row.id, 0))
        return {**shown, "path": row.path} if self.column == "storage_path" else shown

    def counts(self, state: State) -> Counter[int]:
        if self.column == "tags":
            return Counter(i for d in state.documents.values() if d.deleted_at is None for i in d.tags)
        values = (getattr(d, self.column) for d in state.documents.values() if d.deleted_at is None)
        return Counter(i for i in values if i is not None)

    def refuse_taken(self, state: State, name: str, owner: int | None, row: Matching | None) -> None:
        """Unique per owner, letter for letter."""
        if any(r.name == name and r.owner == owner and r is not row for r in self.table(state).values()):
            raise invalid({"error": TAKEN})

    def check(self, state: State, data: dict[str, Any], row: Matching | None) -> None:
        if "name" in data:
            _check_name(data["name"])
        if "color" in data and not re.fullmatch(r"#[0-9a-fA-F]{6}", str(data["color"])):
            raise invalid({"color": ["Invalid color."]})
        if "matching_algorithm" in data and data["matching_algorithm"] not in range(7):
            raise invalid({"matching_algorithm": [f'"{data["matching_algorithm"]}" is not a valid choice.']})
        if self.column == "storage_path" and row is None and "path" not in data:
            raise required("path")
        if self.column == "tags" and data.get("parent") is not None:
            _check_parent(state, data["parent"], row)

    def apply(self, row: Matching, data: dict[str, Any]) -> None:
        row.name = data.get("name", row.name)
        for name in _PLAIN:
            if name in data and hasattr(row, name):
                setattr(row, name, data[name])
        if isinstance(row, Tag) and "parent" in data:
            row.parent = data["parent"]


def named(rows: Any, request: Request) -> list[Any]:
    """The filters every catalogue has: by name and by ids."""
    found = list(rows)
    for lookup, compare in _NAME_LOOKUPS.items():
        if wanted := request.query.get(lookup, "").casefold():
            found = [row for row in found if compare(row.name.casefold(), wanted)]
    if request.query.get("id__in"):
        try:
            ids = {int(part) for part in request.query["id__in"].split(",")}
        except ValueError:
            raise invalid({"id__in": ["Enter a number."]}) from None
        found = [row for row in found if row.id in ids]
    return found


def _check_name(name: Any) -> None:
    if not isinstance(name, str) or not name.strip():
        raise invalid({"name": ["This field may not be blank."]})
    if len(name) > 128:
        raise invalid({"name": ["Ensure this field has no more than 128 characters."]})


def _check_parent(state: State, parent: Any, row: Matching | None) -> None:
    if parent not in state.tags:
        raise invalid_pk("parent", parent)
    above = [parent, *state.ancestors(state.tags[parent])]
    if row is not None and row.id == parent:
        raise invalid({"parent": ["Cannot set itself as parent."]})
    if row is not None and row.id in above:
        raise invalid({"parent": ["Cannot set parent to a descendant."]})
    if len(above) + 1 > MAX_TAG_DEPTH:
        raise invalid({"parent": ["Maximum nesting depth exceeded."]})


TAGS = Kind("tags", "tag", "tags", Tag)
CORRESPONDENTS = Kind("correspondents", "correspondent", "correspondent", Matching)
DOCUMENT_TYPES = Kind("document_types", "documenttype", "document_type", Matching)
STORAGE_PATHS = Kind("storage_paths", "storagepath", "storage_path", Matching)

KINDS: Sequence[Kind] = (TAGS, CORRESPONDENTS, DOCUMENT_TYPES, STORAGE_PATHS)
ROUTES = [found for kind in KINDS for found in kind.routes()]
