"""Reads Paperless's answers into our values: one reader for each kind of answer.

They raise KeyError, TypeError or ValueError for what is not as documented, without repeating the value: it could be the
text of a document.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from typing import Any, Final, TypeVar

from hook.paperless.values import (
    CustomField,
    FieldValue,
    FileVersion,
    Metadata,
    Note,
    RawDocument,
    SavedView,
    ServerInfo,
    Shares,
    Tag,
    Task,
    Workflow,
)

V = TypeVar("V")
Raw = Mapping[str, Any]

MAX_ID: Final = 2**32 - 2  # as in the index; no Paperless has as many of anything


def document(raw: Raw) -> RawDocument:
    given: dict[str, Any] = {"notes": notes(_list(raw, "notes"))}
    values = _list(raw, "custom_fields")
    given["custom_fields"] = tuple(FieldValue(_id(entry["field"]), entry["value"]) for entry in values)
    if versions := file_versions(raw):
        given["checksum"] = versions[0].checksum
    twins = _list(raw, "duplicate_documents")
    given["duplicates"] = tuple(_id(twin["id"]) for twin in twins if not twin.get("deleted_at"))
    if "archived_file_name" in raw:
        given["has_archive"] = bool(raw["archived_file_name"])
    if "permissions" in raw:
        given["shares"] = _shares(raw["permissions"])
    if "user_can_change" in raw:
        given["may_change"] = raw["user_can_change"] is True
    return _filled(RawDocument, raw, **given)


def _shares(raw: Raw) -> Shares:
    sides = [raw[action] for action in ("view", "change")]
    users = frozenset(_id(user) for side in sides for user in _list(side, "users"))
    return Shares(users, frozenset(_id(group) for side in sides for group in _list(side, "groups")))


def id_of(raw: Raw) -> int:
    return _id(raw["id"])


def root_id(raw: Raw) -> int:
    return _id(raw["root_id"])


def all_ids(raw: Raw) -> list[int] | None:
    """API 9 lists the ids of all results beside each page; asking for the results would load every text."""
    return [_id(entry) for entry in raw["all"]] if "all" in raw else None


def results(raw: Raw) -> list[Any]:
    return _checked_list(raw["results"])


def notes(raw: list[Raw]) -> tuple[Note, ...]:
    return tuple(_note(entry) for entry in _checked_list(raw))


def _note(raw: Raw) -> Note:
    user = raw.get("user") or {}
    return _filled(
        Note,
        raw,
        text=_text(raw.get("note") or ""),
        user_id=_number(user.get("id")),
        username=_text(user.get("username") or ""),
    )


def metadata(raw: Raw) -> Metadata:
    return _filled(Metadata, raw)


def tag(raw: Raw) -> Tag:
    return _filled(Tag, raw, is_inbox=bool(raw.get("is_inbox_tag")))


def named(raw: Raw) -> tuple[int, str]:
    """A correspondent, document type or storage path."""
    return _id(raw["id"]), _text(raw["name"])


def file_versions(raw: Raw) -> tuple[FileVersion, ...]:
    """Newest first."""
    return tuple(_filled(FileVersion, entry) for entry in _list(raw, "versions"))


def custom_field(raw: Raw) -> CustomField:
    extra = raw.get("extra_data")
    return _filled(CustomField, raw, extra=extra if isinstance(extra, dict) else {})


def tasks(raw: list[Raw]) -> list[Task]:
    return [_task(entry) for entry in raw]


def _task(raw: Raw) -> Task:
    related = raw.get("related_document")
    return _filled(
        Task,
        raw,
        id=_text(raw["task_id"]),
        status=_text(raw.get("status") or "").lower(),
        document=int(related) if related else None,  # a number or its digits, depending on the version
        file_name=_text(raw.get("task_file_name") or ""),
    )


def saved_view(raw: Raw) -> SavedView:
    return _filled(SavedView, raw, raw=raw)


def workflow(raw: Raw) -> Workflow:
    return _filled(Workflow, raw, raw=raw)


def server_info(raw: Raw, headers: Mapping[str, str]) -> ServerInfo:
    user = raw["user"]
    return _filled(
        ServerInfo,
        user,
        version=headers.get("x-version") or _text(raw["settings"].get("version") or ""),
        api_version=int(headers.get("x-api-version") or 9),
        user_id=_id(user["id"]),
        permissions=frozenset(map(str, _list(raw, "permissions"))),
    )


def _filled(kind: type[V], source: Raw, /, **given: Any) -> V:
    """Each field that is not given has the value of the same name, or its default; its type says how it is read."""
    for field in fields(kind):  # type: ignore[arg-type]  # a dataclass, for which there is no public name
        value = source.get(field.name)
        if field.name not in given and (value is not None or field.default is MISSING):
            given[field.name] = _READERS[str(field.type)](value)
    return kind(**given)


def _id(value: object) -> int:
    if type(value) is not int or not 0 <= value <= MAX_ID:  # True is an int, too
        raise TypeError("an id is not a number that can be one")
    return value


def _number(value: object) -> int | None:
    if value is not None and (type(value) is not int or abs(value) >= 2**63):
        raise TypeError("not a number")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value


def _checked_list(value: object) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError("not a list")
    return value


def _list(raw: Raw, name: str) -> list[Any]:
    return _checked_list(raw.get(name) or [])


_READERS: Final[dict[str, Callable[[Any], Any]]] = {
    "int": _id,
    "int | None": _number,
    "str": _text,
    "bool": bool,
    "tuple[int, ...]": lambda value: tuple(_id(entry) for entry in _checked_list(value)),
}
