"""How a shared index is laid out in keys, and the state that every process reads first.

PREFIX:state                what the index is made of: format, recipe, generation
PREFIX:G:d:ID               the record of a document                          G: the generation, one more with a rebuild
PREFIX:G:i:N                which of the ids N * 32768.. there are, as bits
PREFIX:G:i                  the numbers N
PREFIX:G:k:PAGE             a page of keys (members.py)
PREFIX:m:NAME               meta values
PREFIX:n:NAMESPACE...       namespaces (values.py)
PREFIX:lock:NAME            leases (lease.py)
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Final

from hook.errors import FormatMismatch, IndexDamaged, RecipeMismatch
from hook.settings.address import Address

FORMAT: Final = 2
IDS_AT_ONCE: Final = 32_768  # bits of one key: 4 kB


@dataclass(frozen=True, slots=True)
class State:
    recipe_id: str
    generation: int = 1
    format: int = FORMAT

    def to_bytes(self) -> bytes:
        return json.dumps(asdict(self), separators=(",", ":")).encode("ascii")


def state_of(value: bytes, address: Address) -> State:
    try:
        data = json.loads(value)
        if data["format"] != FORMAT:
            raise FormatMismatch(address, data["format"], FORMAT)
        return State(str(data["recipe_id"]), int(data["generation"]))
    except (ValueError, KeyError, TypeError) as error:
        raise IndexDamaged(address, "its state cannot be read") from error


def expect_recipe(state: State, recipe_id: str, address: Address) -> State:
    if state.recipe_id != recipe_id:
        raise RecipeMismatch(address, state.recipe_id, recipe_id)
    return state


class Names:
    """The names of the keys."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix.encode()
        self.state = self.prefix + b":state"

    def record(self, state: State, document_id: int) -> bytes:
        return b"%s:%d:d:%d" % (self.prefix, state.generation, document_id)

    def ids(self, state: State) -> bytes:
        return b"%s:%d:i" % (self.prefix, state.generation)

    def some_ids(self, state: State, number: int) -> bytes:
        return b"%s:%d:i:%d" % (self.prefix, state.generation, number)

    def page(self, state: State, number: int) -> bytes:
        return b"%s:%d:k:%x" % (self.prefix, state.generation, number)

    def pages(self, state: State) -> bytes:
        """A pattern for all of them."""
        return b"%s:%d:k:*" % (_escaped(self.prefix), state.generation)

    def all(self) -> bytes:
        """A pattern for every key of the index."""
        return _escaped(self.prefix) + b":*"

    def generation(self, generation: int) -> bytes:
        return b"%s:%d:*" % (_escaped(self.prefix), generation)

    def meta(self, name: str) -> bytes:
        return self.prefix + b":m:" + name.encode()

    def lock(self, name: str) -> bytes:
        return self.prefix + b":lock:" + name.encode()


def _escaped(prefix: bytes) -> bytes:
    return b"".join(b"\\" + bytes([byte]) if byte in b"*?[]\\" else bytes([byte]) for byte in prefix)


def generation_of(value: bytes | None) -> int:
    """Also of another format. If the state cannot be read, nothing of the index is found, and the next one is free."""
    try:
        return int(json.loads(value or b"")["generation"])
    except (ValueError, KeyError, TypeError):
        return 0
