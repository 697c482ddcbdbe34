"""Fingerprints as bytes: the record of a document in the index; and JSON beside it, as of statements. No pickle; decoding is bounded."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from itertools import accumulate, pairwise
from operator import attrgetter
from typing import Any, TypeVar

from dedupe_core.model import Facts, Fingerprint, Statement, StatementKind
from dedupe_core.text.normalise import KEPT_CHARS, folded
from hook.errors import IndexDamaged

T = TypeVar("T")

_VERSION = 2
_HEAD = struct.Struct("<BIHBH")  # version, bytes of JSON, of signature, of content hash, number of parts
_TITLE_CHARS = 500
_MAX_META_BYTES = 1_000_000
_MAX_TEXT_BYTES = 4 * KEPT_CHARS + 64
_fields_of = attrgetter(*(field.name for field in fields(Statement)))
_DAMAGE = (ValueError, KeyError, TypeError, AttributeError, RecursionError)  # what damaged JSON leads to


def encode(document: Fingerprint) -> bytes:
    facts = document.facts
    meta = {
        "id": document.id, "recipe": document.recipe_id, "words": document.words, "title": document.title[:_TITLE_CHARS],
        "checksum": document.checksum, "created": document.created, "added": document.added, "owner": document.owner,
        "dates": facts.dates, "amounts": facts.amounts, "references": facts.references,
    }  # fmt: skip
    data = zlib.compress(json.dumps(meta, separators=(",", ":")).encode("ascii"), 6)
    text = zlib.compress(document.printed.encode("utf-8", "surrogatepass"), 6)
    head = _HEAD.pack(
        _VERSION, len(data), len(document.signature), len(document.content_hash), len(document.parts) // 4
    )
    return head + data + document.signature + document.content_hash + document.parts + text


def decode(record: bytes) -> Fingerprint:
    """The fingerprint of a record. A damaged record raises an error; it is never read in part or without end."""
    try:
        data, signature, content_hash, parts, text = _sections(record)
        meta = json.loads(_inflated(data, _MAX_META_BYTES))
        printed = _inflated(text, _MAX_TEXT_BYTES).decode("utf-8", "surrogatepass")
        return Fingerprint(
            id=int(meta["id"]),
            recipe_id=str(meta["recipe"]),
            signature=signature,
            content_hash=content_hash,
            text=folded(printed),
            words=int(meta["words"]),
            facts=Facts(tuple(meta["dates"]), tuple(meta["amounts"]), tuple(meta["references"])),
            printed=printed,
            parts=parts,
            title=str(meta["title"]),
            checksum=str(meta["checksum"]),
            created=str(meta["created"]),
            added=str(meta["added"]),
            owner=meta["owner"],
        )
    except (*_DAMAGE, struct.error, zlib.error) as error:
        raise IndexDamaged(None, f"a record cannot be read: {type(error).__name__}") from error


def read_json(value: bytes, reader: Callable[[Any], T]) -> T:
    """A value of a namespace."""
    try:
        return reader(json.loads(value))
    except _DAMAGE as error:
        raise IndexDamaged(None, f"an entry cannot be read: {type(error).__name__}") from error


def statements_to_json(statements: Iterable[Statement]) -> list[list[Any]]:
    """The fields of each in order, without empty ones at its end."""
    return [_trimmed(list(_fields_of(statement))) for statement in statements]


def statements_from_json(raw: Iterable[Sequence[Any]]) -> tuple[Statement, ...]:
    return tuple(Statement(StatementKind(kind), *rest[:1], *map(tuple, rest[1:])) for kind, *rest in raw)


def _trimmed(values: list[Any]) -> list[Any]:
    while not values[-1]:
        values.pop()
    return values


def parts_of(record: bytes) -> bytes:
    """Only the sampled passages, without decompressing the rest; for a scan of all records."""
    try:
        return _sections(record)[3]
    except (ValueError, struct.error):
        return b""


def _sections(record: bytes) -> list[bytes]:
    """JSON, signature, content hash, parts and text."""
    version, *sizes, part_count = _HEAD.unpack_from(record)
    if version != _VERSION:
        raise ValueError(f"record version {version}")
    ends = accumulate((*sizes, 4 * part_count, len(record)), initial=_HEAD.size)
    return [record[start:end] for start, end in pairwise(ends)]


def _inflated(data: bytes, limit: int) -> bytes:
    reader = zlib.decompressobj()
    inflated = reader.decompress(data, limit)
    if reader.unconsumed_tail or not reader.eof:
        raise ValueError("compressed data too long or truncated")
    return inflated
