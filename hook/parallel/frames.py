"""Messages between a run and its worker processes: a JSON head and blocks of bytes, each with its length. No pickle.
Verdicts are lists in them."""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from dataclasses import fields
from operator import attrgetter
from typing import IO, Any

from dedupe_core.model import Observation, Relation, Verdict
from hook.examination.codec import statements_from_json, statements_to_json

_LENGTH = struct.Struct("<I")
_VERDICT, _OBSERVATION = (tuple(one.name for one in fields(kind)) for kind in (Verdict, Observation))
_values_of, _values_seen = (attrgetter(*names) for names in (_VERDICT, _OBSERVATION))
_RELATION, _EVIDENCE, _STATEMENTS = map(_VERDICT.index, ("relation", "evidence", "statements"))


def send(stream: IO[bytes], head: Any, *blocks: bytes) -> None:
    parts = [json.dumps(head).encode("ascii"), *blocks]
    stream.write(_LENGTH.pack(len(parts)))
    for part in parts:
        stream.write(_LENGTH.pack(len(part)))
        stream.write(part)
    stream.flush()


def receive(stream: IO[bytes]) -> tuple[Any, Sequence[bytes]] | None:
    """None at the end of the stream, also within a message: the other side has ended."""
    count = _number(stream)
    parts = [_block(stream) for _ in range(count or 0)]
    if not parts or any(part is None for part in parts):
        return None
    head, *blocks = [part for part in parts if part is not None]
    return json.loads(head), blocks


def _block(stream: IO[bytes]) -> bytes | None:
    size = _number(stream)
    data = stream.read(size) if size is not None else b""
    return data if size is not None and len(data) == size else None


def _number(stream: IO[bytes]) -> int | None:
    data = stream.read(_LENGTH.size)
    return _LENGTH.unpack(data)[0] if len(data) == _LENGTH.size else None


def packed(verdict: Verdict) -> list[Any]:
    """Its fields in order; `asdict` takes ten times as long."""
    values = list(_values_of(verdict))
    values[_EVIDENCE] = list(map(_values_seen, verdict.evidence))
    values[_STATEMENTS] = statements_to_json(verdict.statements)
    return values


def unpacked(values: Sequence[Any]) -> Verdict:
    found = list(values)
    found[_RELATION] = Relation(values[_RELATION])
    found[_EVIDENCE] = tuple(Observation(*one) for one in values[_EVIDENCE])
    found[_STATEMENTS] = statements_from_json(values[_STATEMENTS])
    return Verdict(*found)
