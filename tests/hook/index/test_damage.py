"""Every value has a checksum; what does not match is found, named and moved aside, and the rest goes on."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dedupe_core.model import Relation
from hook.backfill.rebuild import derive
from hook.errors import IndexDamaged
from hook.findings.decisions import Decision, Decisions, Kind
from hook.findings.findings import Finding, Findings, Record
from hook.index.index import Index
from hook.review.journal import Do, Journal, Operation
from tests.hook.index.index_kit import RECIPE, keys_of, open_index, put, random_keys, repair_file, rewrite

DOCUMENTS = 30
PAIRS = 20
FLIPS = 60
VALUES: dict[str, Callable[[Index], Any]] = {
    "findings": lambda index: list(Findings(index)),
    "decisions": lambda index: list(Decisions(index)),
    "journal": lambda index: list(Journal(index)),
    "meta": lambda index: index.get_meta("sync"),
}


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index with some of everything; each test has a copy."""
    directory = tmp_path_factory.mktemp("filled") / "index"
    with open_index(directory) as index:
        with index.batch():
            for number in range(DOCUMENTS):
                put(index, number, random_keys(number))
        for number in range(PAIRS):
            finding = Finding(number, Relation.RESCAN, 0.9)
            Findings(index).put([Record(number + 30, (finding,))])
            Decisions(index).put([decision(number)])
            Journal(index).begin(Operation(0, Do.TRASH, number, number + 30, number, {}, {}))
        index.set_meta("sync", b"{}")
    return directory


def decision(number: int) -> Decision:
    return Decision(number, number + 30, Kind.DISMISSED, Relation.RESCAN, 0.9)


@pytest.fixture
def directory(filled: Path, tmp_path: Path) -> Path:
    shutil.copytree(filled, tmp_path / "index")
    return tmp_path / "index"


def a_row_of(namespace: str) -> str:
    prefix = "key = 'meta:sync'" if namespace == "meta" else f"hex(key) LIKE hex('{namespace}') || '00%'"
    return f"rowid = (SELECT max(rowid) FROM Cache WHERE {prefix} AND length(value) > 0)"


@pytest.mark.parametrize("namespace", VALUES)
def test_a_changed_value_is_an_error_found_and_quarantined(directory: Path, namespace: str) -> None:
    """It is never read as something else; the rest is there after the repair."""
    rewrite(directory, f"UPDATE Cache SET value = CAST('[]' AS BLOB) WHERE {a_row_of(namespace)}")
    with open_index(directory) as index:
        with pytest.raises(IndexDamaged, match=r"checksum.*check --repair"):
            VALUES[namespace](index)
        report = index.check(repair=True)
        assert report.unreadable_values == (namespace,)
        assert index.check().sound
        left = VALUES[namespace](index)
        assert left is None if namespace == "meta" else len(left) == PAIRS - 1
    kept = directory / "quarantine.jsonl"
    assert kept.stat().st_mode & 0o777 == 0o600
    assert json.loads(kept.read_text())["namespace"] == namespace


def test_a_changed_key_is_found(directory: Path) -> None:
    """A decision under another key would be one on other documents."""
    rewrite(directory, f"UPDATE Cache SET key = CAST(key || 'x' AS BLOB) WHERE {a_row_of('decisions')}")
    with open_index(directory) as index:
        assert index.check().unreadable_values == ("decisions",)


def test_a_lost_counter_starts_after_the_last_number(directory: Path) -> None:
    """A new operation never takes the place of an old one."""
    rewrite(directory, "DELETE FROM Cache WHERE key = 'sequence:journal'")
    with open_index(directory) as index:
        begun = Journal(index).begin(Operation(0, Do.TRASH, 1, 2, 1, {}, {}))
        assert begun.number == PAIRS + 1


def test_what_follows_from_other_entries_is_restored(directory: Path) -> None:
    """Which operations are open, and who has a finding on a document."""
    with open_index(directory) as index:
        for namespace in ("journal-open", "findings-others"):
            for key, _ in list(index.namespace(namespace).items()):
                index.namespace(namespace).delete(key)
        derive(index)
        assert len(Journal(index).open()) == PAIRS
        assert Findings(index).about(3) == [33]


def repaired(directory: Path) -> Index:
    """As `check --repair` does it."""
    try:
        index = open_index(directory)
        try:
            index.check(repair=True)
            return index
        except IndexDamaged:
            index.close()
            raise
    except IndexDamaged:
        repair_file(directory)
        return open_index(directory)


@pytest.mark.parametrize("part", range(4))
def test_no_flipped_bit_is_beyond_repair(filled: Path, tmp_path: Path, part: int) -> None:
    """Wherever it is, afterwards the index is sound, and all but what shared its page with the bit is there."""
    for seed in range(part * FLIPS // 4, (part + 1) * FLIPS // 4):
        directory = tmp_path / str(seed)
        shutil.copytree(filled, directory)
        flip_a_bit(directory / "cache.db", random.Random(seed))
        with repaired(directory) as index:
            assert index.check().sound, seed
            assert set(Decisions(index)) <= {decision(number) for number in range(PAIRS)}, seed
            assert len(index) >= DOCUMENTS - 12, seed
            assert len(list(Decisions(index))) + len(list(Findings(index))) >= PAIRS, seed
            put(index, 1000, random_keys(1000))
            assert len(list(Journal(index))) >= 0


@pytest.mark.parametrize("bit", range(0, 100 * 8, 7))
def test_no_flipped_bit_of_the_header_loses_an_entry(directory: Path, bit: int) -> None:
    """The header of the file can be taken from a new one."""
    with (directory / "cache.db").open("r+b") as file:
        body = bytearray(file.read(100))
        body[bit // 8] ^= 1 << bit % 8
        file.seek(0)
        file.write(body)
    with repaired(directory) as index:
        assert (len(index), len(list(Decisions(index)))) == (DOCUMENTS, PAIRS)


def flip_a_bit(path: Path, chance: random.Random) -> None:
    with path.open("r+b") as file:
        place = chance.randrange(path.stat().st_size)
        file.seek(place)
        byte = file.read(1)[0]
        file.seek(place)
        file.write(bytes([byte ^ 1 << chance.randrange(8)]))


def test_a_rebuild_changes_the_documents_in_one_transaction(directory: Path, tmp_path: Path) -> None:
    """Whoever has the index open sees the old ones, then the new ones; namespaces stay."""
    beside = tmp_path / "beside"
    with open_index(beside) as index:
        put(index, 1000, random_keys(1000))
        index.namespace("marks").put(b"1000", b"")
    with open_index(directory) as before:
        assert len(before) == DOCUMENTS
        with Index.rebuild(directory, RECIPE, keys_of=keys_of, filled=beside) as index:
            assert list(index.ids()) == list(before.ids()) == [1000]
            assert index.check().sound
            assert len(list(Decisions(before))) == PAIRS
            assert list(before.namespace("marks").items()) == [(b"1000", b"")]
