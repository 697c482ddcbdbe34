"""What turns texts into vectors: the protocol, and a document as one vector."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dedupe_core.judge.meaning import Thresholds
from hook.deadline import Deadline
from hook.errors import EmbeddingError

Vector = NDArray[np.float32]

# A long document is read in windows spread evenly over it: 4 windows of 400 words cost the same for 20,000 words as
# for 2,000, and memory stays where one window needs it (a whole text of 20,000 words takes 650 MB).
MOST_WINDOWS: Final = 4
_LONGEST_WORD: Final = 40  # characters: a bar code or a broken line is not a word to embed


class Embedder(Protocol):
    """Texts in, one vector of length 1 for each out, or an EmbeddingError that says what to do.

    `window_words` is how much of a text it is given at once; `thresholds` are those of its model: its cosines mean nothing
    to another one. A translation has at least `cosine`, and `margin` times the mean cosine of both documents with their
    nearest neighbours.
    """

    window_words: int
    thresholds: Thresholds

    @property
    def model(self) -> str:
        """Names the model in the index; vectors of another one are not compared."""

    def embed(self, texts: Sequence[str], deadline: Deadline) -> Vector: ...


def windows_of(text: str, words_each: int) -> list[str]:
    """The whole text, or windows spread evenly from its beginning to its end; none of an empty one."""
    words = [word[:_LONGEST_WORD] for word in text.split()]
    if len(words) <= words_each:
        return [" ".join(words)] if words else []
    count = min(MOST_WINDOWS, -(-len(words) // words_each))
    last = len(words) - words_each
    starts = [last * number // (count - 1) for number in range(count)]
    return [" ".join(words[start : start + words_each]) for start in starts]


def embed_document(embedder: Embedder, text: str, deadline: Deadline) -> Vector | None:
    """The mean of its windows, of length 1; None for a document without text."""
    windows = windows_of(text, embedder.window_words)
    if not windows:
        return None
    mean = normalised(embedder.embed(windows, deadline).mean(axis=0, keepdims=True))
    return mean.reshape(-1)


def normalised(rows: ArrayLike) -> Vector:
    """Of length 1 each; what is not a number or has no direction is refused."""
    vectors = np.asarray(rows, np.float32)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not np.all(np.isfinite(lengths)) or np.any(lengths < 1e-6):
        raise EmbeddingError("the model returned a vector without a direction: use another model")
    return np.asarray(vectors / lengths, np.float32)
