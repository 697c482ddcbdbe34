"""Vectors in the index: sign bits in blocks to scan, the numbers behind them to rank the best. Atomic appends."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hook.errors import ModelMismatch
from hook.index.ids import number_key
from hook.index.interface import DocumentIndex
from hook.semantic.embedder import Vector

_MODEL: Final = "vectors"
_BLOCK: Final = 256  # codes in a row: 17 kB of 512 bits each; one row is rewritten when a vector is added
_ROW: Final = struct.Struct("<IH8s")  # block, place in it, beginning of the hash of the text
_VACANT: Final = 2**32 - 1
# Of the nearest by sign bits this many are ranked by their cosine; `python -m scripts.benchmarks semantic vectors` prints the recall.
_RANKED: Final = 400


@dataclass(frozen=True, slots=True)
class Near:
    id: int
    cosine: float


class Vectors:
    """The vectors of one model. Belongs to the thread that opened the index."""

    def __init__(self, index: DocumentIndex, model: str) -> None:
        self._index = index
        self.model = model
        self._rows = index.namespace("vectors")
        self._blocks = index.namespace("vector-codes")

    def check_model(self, dimension: int | None = None) -> None:
        """Raises ModelMismatch if the stored vectors are of another model or length."""
        known = self._known()
        if known and (known[0] != self.model or dimension not in (None, known[1])):
            raise ModelMismatch(f"{known[0]} ({known[1]} dimensions)", self.model)

    def clear(self) -> None:
        """Drops everything: the vectors of another model are of no use."""
        with self._index.exclusive():
            for space in (self._rows, self._blocks):
                for key, _ in list(space.items()):
                    space.delete(key)
            self._index.set_meta(_MODEL, b"")

    def __len__(self) -> int:
        return len(self._rows)

    def get(self, document_id: int, content_hash: bytes) -> Vector | None:
        """None if there is none, or if it is of another text of that document."""
        row = self._rows.get(number_key(document_id))
        if row is None or _ROW.unpack_from(row)[2] != content_hash[:8]:
            return None
        return _numbers(row)

    def put(self, document_id: int, content_hash: bytes, vector: Vector) -> None:
        with self._index.exclusive():
            self.check_model(len(vector))
            self._index.set_meta(_MODEL, json.dumps({"model": self.model, "dimension": len(vector)}).encode())
            block, place = self._place(document_id)
            self._write_code(block, place, document_id, _code(vector))
            row = _ROW.pack(block, place, content_hash[:8]) + vector.astype(np.float16).tobytes()
            self._rows.put(number_key(document_id), row)

    def remove(self, document_id: int) -> None:
        if self._rows.get(number_key(document_id)) is None:
            return
        with self._index.exclusive():
            row = self._rows.get(number_key(document_id))
            if row is None:
                return
            block, place, _ = _ROW.unpack_from(row)
            self._write_code(block, place, _VACANT, np.zeros(_code_size(row), np.uint8))
            self._rows.delete(number_key(document_id))

    def nearest(self, vector: Vector, limit: int, *, but: int | None = None) -> list[Near]:
        """The nearest first. All codes are scanned, the best are ranked by their cosine."""
        ids, codes = self._codes(_code(vector).size)
        if not len(ids):
            return []
        distances = np.bitwise_count(codes ^ _code(vector)).sum(axis=1, dtype=np.uint16)
        count = min(len(ids), max(_RANKED, 2 * limit))
        best = ids[np.argpartition(distances, count - 1)[:count]]
        nearest = [self._near(int(number), vector) for number in best if number not in (_VACANT, but)]
        return sorted(filter(None, nearest), key=lambda near: (-near.cosine, near.id))[:limit]

    def _near(self, document_id: int, vector: Vector) -> Near | None:
        row = self._rows.get(number_key(document_id))
        return None if row is None else Near(document_id, round(float(_numbers(row) @ vector), 4))

    def _known(self) -> tuple[str, int] | None:
        raw = self._index.get_meta(_MODEL)
        if not raw:
            return None
        known = json.loads(raw)
        return str(known["model"]), int(known["dimension"])

    def _place(self, document_id: int) -> tuple[int, int]:
        """Where it was, or behind the last one."""
        if (row := self._rows.get(number_key(document_id))) is not None:
            block, place, _ = _ROW.unpack_from(row)
            return block, place
        count = len(self._blocks)
        if count == 0:
            return 0, 0
        used = len(_ids(self._blocks.get(number_key(count - 1)) or b""))
        return (count - 1, used) if used < _BLOCK else (count, 0)

    def _write_code(self, block: int, place: int, document_id: int, code: NDArray[np.uint8]) -> None:
        known = self._blocks.get(number_key(block)) or b"\0\0"
        ids = np.append(_ids(known), np.uint32(_VACANT))[: max(place + 1, len(_ids(known)))]
        codes = np.vstack([_codes_in(known, code.size), np.zeros((1, code.size), np.uint8)])[: len(ids)]
        ids[place], codes[place] = document_id, code
        header = len(ids).to_bytes(2, "little")
        self._blocks.put(number_key(block), header + ids.tobytes() + codes.tobytes())

    def _codes(self, size: int) -> tuple[NDArray[np.uint32], NDArray[np.uint8]]:
        blocks = [block for _, block in self._blocks.items()]
        if not blocks:
            return np.empty(0, np.uint32), np.empty((0, size), np.uint8)
        return np.concatenate([_ids(block) for block in blocks]), np.vstack(
            [_codes_in(block, size) for block in blocks]
        )

    def ids(self) -> Iterator[int]:
        for key, _ in self._rows.items():
            yield int.from_bytes(key, "big")


def _code(vector: Vector) -> NDArray[np.uint8]:
    """One bit per dimension: its sign."""
    return np.packbits(vector > 0)


def _code_size(row: bytes) -> int:
    return -(-((len(row) - _ROW.size) // 2) // 8)


def _numbers(row: bytes) -> Vector:
    return np.frombuffer(row, np.float16, offset=_ROW.size).astype(np.float32)


def _ids(block: bytes) -> NDArray[np.uint32]:
    count = int.from_bytes(block[:2], "little")
    return np.frombuffer(block, np.uint32, count, offset=2)


def _codes_in(block: bytes, size: int) -> NDArray[np.uint8]:
    count = int.from_bytes(block[:2], "little")
    return np.frombuffer(block, np.uint8, count * size, offset=2 + 4 * count).reshape(count, size)
