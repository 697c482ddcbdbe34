"""A template filled in hundreds of times: a look-up stays bounded, and a second scan finds its own letter."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from dedupe_core.policy import DEFAULT as POLICY
from dedupe_core.recipe import DEFAULT as RECIPE
from hook.examination.archive import Archive
from hook.index.interface import BUCKET_CAP, BUCKET_SLACK
from scripts.benchmarks.family import again, letter

LETTERS = 400  # five times what a bucket keeps


def test_the_oldest_of_a_large_family_is_found_by_its_second_scan(tmp_path: Path) -> None:
    """Its band keys lead to the newest letters only; its numbers lead to it."""
    with Archive.open(tmp_path / "index", RECIPE, POLICY) as archive:
        for start in range(0, LETTERS, 100):
            with archive.batch():
                for number in range(start, start + 100):
                    archive.remember(archive.fingerprint(letter(number)))
        for number in (0, 7, LETTERS - 1):
            found = archive.fingerprint(again(number, 10_000))
            hits = archive.index.lookup(np.concatenate(archive.keys_by_kind(found)))
            assert int(hits.sizes.max()) <= BUCKET_CAP + BUCKET_SLACK
            assert len(archive.candidates(found)) <= POLICY.candidates
            assert [verdict.other for verdict in archive.judge(found) if verdict.flagged] == [number]
