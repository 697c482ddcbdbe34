"""The numbers that an index is stored with, as figures: another one is another format, or takes what people have."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from hook.index import damage
from tests.hook.index.index_kit import open_index, put, random_keys, store_of

LARGEST = 2**32 - 2
KEY = np.array([7], np.uint64)


def test_as_many_keys_are_looked_up_as_16_bits_can_number(tmp_path: Path) -> None:
    with open_index(tmp_path) as index:
        index.lookup(random_keys(1, 65_535))
        with pytest.raises(ValueError, match="at most 65535"):
            index.lookup(random_keys(1, 65_536))


def test_a_key_keeps_64_documents_and_is_pruned_at_81(tmp_path: Path) -> None:
    """All of the first 80 are found; the 81st drops the oldest, and the key still counts as full."""
    with open_index(tmp_path) as index:
        for number in range(80):
            put(index, number, KEY)
        assert sorted(index.lookup(KEY).ids.tolist()) == list(range(80))
        put(index, 80, KEY)
        hits = index.lookup(KEY)
        assert sorted(hits.ids.tolist()) == list(range(17, 81))
        assert hits.saturated.tolist() == [True]


def test_a_value_has_16_megabytes_at_most(tmp_path: Path) -> None:
    with open_index(tmp_path) as index:
        largest = bytes(16 * 2**20)
        store_of(index).set("key", largest)
        assert store_of(index).get("key") == largest
        with pytest.raises(ValueError, match="the limit is 16777216"):
            store_of(index).set("key", largest + b"1")


def test_a_repair_reads_rows_of_any_number_and_halves_as_often_as_it_takes() -> None:
    """2**62 is beyond every row that SQLite numbers by itself; 400 queries find the rows around six damaged places."""
    from hook.index.store import LAST_ROW

    assert LAST_ROW == 2**62
    assert damage._ATTEMPTS >= 6 * 62
