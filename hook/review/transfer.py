"""What the kept document takes over from the other: only where it has nothing itself. Pure.

Nothing of the kept one is overwritten; where both have something and it differs, that is a conflict to tell.
Our own tags, links and notes are not carried, nor is the inbox tag: a filed document is no news.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from hook.findings.keeper import Ours
from hook.paperless.values import Note, RawDocument
from hook.plain_text import plain

VALUES: Final = ("correspondent", "document_type", "storage_path")
WORDS: Final = {
    "correspondent": "correspondent",
    "document_type": "type",
    "storage_path": "storage path",
    "archive_serial_number": "ASN",
}
_VALUE_CHARACTERS: Final = 60
_NOTHING: Final[tuple[Any, ...]] = (None, "", [])


@dataclass(frozen=True, slots=True)
class Conflict:
    """Both have it, and it differs; `name` is one of VALUES, the ASN, or a custom field's id."""

    name: str | int
    here: Any
    there: Any


@dataclass(frozen=True, slots=True)
class Carry:
    """Writes on the kept document; empty if it lacks nothing that the other has."""

    tags: frozenset[int] = frozenset()
    values: Mapping[str, int] = field(default_factory=dict)
    fields: Mapping[int, Any] = field(default_factory=dict)
    asn: int | None = None
    notes: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.tags or self.values or self.fields or self.asn is not None or self.notes)


@dataclass(frozen=True, slots=True)
class Names:
    """What ids are called; by kind, then by id. The kinds are `tags`, `fields` and those of VALUES."""

    known: Mapping[str, Mapping[int, str]] = field(default_factory=dict)

    def of(self, kind: str, number: Any) -> str:
        return f'"{self.known[kind][number]}"' if number in self.known.get(kind, {}) else f"no. {number}"


def carry(
    kept: RawDocument, other: RawDocument, ours: Ours, kept_notes: Sequence[str], other_notes: Sequence[str]
) -> Carry:
    """`other_notes` are those of people, as they would stand on the kept one (see `quoted`)."""
    here, there = _fields(kept, ours), _fields(other, ours)
    values = {name: getattr(other, name) for name in VALUES if getattr(other, name) is not None}
    asn = other.archive_serial_number
    return Carry(
        tags=frozenset(other.tags) - frozenset(kept.tags) - ours.tags - ours.inbox,
        values={name: value for name, value in values.items() if getattr(kept, name) is None},
        fields={number: value for number, value in there.items() if number not in here},
        asn=asn if kept.archive_serial_number is None else None,
        notes=tuple(dict.fromkeys(text for text in other_notes if text.strip() not in _stripped(kept_notes))),
        conflicts=(
            *(
                Conflict(n, getattr(kept, n), v)
                for n, v in values.items()
                if getattr(kept, n) not in (None, v)
            ),
            *(Conflict(n, here[n], v) for n, v in there.items() if n in here and here[n] != v),
            *(
                [Conflict("archive_serial_number", kept.archive_serial_number, asn)]
                if asn is not None and kept.archive_serial_number is not None
                else []
            ),
        ),
    )


def quoted(document: int, note: Note) -> str:
    """A note as it stands on another document: Paperless gives it our name and today's date."""
    whose = ", ".join(part for part in (plain(note.username), note.created[:10]) if part)
    return f"Note on #{document}{f' ({whose})' if whose else ''}: {note.text}"


def taken_over(made: Iterable[Carry], names: Names) -> str:
    """What was carried, in words: `tags "Tax", "2024"; correspondent "Bank"; ASN 17`."""
    parts, made = [], list(made)
    tags = sorted(names.of("tags", tag) for carry in made for tag in carry.tags)
    if tags:
        parts.append(f"{'tag' if len(tags) == 1 else 'tags'} {', '.join(tags)}")
    for carry in made:
        parts += [f"{WORDS[name]} {names.of(name, value)}" for name, value in carry.values.items()]
        parts += [f"field {names.of('fields', number)}" for number in carry.fields]
        parts += [f"ASN {carry.asn}"] if carry.asn is not None else []
    if count := sum(len(carry.notes) for carry in made):
        parts.append("its note" if count == 1 else f"its {count} notes")
    return "; ".join(parts)


def left_behind(conflicts: Iterable[Conflict], names: Names) -> str:
    """Conflicts in words: `type "Invoice" (here "Letter")`."""
    return "; ".join(_conflict(conflict, names) for conflict in conflicts)


def _conflict(conflict: Conflict, names: Names) -> str:
    name, here, there = conflict.name, conflict.here, conflict.there
    if isinstance(name, int):
        return f"field {names.of('fields', name)} {_shown(there)} (here {_shown(here)})"
    if name in VALUES:
        return f"{WORDS[name]} {names.of(name, there)} (here {names.of(name, here)})"
    return f"{WORDS[name]} {there} (here {here})"


def _fields(document: RawDocument, ours: Ours) -> dict[int, Any]:
    return {
        entry.field_id: entry.value
        for entry in document.custom_fields
        if entry.field_id != ours.link_field and entry.value not in _NOTHING
    }


def _stripped(texts: Iterable[str]) -> set[str]:
    return {text.strip() for text in texts}


def _shown(value: Any) -> str:
    return plain(str(value), _VALUE_CHARACTERS)
