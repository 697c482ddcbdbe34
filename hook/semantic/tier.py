"""The semantic tier: embeds a document that the other tiers left open, and finds its translations by their meaning."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np

from dedupe_core.compare.view import Neighbourhood, View, view
from dedupe_core.judge.meaning import Meaning, meaning_verdict
from dedupe_core.model import Fingerprint, Relation, Verdict
from hook.deadline import Deadline
from hook.errors import EmbeddingError, ModelMismatch
from hook.examination.archive import Archive
from hook.examination.overlap import Visible
from hook.semantic.embedder import Embedder, Vector, embed_document
from hook.semantic.vectors import Near, Vectors

COMPARED: Final = (
    8  # nearest documents that are compared; all translations of the labelled corpora are among 4
)
_AROUND: Final = 8  # nearest neighbours whose mean cosine a translation has to exceed
_SAME_PAPER: Final = (Relation.IDENTICAL, Relation.RESCAN)

log = logging.getLogger(__name__)


class SemanticTier:
    """One model and one index. Belongs to the thread that opened the archive."""

    def __init__(self, archive: Archive, embedder: Embedder, deadline: Deadline) -> None:
        self._archive, self._embedder, self._deadline = archive, embedder, deadline
        self._thresholds = embedder.thresholds
        self.vectors = Vectors(archive.index, embedder.model)

    def verdicts(
        self,
        document: Fingerprint,
        known: Sequence[Verdict],
        *,
        visible: Visible = lambda owner: True,
        embed: bool = True,
    ) -> list[Verdict]:
        """The translations that the other tiers have not found. An error is logged: the document is examined all the same,
        and the next backfill embeds it. `embed`: a vector that is not stored is made; else only a stored one is used.
        """
        if any(verdict.flagged and verdict.relation in _SAME_PAPER for verdict in known):
            return []  # its other copy has a vector
        try:
            vector = self.vector_of(document, embed=embed)
        except EmbeddingError as error:
            log.warning("#%d: not embedded: %s", document.id, error)
            return []
        if vector is None:
            self.vectors.remove(
                document.id
            )  # of an earlier text, if there is one: the next backfill makes a new one
            return []
        settled = {verdict.other for verdict in known if verdict.flagged}
        return list(self._translations(view(document), vector, settled, visible))

    def vector_of(self, document: Fingerprint, *, embed: bool = True) -> Vector | None:
        """The stored one, or a new one, which is stored; None for a document without text."""
        self.vectors.check_model()
        stored = self.vectors.get(document.id, document.content_hash)
        if stored is not None or not embed or not document.content_hash:
            return stored
        vector = embed_document(self._embedder, document.printed or document.text, self._deadline)
        if vector is not None:
            self.vectors.put(document.id, document.content_hash, vector)
        return vector

    def nearest(
        self, given: Fingerprint, limit: int, visible: Visible = lambda owner: True
    ) -> list[tuple[Near, Fingerprint]]:
        """The documents nearest in meaning that may be shown, the nearest first. The given one may be unknown to the index."""
        vector = self.vectors.get(given.id, given.content_hash) if given.id >= 0 else None
        if vector is None:
            self.vectors.check_model()
            vector = embed_document(self._embedder, given.printed or given.text, self._deadline)
        if vector is None:
            return []
        pairs: list[tuple[Near, Fingerprint]] = []
        for near in self.vectors.nearest(vector, 4 * limit, but=given.id):
            other = self._archive.fingerprint_of(near.id)
            if other is not None and visible(other.owner):
                pairs.append((near, other))
        return pairs[:limit]

    def missing(self) -> Iterator[Fingerprint]:
        """The indexed documents with text that have no vector. One whose text has changed lost it when it was examined."""
        known = set(self.vectors.ids())
        for number in [number for number in self._archive.index.ids() if number not in known]:
            document = self._archive.fingerprint_of(number)
            if document is not None and document.content_hash:
                yield document

    def start_anew_if_other_model(self) -> bool:
        """True if the vectors were of another model, and are gone."""
        try:
            self.vectors.check_model()
        except ModelMismatch:
            self.vectors.clear()
            return True
        return False

    def _translations(
        self, subject: View, vector: Vector, settled: Iterable[int], visible: Visible
    ) -> Iterator[Verdict]:
        nearest = self.vectors.nearest(vector, COMPARED + _AROUND, but=subject.id)
        wanted = [
            near
            for near in nearest[:COMPARED]
            if near.cosine >= self._thresholds.cosine and near.id not in settled
        ]
        if not wanted:
            return
        others = {opened.id: opened for opened in self._archive.views_of(near.id for near in nearest)}
        around, policy = Neighbourhood(others.values()), self._archive.judging.policy
        for near in wanted:
            other = others.get(near.id)
            if other is not None and visible(other.fingerprint.owner):
                meaning = Meaning(near.cosine, self._around(nearest, near, subject.id))
                verdict = meaning_verdict(subject, other, meaning, self._thresholds, around, policy)
                if verdict is not None:
                    yield verdict

    def _around(self, nearest: Sequence[Near], other: Near, subject: int) -> float:
        """The mean cosine of both documents with their nearest neighbours, without each other."""
        stored = self._archive.fingerprint_of(other.id)
        vector = self.vectors.get(other.id, stored.content_hash) if stored else None
        there = self.vectors.nearest(vector, _AROUND + 1, but=other.id) if vector is not None else []
        here = [near.cosine for near in nearest if near.id != other.id][:_AROUND]
        beside = [near.cosine for near in there if near.id != subject][:_AROUND]
        return float(np.mean([*here, *beside])) if here or beside else 0.0
