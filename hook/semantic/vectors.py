"""Vectors in the index: sign bits in blocks to scan, the numbers behind them to rank the best. Atomic appends."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hook.errors import ModelMismatch
from hook.index.ids import key_number, number_key
from hook.index.interface import DocumentIndex
from hook.semantic.embedder import Vector

_MODEL: Final = "vectors"
_BLOCK: Final = (
    256  # documents with neighbouring ids, 16 kB of 512 bits each; rewritten when one of them gets a vector
)
_MASK_BYTES: Final = _BLOCK // 8  # at the beginning of a block: which of them have one
_HASH_BYTES: Final = 8  # at the beginning of a row: of the hash of the text
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
        return _numbers(row) if row and row[:_HASH_BYTES] == content_hash[:_HASH_BYTES] else None

    def put(self, document_id: int, content_hash: bytes, vector: Vector) -> None:
        with self._index.exclusive():
            self.check_model(len(vector))
            described = {"model": self.model, "dimension": len(vector)}
            self._index.set_meta(_MODEL, json.dumps(described).encode())
            self._set_code(document_id, _code(vector), is_there=True)
            row = content_hash[:_HASH_BYTES] + vector.astype(np.float16).tobytes()
            self._rows.put(number_key(document_id), row)

    def remove(self, document_id: int) -> None:
        if self._rows.get(number_key(document_id)) is None:
            return
        with self._index.exclusive():
            if (row := self._rows.get(number_key(document_id))) is not None:
                self._set_code(document_id, _code(_numbers(row)), is_there=False)
                self._rows.delete(number_key(document_id))

    def nearest(self, vector: Vector, limit: int, *, but: int | None = None) -> list[Near]:
        """The nearest first. All codes are scanned, the best are ranked by their cosine."""
        blocks = [(key_number(key), *_unpacked(block)) for key, block in self._blocks.items()]
        if not blocks:
            return []
        ids = np.concatenate([number * _BLOCK + np.flatnonzero(is_there) for number, is_there, _ in blocks])
        codes = np.vstack([codes[is_there] for _, is_there, codes in blocks])
        distances = np.bitwise_count(codes ^ _code(vector)).sum(axis=1, dtype=np.uint16)
        count = min(len(ids), max(_RANKED, 2 * limit))
        best = ids[np.argpartition(distances, count - 1)[:count]] if count else ids
        nearest = [self._near(int(number), vector) for number in best if number != but]
        return sorted(filter(None, nearest), key=lambda near: (-near.cosine, near.id))[:limit]

    def _near(self, document_id: int, vector: Vector) -> Near | None:
        row = self._rows.get(number_key(document_id))
        return None if row is None else Near(document_id, round(float(_numbers(row) @ vector), 4))

    def _known(self) -> tuple[str, int] | None:
        raw = self._index.get_meta(_MODEL)
        if not raw:
            return None
        known = json.loads(raw)
        return known["model"], known["dimension"]

    def _set_code(self, document_id: int, code: NDArray[np.uint8], *, is_there: bool) -> None:
        number, place = divmod(document_id, _BLOCK)
        known = self._blocks.get(number_key(number)) or bytes(_MASK_BYTES + _BLOCK * code.size)
        mask, codes = (values.copy() for values in _unpacked(known))
        mask[place], codes[place] = is_there, code
        self._blocks.put(number_key(number), np.packbits(mask).tobytes() + codes.tobytes())

    def ids(self) -> Iterator[int]:
        for key, _ in self._rows.items():
            yield key_number(key)


def _code(vector: Vector) -> NDArray[np.uint8]:
    """One bit per dimension: its sign."""
    return np.packbits(vector > 0)


def _numbers(row: bytes) -> Vector:
    return np.frombuffer(row, np.float16, offset=_HASH_BYTES).astype(np.float32)


def _unpacked(block: bytes) -> tuple[NDArray[np.bool_], NDArray[np.uint8]]:
    """Which documents of the block have a vector, and the codes of all."""
    mask = np.unpackbits(np.frombuffer(block, np.uint8, _MASK_BYTES)).astype(np.bool_)
    return mask, np.frombuffer(block, np.uint8, offset=_MASK_BYTES).reshape(_BLOCK, -1)
