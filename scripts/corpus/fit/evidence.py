"""The evidence that the shipped trees were fitted on: for each compared pair its measures and what it is, and nothing else.

Two of the corpora may not be redistributed. What is kept of them has no text, no name and no number of a document, so anyone can
repeat the fit: `python -m scripts.corpus refit`.
"""

from __future__ import annotations

import io
import lzma
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dedupe_core.compare.measures import ALL

FILE = Path(__file__).resolve().parent / "evidence.npz.xz"
_MOST = 60_000.0  # half-precision numbers end a little above
Floats = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class Table:
    """The compared pairs: what was measured on each, what it is, the folds of its documents, and whether it is tested."""

    values: Floats
    labels: np.ndarray[Any, Any]
    fold_a: np.ndarray[Any, Any]
    fold_b: np.ndarray[Any, Any]
    tested: np.ndarray[Any, Any]
    altered: np.ndarray[Any, Any]  # copies and edits of documents
    made: np.ndarray[Any, Any]  # generated

    def without(self, fold: int | None) -> np.ndarray[Any, Any]:
        return (
            np.ones(len(self.labels), bool) if fold is None else (self.fold_a != fold) & (self.fold_b != fold)
        )


def rounded(values: Sequence[Sequence[float]]) -> Floats:
    """As the file keeps them, so that a fit from it is the same."""
    return np.clip(values, -_MOST, _MOST).astype(np.float16).astype(np.float64)


def save(table: Table, path: Path = FILE) -> None:
    small = {"fold_a": np.int8, "fold_b": np.int8}
    parts = {name: getattr(table, name) for name in Table.__annotations__ if name != "values"}
    parts |= {name: parts[name].astype(kind) for name, kind in small.items()}
    with lzma.open(path, "wb") as file:
        np.savez(file, measures=np.array(ALL), values=table.values.astype(np.float16).T, **parts)


def stored(path: Path = FILE) -> Table:
    file = np.load(io.BytesIO(lzma.decompress(path.read_bytes())), allow_pickle=False)
    measures = tuple(file["measures"].tolist())
    if measures != ALL:
        changed = ", ".join(sorted(set(measures) ^ set(ALL))) or "their order"
        raise SystemExit(
            f"{path.name} has other measures ({changed}); collect the evidence again: python -m scripts.corpus fit --write"
        )
    rest = (file[name] for name in Table.__annotations__ if name != "values")
    return Table(file["values"].T.astype(np.float64), *rest)
