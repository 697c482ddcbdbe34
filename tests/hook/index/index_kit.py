"""What the tests of the index share: documents whose record is simply their keys."""

import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np

from hook.index.damage import salvage
from hook.index.index import Index
from hook.index.interface import DocumentIndex, Keys
from hook.index.store import Store

RECIPE = "test-recipe"


def keys_of(record: bytes) -> Keys:
    return np.frombuffer(record, np.uint64)


def random_keys(seed: int, count: int = 100) -> Keys:
    return np.random.default_rng(seed).integers(0, 2**64, count, dtype=np.uint64)


def open_index(
    directory: Path, *, recipe_id: str = RECIPE, create: bool = True, timeout_s: float = 10.0
) -> Index:
    return Index.open(directory, recipe_id, keys_of=keys_of, create=create, timeout_s=timeout_s)


def repair_file(directory: Path, timeout_s: float = 10.0) -> None:
    salvage(directory, RECIPE, keys_of, timeout_s=timeout_s)


def put(index: DocumentIndex, document_id: int, keys: Keys) -> None:
    index.lookup_and_put(document_id, keys, keys.tobytes())


def found(index: DocumentIndex, keys: Keys) -> set[tuple[int, int]]:
    """(key, document id) for every hit."""
    hits = index.lookup(keys)
    return {
        (int(keys[number]), document_id)
        for number, document_id in zip(hits.key_index, hits.ids.tolist(), strict=True)
    }


def rewrite(directory: Path, statement: str, *values: object) -> None:
    """What somebody with access to the file can do, or damage."""
    with closing(sqlite3.connect(directory / "cache.db")) as connection, connection:
        assert connection.execute(statement, values).rowcount > 0


def store_of(index: DocumentIndex) -> Store:
    """What an index in a directory stores its rows in."""
    assert isinstance(index, Index)
    return index._store


def content(index: DocumentIndex) -> tuple[dict[int, bytes], dict[int, list[int]]]:
    """Everything stored for documents: their records and the table of keys."""
    rows = store_of(index).fetch("SELECT key, docs FROM posting")
    return index.get_many(index.ids()), {key: sorted(np.frombuffer(docs, "<u4")) for key, docs in rows}
