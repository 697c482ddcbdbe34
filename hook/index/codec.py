"""Fingerprints as bytes: what one row of the index holds of a document. No pickle, bounded on the way back."""

from __future__ import annotations

import json
import struct
import zlib

from dedupe_core.model import Facts, Fingerprint
from dedupe_core.text.normalise import KEPT_CHARS
from hook.errors import IndexFault

_VERSION = 1
_HEAD = struct.Struct("<BIHBH")  # version, bytes of JSON, of signature, of content hash, number of parts
_MAX_TEXT_BYTES = 4 * KEPT_CHARS + 64


def encode(found: Fingerprint) -> bytes:
    facts = found.facts
    meta = {
        "id": found.id, "recipe": found.recipe_id, "words": found.words, "title": found.title[:500],
        "checksum": found.checksum, "created": found.created, "added": found.added, "owner": found.owner,
        "dates": facts.dates, "amounts": facts.amounts, "references": facts.references,
    }  # fmt: skip
    data = zlib.compress(json.dumps(meta, separators=(",", ":")).encode("ascii"), 6)
    text = zlib.compress(found.text.encode("utf-8", "surrogatepass"), 6)
    head = _HEAD.pack(
        _VERSION, len(data), len(found.signature), len(found.content_hash), len(found.parts) // 4
    )
    return head + data + found.signature + found.content_hash + found.parts + text


def decode(record: bytes) -> Fingerprint:
    """The fingerprint of a record; a damaged record is an error, never an endless or half-read one."""
    try:
        version, meta_bytes, signature_bytes, hash_bytes, part_count = _HEAD.unpack_from(record)
        if version != _VERSION:
            raise ValueError(f"record version {version}")
        at = _HEAD.size
        meta = json.loads(_inflated(record[at : at + meta_bytes], 1_000_000))
        at += meta_bytes
        signature = record[at : at + signature_bytes]
        at += signature_bytes
        content_hash = record[at : at + hash_bytes]
        at += hash_bytes
        parts = record[at : at + 4 * part_count]
        text = _inflated(record[at + 4 * part_count :], _MAX_TEXT_BYTES).decode("utf-8", "surrogatepass")
        return Fingerprint(
            id=int(meta["id"]),
            recipe_id=str(meta["recipe"]),
            signature=signature,
            content_hash=content_hash,
            text=text,
            words=int(meta["words"]),
            facts=Facts(tuple(meta["dates"]), tuple(meta["amounts"]), tuple(meta["references"])),
            parts=parts,
            title=str(meta["title"]),
            checksum=str(meta["checksum"]),
            created=str(meta["created"]),
            added=str(meta["added"]),
            owner=meta["owner"],
        )
    except (ValueError, KeyError, TypeError, RecursionError, struct.error, zlib.error) as error:
        raise IndexFault(
            f"a record of the index cannot be read ({type(error).__name__}): run `paperless-dedupe check --repair`"
        ) from error


def parts_of(record: bytes) -> bytes:
    """The sampled passages alone, without inflating the rest: for who looks at every record."""
    try:
        _, meta_bytes, signature_bytes, hash_bytes, part_count = _HEAD.unpack_from(record)
    except struct.error:
        return b""
    at = _HEAD.size + meta_bytes + signature_bytes + hash_bytes
    return record[at : at + 4 * part_count]


def _inflated(data: bytes, limit: int) -> bytes:
    reader = zlib.decompressobj()
    inflated = reader.decompress(data, limit)
    if reader.unconsumed_tail or not reader.eof:
        raise ValueError("compressed data too long or cut short")
    return inflated
