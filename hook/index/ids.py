"""Document ids: which numbers can be one, and how numbers are written as keys."""

from __future__ import annotations

from typing import Final

MAX_ID: Final = 2**32 - 2  # `Hits.ids` has 32 bits


def parse_id(text: str) -> int | None:
    """An id that came as text; None if no document can have it."""
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(MAX_ID))):
        return None
    return number if 0 < (number := int(text)) <= MAX_ID else None


def valid_id(document_id: int) -> int:
    if not 0 <= document_id <= MAX_ID:
        raise ValueError(f"document id {document_id} is not in 0..{MAX_ID}")
    return int(document_id)  # `Hits.ids` has numpy integers of 32 bits


def number_key(number: int) -> bytes:
    """A document id or a sequence number as a key of a namespace: keys sort as the numbers do."""
    return number.to_bytes(8, "big")


def key_number(key: bytes) -> int:
    return int.from_bytes(key, "big")
