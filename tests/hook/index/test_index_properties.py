"""Properties: whatever is done to the index, it equals a dictionary."""

import tempfile
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hook.index.ids import MAX_ID
from hook.index.interface import BUCKET_CAP, BUCKET_SLACK
from tests.hook.index.index_kit import found, open_index

KEY_POOL = np.random.default_rng(5).integers(0, 2**64, 60, dtype=np.uint64)

ids = st.one_of(st.integers(0, 12), st.integers(0, MAX_ID))
key_sets = st.lists(st.integers(0, len(KEY_POOL) - 1), max_size=40)
changes = st.lists(
    st.one_of(
        st.tuples(st.just("put"), ids, key_sets),
        st.tuples(st.just("remove"), ids, st.just([])),
    ),
    max_size=30,
)


@given(changes=changes, batched=st.booleans())
def test_any_sequence_of_changes_equals_a_dictionary(
    changes: list[tuple[str, int, list[int]]], batched: bool
) -> None:
    """Put, replace and remove in any order: records, counts, look-ups and `check` agree with a plain dict."""
    model: dict[int, set[int]] = {}
    with tempfile.TemporaryDirectory() as directory, open_index(Path(directory)) as index:
        for chunk in [changes] if batched else [[change] for change in changes]:
            with index.batch():
                for verb, document_id, chosen in chunk:
                    if verb == "remove":
                        assert index.remove(document_id) == (model.pop(document_id, None) is not None)
                        continue
                    keys = KEY_POOL[np.array(chosen, np.intp)]
                    index.put(document_id, keys, keys.tobytes())
                    model[document_id] = {int(key) for key in keys}
        assert found(index, KEY_POOL) == {(key, number) for number, keys in model.items() for key in keys}
        assert list(index.ids()) == sorted(model)
        assert len(index) == len(model)
        assert index.check().sound


@given(
    changes=st.lists(st.tuples(st.booleans(), st.integers(1, 200), st.sets(st.integers(0, 3))), max_size=60),
    family=st.integers(0, 150),
)
def test_buckets_forget_only_when_full(changes: list[tuple[bool, int, set[int]]], family: int) -> None:
    """Nothing is found that was not put, and what is missing was put into a bucket that is known to be full."""
    keys = KEY_POOL[:4]
    model: dict[int, set[int]] = {}
    with tempfile.TemporaryDirectory() as directory, open_index(Path(directory)) as index, index.batch():
        begun = [(True, number, {0, 1}) for number in range(1000, 1000 + family)]
        for is_put, number, chosen in [*begun, *changes, *changes[::-1]]:
            if is_put:
                index.put(number, keys[sorted(chosen)], keys[sorted(chosen)].tobytes())
                model[number] = chosen
            else:
                assert index.remove(number) == (model.pop(number, None) is not None)
        hits = index.lookup(keys)
        kept = set(zip(hits.key_index.tolist(), hits.ids.tolist(), strict=True))
        put = {(key, number) for number, chosen in model.items() for key in chosen}
        assert kept <= put
        assert all(hits.saturated[key] for key, _ in put - kept)
        assert hits.sizes.max() <= BUCKET_CAP + BUCKET_SLACK
