"""What Paperless stores, as frozen values; decode.py reads them from its responses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

# What an examination needs. Fields that a Paperless does not know (`versions` in 2.20) are ignored by it.
DOCUMENT_FIELDS: Final = (
    *("id", "title", "content", "owner", "created", "added", "modified", "tags", "custom_fields"),
    *("page_count", "archive_serial_number", "correspondent", "document_type", "storage_path"),
    *("original_file_name", "archived_file_name", "mime_type", "versions", "duplicate_documents"),
)
HAS_ALL_TAGS: Final = 6  # Paperless's number for that filter rule of a saved view
# The same without the text, where only tags and dates are needed.
HEAD_FIELDS: Final = tuple(name for name in DOCUMENT_FIELDS if name != "content")


@dataclass(frozen=True, slots=True)
class FieldValue:
    """A custom field as set on a document; the value of a documentlink is a list of document ids."""

    field_id: int
    value: Any = field(repr=False)


@dataclass(frozen=True, slots=True)
class Note:
    id: int
    text: str = field(repr=False)
    created: str = ""
    user_id: int | None = None
    username: str = ""


@dataclass(frozen=True, slots=True)
class Shares:
    """With whom the owner of a document shares it, to view or to change."""

    users: frozenset[int] = frozenset()
    groups: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class RawDocument:
    """A document as Paperless has it; what was not asked for with `fields` is empty.

    Dates are ISO strings. Text and checksum are those of the newest file version; only 3.x sends the
    checksum (else see Metadata). `duplicates` are the live documents with the same file; 3.x sends them for a single
    document, never in a list.
    """

    id: int
    title: str = ""
    content: str = field(default="", repr=False)
    owner: int | None = None
    created: str = ""
    added: str = ""
    modified: str = ""
    tags: tuple[int, ...] = ()
    custom_fields: tuple[FieldValue, ...] = ()
    page_count: int | None = None
    archive_serial_number: int | None = None
    correspondent: int | None = None
    document_type: int | None = None
    storage_path: int | None = None
    original_file_name: str = ""
    has_archive: bool | None = None  # an archive file beside the original; None if not asked for
    mime_type: str = ""
    checksum: str = ""
    duplicates: tuple[int, ...] = ()
    notes: tuple[Note, ...] = ()
    shares: Shares | None = None  # None if not asked for, or not told
    may_change: bool | None = None  # the token's user; None if not asked for

    def everyone_sees(self, other: RawDocument) -> bool | None:
        """True if whoever may see this document may see the other one too; None if that cannot be known.

        A document without an owner is everybody's. Who is in a group is not known, so groups are compared as such.
        """
        if other.owner is None:
            return True
        if self.owner is None:
            return False
        if self.shares is None or other.shares is None:
            return None
        sees_other = other.shares.users | {other.owner}
        return self.shares.users | {self.owner} <= sees_other and self.shares.groups <= other.shares.groups

    def field_value(self, field_id: int) -> Any:
        """The value of one custom field; None if it is not set."""
        return next((entry.value for entry in self.custom_fields if entry.field_id == field_id), None)


@dataclass(frozen=True, slots=True)
class Metadata:
    """Facts on the stored file. Checksums are md5 (32 hex digits) in 2.20, sha256 (64) in 3.x."""

    original_checksum: str = ""
    archive_checksum: str = ""


@dataclass(frozen=True, slots=True)
class Tag:
    id: int
    name: str
    parent: int | None = None
    owner: int | None = None
    is_inbox: bool = False
    match: str = ""  # what Paperless would assign it by, if it were to


@dataclass(frozen=True, slots=True)
class CustomField:
    id: int
    name: str
    data_type: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class FileVersion:
    """One file of a document (3.x); `is_root`: the file it came with, which stays as long as the document."""

    id: int
    checksum: str = ""
    is_root: bool = False


@dataclass(frozen=True, slots=True)
class Task:
    """A background task; `status` is pending, started, success, failure or revoked."""

    id: str
    status: str
    result: str = field(default="", repr=False)
    document: int | None = None
    file_name: str = ""

    @property
    def done(self) -> bool:
        return self.status not in ("pending", "started")


@dataclass(frozen=True, slots=True)
class SavedView:
    id: int
    name: str
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def filters_on(self, tag: int | None) -> bool:
        rules = self.raw.get("filter_rules") or []
        return any(rule.get("rule_type") == HAS_ALL_TAGS and rule.get("value") == str(tag) for rule in rules)


@dataclass(frozen=True, slots=True)
class Workflow:
    """`raw` is the whole object (it can hold a webhook's secret header, so it is not shown)."""

    id: int
    name: str
    enabled: bool = False
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class ServerInfo:
    """The server and the token's user; `api_version` is the newest that this Paperless supports."""

    version: str
    api_version: int
    user_id: int
    username: str = ""
    is_superuser: bool = False
    permissions: frozenset[str] = frozenset()

    @property
    def has_file_versions(self) -> bool:
        return self.api_version >= 10  # what its API says of itself: both came together
