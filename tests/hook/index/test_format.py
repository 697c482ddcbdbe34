"""An index that an earlier version wrote opens and gives the same answers.

data/ has an index of format 1 as version 0.1.0 wrote it, and what is in it. If this test fails, the change needs
a new format number, and existing users need a rebuild.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dedupe_core.model import Relation
from hook.findings.decisions import Decisions, Kind
from hook.index.codec import decode
from hook.index.disk import DATABASE
from hook.index.index import Index
from hook.index.interface import Keys

DATA = Path(__file__).parent / "data"
WRITTEN: dict[str, Any] = json.loads((DATA / "index-format-1.json").read_text(encoding="ascii"))
DOCUMENTS: dict[int, dict[str, Any]] = {int(number): row for number, row in WRITTEN["documents"].items()}


def keys_of_document(number: int) -> Keys:
    return np.array([int(key, 16) for key in DOCUMENTS[number]["keys"].split()], np.uint64)


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    place = tmp_path / "index"
    place.mkdir(mode=0o700)
    (place / DATABASE).write_bytes(gzip.decompress((DATA / "index-format-1.db.gz").read_bytes()))
    (place / DATABASE).chmod(0o600)
    return place


def opened(directory: Path) -> Index:
    recipe_id = WRITTEN["recipe_id"]
    return Index.open(directory, recipe_id, keys_of=lambda record: keys_of_document(decode(record).id))


def test_every_record_is_read_as_it_was_written(directory: Path) -> None:
    """Each field of each document."""
    with opened(directory) as index:
        for number, row in DOCUMENTS.items():
            found = decode(index.get_many([number])[number])
            assert (found.id, found.recipe_id) == (number, WRITTEN["recipe_id"])
            for name in ("title", "checksum", "created", "added", "owner", "words"):
                assert getattr(found, name) == row[name]
            assert (found.content_hash.hex(), len(found.text)) == (
                row["content_hash"],
                row["text_characters"],
            )
            for name in ("dates", "amounts", "references"):
                assert list(getattr(found.facts, name)) == row[name]


def test_every_document_is_found_under_every_key(directory: Path) -> None:
    """`check` compares all keys with all entries."""
    with opened(directory) as index:
        assert list(index.ids()) == sorted(DOCUMENTS)
        assert index.check().sound
        for number in DOCUMENTS:
            hits = index.lookup(keys_of_document(number))
            assert np.count_nonzero(hits.ids == number) == len(keys_of_document(number))


def test_what_is_not_a_document_is_still_there(directory: Path) -> None:
    """A decision, a meta value, and the next number of a sequence."""
    with opened(directory) as index:
        (decision,) = Decisions(index)
        assert (decision.a, decision.b, decision.kind) == (1, 2, Kind.DISMISSED)
        assert decision.relation is Relation.SIBLING
        assert index.get_meta("backfill") == b"last"
        assert index.namespace("journal").append(b"second") == 2


def test_it_can_be_changed(directory: Path) -> None:
    """Replacing and removing need the old keys."""
    with opened(directory) as index:
        record = index.get(1)
        assert record is not None
        index.put(1, keys_of_document(1), record)
        assert index.remove(2)
        assert index.check().sound
