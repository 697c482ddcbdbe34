"""An index of an earlier format is recognised, and a rebuild keeps what is not a document.

data/ has an index of format 1, whose keys were in pages of its own, with a decision, a meta value and a sequence.
"""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from dedupe_core.model import Relation
from hook.errors import FormatMismatch
from hook.findings.decisions import Decisions, Kind
from hook.index.index import Index
from hook.private_files import DATABASE
from tests.hook.index.index_kit import RECIPE, found, keys_of, open_index, put, random_keys

DATA = Path(__file__).parent / "data"


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    place = tmp_path / "index"
    place.mkdir(mode=0o700)
    (place / DATABASE).write_bytes(gzip.decompress((DATA / "index-format-1.db.gz").read_bytes()))
    (place / DATABASE).chmod(0o600)
    return place


def test_an_earlier_format_is_refused_with_the_command_that_rebuilds_it(directory: Path) -> None:
    """Nothing in it is changed."""
    before = (directory / DATABASE).read_bytes()
    with pytest.raises(
        FormatMismatch, match=r"format 1, this version reads format 3.*`paperless-dedupe backfill`"
    ):
        open_index(directory)
    assert (directory / DATABASE).read_bytes() == before


def test_a_rebuild_keeps_what_is_not_a_document(directory: Path, tmp_path: Path) -> None:
    """A decision, a meta value, and the next number of a sequence; the documents are those that were read again."""
    with open_index(tmp_path / "beside") as beside:
        put(beside, 5, random_keys(5))
    with Index.rebuild(directory, RECIPE, keys_of=keys_of, filled=tmp_path / "beside") as index:
        assert list(index.ids()) == [5]
        (decision,) = Decisions(index)
        assert (decision.a, decision.b, decision.kind) == (1, 2, Kind.DISMISSED)
        assert decision.relation is Relation.SIBLING
        assert index.get_meta("backfill") == b"last"
        assert index.namespace("journal").append(b"second") == 2
        assert len(found(index, random_keys(5))) == 100
        assert index.check().sound
    assert not (directory / "cache.db.damaged").exists()  # it was not repaired: nothing was wrong with it


def test_version_0_1_takes_this_format_for_another_one(tmp_path: Path) -> None:
    """It reads the row with this number first, and would reset an index that has none."""
    with open_index(tmp_path) as index:
        ((key, value),) = index._store.fetch(f"SELECT key, value FROM Cache WHERE rowid = {2**34}")
        assert (key, int.from_bytes(value[:2], "little")) == ("state", 3)
        index.set_meta("m", b"")
        assert index._store.fetch("SELECT min(rowid) FROM Cache") == [(2**34,)]
