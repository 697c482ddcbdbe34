"""Messages between a run and its worker processes: a JSON head and blocks of bytes, each with its length. No pickle."""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from typing import IO, Any

_LENGTH = struct.Struct("<I")


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
