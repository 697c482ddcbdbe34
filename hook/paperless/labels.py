"""Our tags and our link field in Paperless: found by what we made before, else by name, else created."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from hook.errors import ForeignIndex, RightsError
from hook.language.names import TAGS, is_our_field, is_our_tag, other_names
from hook.paperless.values import CustomField, Tag
from hook.settings.model import Settings
from hook.settings.types import RELATIONS

if TYPE_CHECKING:
    from hook.paperless.client import Paperless

L = TypeVar("L", Tag, CustomField)

LINK_TYPE: Final = "documentlink"
INDEX_ID: Final = "index-id"
_ID_LOST: Final = "index-id-lost"
_CLAIM: Final = "paperless-dedupe index "
# Of a tag that we create, by its setting; Paperless's own page of tags changes it.
_COLORS: Final = {
    "tag_review": "#e6194b",
    "tag_identical": "#800000",
    "tag_rescan": "#f58231",
    "tag_revision": "#4363d8",
    "tag_contained": "#911eb4",
    "tag_translated": "#469990",
    "tag_maybe": "#a9a9a9",
}
_DECISION_COLOR: Final = "#3cb44b"
_FIELD: Final = "field:"
_META: Final = "labels"  # configured name -> id, so that a tag that was renamed in Paperless stays ours
_CREATED: Final = "labels-created"  # ids of those that we made and did not find: `retract` deletes only these


@dataclass(frozen=True, slots=True)
class LabelIds:
    """Which of our labels exist now; `problem` says why there can be no links."""

    tags: Mapping[str, int] = field(default_factory=dict)
    names: Mapping[int, str] = field(default_factory=dict)
    below_review: frozenset[int] = frozenset()
    inbox: frozenset[int] = frozenset()  # of Paperless: set on every new document
    link_field: int | None = None
    problem: str = ""
    holder: str = ""  # the id of the index that this Paperless is used with
    extra: Mapping[str, Any] = field(default_factory=dict)  # of the link field


class Store(Protocol):
    """Small values that outlive the run; the index keeps them."""

    def get_meta(self, name: str) -> bytes | None: ...
    def set_meta(self, name: str, value: bytes) -> None: ...
    def exclusive(self, *, durable: bool = False) -> AbstractContextManager[None]: ...


def note_lost_id(index: Store) -> None:
    """After a repair: an index whose id could not be read takes that of the Paperless which it is used with."""
    if index.get_meta(INDEX_ID) is None:
        index.set_meta(_ID_LOST, b"true")


class Labels:
    """Reads them from Paperless once, and again after `renew`. Creates only what `ensure` and `ensure_field` ask for."""

    def __init__(self, client: Paperless, settings: Settings, index: Store) -> None:
        self._client, self._settings, self._index = client, settings, index
        self._ids: LabelIds | None = None
        self._of_any_index = False

    def known(self) -> LabelIds:
        """Raises ForeignIndex if this Paperless is used with another index."""
        if self._ids is None:
            self._ids = self._look_up()
        if not self._of_any_index and self._ids.holder not in ("", self.index_id(create=False)):
            if not self._has_lost_its_id():
                raise ForeignIndex(self._ids.holder, self.index_id(create=False))
            self.take_the_place()
        return self._ids

    def _has_lost_its_id(self) -> bool:
        return not self.index_id(create=False) and self._index.get_meta(_ID_LOST) is not None

    def renew(self) -> LabelIds:
        """After a refusal: somebody may have deleted what was there a moment ago."""
        self._ids = None
        return self.known()

    def of_any_index(self) -> None:
        """From now on those of an index that is lost are taken for ours: to remove them."""
        self._of_any_index = True

    # The id of the index, kept in the `match` of the parent tag: with the matching algorithm "none" Paperless does
    # nothing with that text, both versions keep and return it, and editing the tag in the web page leaves it.

    def index_id(self, *, create: bool = True) -> str:
        raw = self._index.get_meta(INDEX_ID)
        if raw is None and create:
            # On disk before Paperless gets it; another host may draw one, too. JSON, as all of the index's own values.
            drawn = json.dumps(secrets.token_hex(8)).encode("ascii")
            with self._index.exclusive(durable=True):
                raw = self._index.get_meta(INDEX_ID) or drawn
                self._index.set_meta(INDEX_ID, raw)
        return str(json.loads(raw)) if raw else ""

    def take_the_place(self) -> None:
        """For an index that is built to replace the one that Paperless is used with: it gets the same id."""
        if (holder := self._look_up().holder) and not self.index_id(create=False):
            self._index.set_meta(INDEX_ID, json.dumps(holder).encode("ascii"))

    def claim(self, *, adopt: bool = False) -> None:
        """Writes the id of this index into Paperless, unless it is there; `adopt`: instead of another one."""
        known = self._look_up() if adopt else self.known()
        if known.holder == self.index_id():
            return
        self._ids = replace(known, holder="")
        tag = self._ensure_tag(self._settings.tag_review)
        parent = next(iter(self._client.tags([tag])), None)
        if parent is None or (parent.match and not parent.match.startswith(_CLAIM)):
            return  # the text is the user's
        if parent.match != f"{_CLAIM}{self.index_id()}":  # else it was created with it
            self._client.set_tag_match(tag, f"{_CLAIM}{self.index_id()}")
        self._ids = replace(self.known(), holder=self.index_id())

    def keep(self, extra: Mapping[str, Any]) -> bool:
        """Sets these values of the link field's extra data, which Paperless does not use; False if there is no field."""
        field_id = self.ensure_field()
        if field_id is None:
            return False
        self._client.set_field_extra(field_id, {**self.known().extra, **extra})
        self._ids = replace(self.known(), extra={**self.known().extra, **extra})
        return True

    def ensure(self, names: Iterable[str]) -> dict[str, int]:
        """The ids of these tags; those that are missing are created, the parent of one before it."""
        return {name: self._ensure_tag(name) for name in sorted(names)}

    def ensure_field(self) -> int | None:
        """The link field; None if its name is taken by a field of another type (see `LabelIds.problem`)."""
        known = self.known()
        if known.link_field is None and not known.problem:
            made = self._client.create_custom_field(self._settings.link_field, LINK_TYPE)
            self._remember(f"{_FIELD}{self._settings.link_field}", made.id)
            self._remember_created(f"{_FIELD}{made.id}")
            known = self.renew()  # another process may have made one of that name and of another type
        return known.link_field

    def decision_ids(self, *, fresh: bool = False) -> dict[str, int]:
        """The tags by which users decide, by name; as last seen if that is known, without a request."""
        settings = self._settings
        names = (settings.tag_not_duplicate, settings.tag_confirm, settings.tag_make_version)
        known = self._remembered()
        if not fresh and known.keys() >= set(names[:2]):  # 2.20 has no file versions, so no tag for them
            return {name: known[name] for name in names if name in known}
        tags = {name: tag for name in names if (tag := self.known().tags.get(name)) is not None}
        for name, tag in tags.items():
            self._remember(name, tag)
        return tags

    def tag_names(self) -> dict[str, str]:
        """Every tag of ours with its colour: the parent, those of findings, those that users set."""
        return {getattr(self._settings, name): _COLORS.get(name, _DECISION_COLOR) for name in TAGS}

    def _ensure_tag(self, name: str) -> int:
        if (known := self.known().tags.get(name)) is not None:
            self._remember(name, known)
            return known
        # Decision tags are beside the parent, not below it: Paperless puts the parent of a tag on a document
        # along with it, and `dedupe:skip` must not bring up `dedupe:review`.
        nested = name in map(self._settings.tag_for, RELATIONS)
        parent = self._ensure_tag(self._settings.tag_review) if nested else None
        match = "" if nested or name != self._settings.tag_review else f"{_CLAIM}{self.index_id()}"
        made = self._client.create_tag(name, color=self.tag_names()[name], parent=parent, match=match)
        self._remember(name, made.id)
        self._remember_created(f"tag:{made.id}")
        ids = self.known()
        self._ids = replace(
            ids,
            tags={**ids.tags, name: made.id},
            names={**ids.names, made.id: made.name},
            below_review=ids.below_review | ({made.id} if made.parent is not None else set()),
        )
        return made.id

    def _look_up(self) -> LabelIds:
        tags = {tag.id: tag for tag in self._client.tags()}
        own = {name: tag for name in self.tag_names() if (tag := self._find(name, name, tags))}
        ids = {name: tag.id for name, tag in own.items()}
        review = own.get(self._settings.tag_review)
        below = frozenset(tag.id for tag in tags.values() if review is not None and tag.parent == review.id)
        link, problem, extra = self._look_up_field()
        names = {tag.id: tag.name for tag in tags.values()}
        inbox = frozenset(tag.id for tag in tags.values() if tag.is_inbox)
        return LabelIds(ids, names, below, inbox, link, problem, holder_of(review) if review else "", extra)

    def _look_up_field(self) -> tuple[int | None, str, Mapping[str, Any]]:
        name = self._settings.link_field
        try:
            fields = {field.id: field for field in self._client.custom_fields()}
        except RightsError as error:
            return None, f"{error} Continuing without links.", {}
        link = self._find(f"{_FIELD}{name}", name, fields)
        if link is None or link.data_type == LINK_TYPE:
            return (link.id, "", link.extra) if link else (None, "", {})
        return None, _wrong_type(link), {}

    def _find(self, key: str, name: str, labels: Mapping[int, L]) -> L | None:
        """What we used before, whatever it is called now; else by its name, in any language. A tag without an owner, which
        all users see, is preferred."""
        if (known := self._remembered().get(key)) is not None and known in labels:
            return labels[known]
        for wanted in (name, *other_names(name)):  # it keeps its name if the language changes
            alike = [label for label in labels.values() if label.name.casefold() == wanted.casefold()]
            if alike:
                return min(
                    alike,
                    key=lambda label: (
                        label.name != wanted,
                        getattr(label, "owner", None) is not None,
                        label.id,
                    ),
                )
        return None

    def was_created(self, tag: int) -> bool:
        """True for a tag that we made, or that has a name that we alone use."""
        name = self.known().names.get(tag, "")
        return f"tag:{tag}" in self._created() or is_our_tag(name)

    def was_field_created(self, field_id: int) -> bool:
        return f"{_FIELD}{field_id}" in self._created() or is_our_field(self._settings.link_field)

    def forget(self) -> None:
        """After everything of ours was removed from Paperless."""
        for name in (_META, _CREATED):
            self._index.set_meta(name, b"")
        self._ids = None

    def _created(self) -> list[str]:
        raw = self._index.get_meta(_CREATED)
        return json.loads(raw) if raw else []

    def _remember_created(self, label: str) -> None:
        self._index.set_meta(_CREATED, json.dumps(sorted({*self._created(), label})).encode("ascii"))

    def _remembered(self) -> dict[str, int]:
        raw = self._index.get_meta(_META)
        try:
            return dict(json.loads(raw)) if raw else {}
        except (ValueError, TypeError):  # damaged: they are found by name
            return {}

    def _remember(self, name: str, label_id: int) -> None:
        known = self._remembered()
        if known.get(name) != label_id:
            self._index.set_meta(_META, json.dumps({**known, name: label_id}).encode("ascii"))


def holder_of(parent: Tag) -> str:
    """The id of the index that our parent tag says this Paperless is used with."""
    return parent.match.removeprefix(_CLAIM) if parent.match.startswith(_CLAIM) else ""


def _wrong_type(field: CustomField) -> str:
    return (
        f'the custom field "{field.name}" is of type {field.data_type}, not {LINK_TYPE}: rename it in '
        "Paperless, or name another one in DEDUPE_LINK_FIELD; continuing without links"
    )
