"""`check` finds every disagreement between documents and keys, and repair leaves an index that has none."""

import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from hook.index.index import Index
from hook.index.interface import Keys
from hook.index.layout import DOCUMENT_ROWS, PAGE_ROWS, page_rows
from hook.index.pages import Entries, pack, unpack
from hook.index.verify import Report, check
from tests.hook.index.index_kit import RECIPE, content, found, keys_of, open_index, put, random_keys

COUNT = 60


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Made once; each test has a copy."""
    directory = tmp_path_factory.mktemp("filled") / "index"
    with open_index(directory) as opened, opened.batch():
        for number in range(COUNT):
            put(opened, number, random_keys(number))
    return directory


@pytest.fixture
def index(filled: Path, tmp_path: Path) -> Iterator[Index]:
    shutil.copytree(filled, tmp_path / "index")
    with open_index(tmp_path / "index") as opened:
        yield opened


def first_page(index: Index) -> tuple[int, int, bytes]:
    row, key, page = next(index._store.rows(PAGE_ROWS, DOCUMENT_ROWS))
    assert isinstance(key, int)
    assert page is not None
    return row, key, page


def lose_a_record(index: Index) -> None:
    index._store.delete_rows(DOCUMENT_ROWS + 7, DOCUMENT_ROWS + 8)


def spoil_a_record(index: Index) -> None:
    index._store.update([(DOCUMENT_ROWS + 7, 7, b"no keys")])


def change_a_record(index: Index) -> None:
    index._store.update([(DOCUMENT_ROWS + 7, 7, random_keys(1007).tobytes())])


def pickle_a_record(index: Index) -> None:
    index._store._cache._sql("UPDATE Cache SET mode = 4 WHERE key = 7")


def lose_a_page(index: Index) -> None:
    row, _, _ = first_page(index)
    index._store.delete_rows(row, row + 1)


def spoil_a_page(index: Index) -> None:
    row, key, page = first_page(index)
    index._store.update([(row, key, page[:-1])])


def pickle_a_page(index: Index) -> None:
    row, _, _ = first_page(index)
    index._store._cache._sql("UPDATE Cache SET mode = 4 WHERE rowid = ?", (row,))


def swap_two_pages(index: Index) -> None:
    rows = [next(index._store.rows(row, DOCUMENT_ROWS)) for row in page_rows([0, 1])]
    (one, key, page), (other, other_key, other_page) = rows
    index._store.update([(one, key or 0, other_page or b""), (other, other_key or 0, page or b"")])


def add_a_page_beyond_the_end(index: Index) -> None:
    (row,) = page_rows([2**31])
    index._store.insert([(row, -1 - 2**31, first_page(index)[2])])


def double_an_entry(index: Index) -> None:
    row, key, page = first_page(index)
    entries = unpack(page)
    doubled = Entries(*(np.append(column, column[:1]) for column in (entries.residuals, entries.slots)))
    index._store.update([(row, key, pack(doubled, page[0]))])


def forget_an_entry(index: Index) -> None:
    row, key, page = first_page(index)
    entries = unpack(page)
    index._store.update([(row, key, pack(Entries(entries.residuals[1:], entries.slots[1:]), page[0]))])


def miscount(index: Index) -> None:
    state = index._store.get("state")
    assert state is not None
    index._store.set("state", state[:7] + b"\x05" + state[8:])


def miscount_rows(index: Index) -> None:
    index._store._cache._sql("UPDATE Settings SET value = 3 WHERE key = 'count'")


CASES: list[tuple[Callable[[Index], None], Callable[[Report], object]]] = [
    (lose_a_record, lambda report: report.stray_entries == 100 and report.wrong_counters),
    (spoil_a_record, lambda report: report.unreadable_ids == (7,) and report.stray_entries == 100),
    (change_a_record, lambda report: report.lost_entries == 100 and report.stray_entries == 100),
    (pickle_a_record, lambda report: report.unreadable_ids == (7,)),
    (lose_a_page, lambda report: report.lost_entries > 50),
    (spoil_a_page, lambda report: report.damaged_pages == 1 and report.lost_entries > 50),
    (pickle_a_page, lambda report: report.damaged_pages == 1 and report.lost_entries > 50),
    (swap_two_pages, lambda report: report.lost_entries > 100 and report.stray_entries > 100),
    (add_a_page_beyond_the_end, lambda report: report.damaged_pages == 1),
    (double_an_entry, lambda report: report.stray_entries == 1),
    (forget_an_entry, lambda report: report.lost_entries == 1),
    (miscount, lambda report: report.wrong_counters),
    (miscount_rows, lambda report: report.file_problems),
]


@pytest.mark.parametrize("pairs_per_range", [2**19, 1000], ids=["one range", "many ranges"])
@pytest.mark.parametrize(("damage", "expected"), CASES, ids=[damage.__name__ for damage, _ in CASES])
def test_damage_is_found_and_repaired(
    index: Index,
    damage: Callable[[Index], None],
    expected: Callable[[Report], object],
    pairs_per_range: int,
) -> None:
    """Each kind is reported as such; after the repair every readable document is found under all its keys."""
    damage(index)
    examine = partial(check, index._store, RECIPE, index._hashes, pairs_per_range=pairs_per_range)
    report = examine(repair=False)
    assert not report.sound
    assert expected(report), report
    assert examine(repair=True).repaired
    after = index.check()
    assert after.sound, after
    assert len(index) == after.document_count == len(list(index.ids())) >= COUNT - 1
    for number, record in index.get_many(index.ids()).items():
        keys = np.frombuffer(record, np.uint64)
        assert found(index, keys) == {(int(key), number) for key in keys}
    put(index, 1000, random_keys(1000))
    assert index.check().sound


def test_a_sound_index_is_not_touched(index: Index) -> None:
    """Repair writes nothing where nothing is wrong."""
    before = content(index)
    report = index.check(repair=True)
    assert report.sound
    assert not report.repaired
    assert (report.document_count, report.entry_count) == (COUNT, COUNT * 100)
    assert content(index) == before


def test_an_index_without_documents_is_sound(tmp_path: Path) -> None:
    """Also after all were removed."""
    with open_index(tmp_path) as index:
        assert index.check().sound
        put(index, 1, random_keys(1))
        index.remove(1)
        assert index.check().sound


def test_repair_keeps_full_buckets_bounded(tmp_path: Path) -> None:
    """A lost page of a family of 300: the newest come back, not all."""
    key = random_keys(1, 1)
    with open_index(tmp_path) as index:
        with index.batch():
            for number in range(300):
                put(index, number, key)
        lose_a_page(index)
        assert not index.check().sound
        index.check(repair=True)
        assert index.lookup(key).ids.tolist() == list(range(236, 300))
        assert index.check().sound


def test_others_may_write_while_it_is_checked(tmp_path: Path) -> None:
    """A check reads a snapshot of the index and holds no lock."""
    with open_index(tmp_path, timeout_s=0.1) as other:
        put(other, 1, random_keys(1))

        def write_meanwhile(record: bytes) -> Keys:
            put(other, len(other) + 1, random_keys(len(other) + 1))
            return keys_of(record)

        with Index.open(tmp_path, RECIPE, keys_of=write_meanwhile) as index:
            assert index.check().sound
        assert len(other) == 2
