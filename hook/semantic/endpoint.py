"""Embeddings from a server (httpx): OpenAI-compatible `/v1/embeddings`, and Ollama's `/api/embed`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

import httpx
import numpy as np

from dedupe_core.judge.meaning import Thresholds
from hook.batching import batched
from hook.deadline import Deadline
from hook.errors import EmbeddingError
from hook.semantic.embedder import Vector, normalised

# What is known of no model in particular: only what is clear by any measure is called a translation.
THRESHOLDS: Final = Thresholds(cosine=0.7, margin=1.15, cosine_alone=0.85, margin_alone=1.3)
BATCH: Final = 8  # texts in a request: 2,400 words, some seconds on a small server
_FEWEST_WORDS: Final = 20  # a text is halved down to this when the server refuses it as too long
_LARGEST_ANSWER: Final = 16 << 20  # bytes: 8 vectors of 4,096 numbers, written out, have less than 1 MB
_LARGEST_DIMENSION: Final = 8192


class EndpointEmbedder:
    """One server and one model. The first answer says how many dimensions the model has; later ones must agree."""

    window_words = 300
    thresholds = THRESHOLDS

    def __init__(
        self, url: str, model: str, *, key: str | None, timeout_s: float, is_ollama: bool = False
    ) -> None:
        openai = "/embeddings" if url.endswith("/v1") else "/v1/embeddings"
        self.model = f"{model} at {url}"
        self._url, self._name = url + ("/api/embed" if is_ollama else openai), model
        self._is_ollama = is_ollama
        self._timeout_s = timeout_s
        self._dimension: int | None = None
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._client = httpx.Client(headers=headers, follow_redirects=False, trust_env=False)

    def embed(self, texts: Sequence[str], deadline: Deadline) -> Vector:
        rows: list[Vector] = []
        for batch in batched([text for text in texts if text.strip()], BATCH):
            rows += self._batch(list(batch), deadline)
        if not rows:
            raise EmbeddingError("there is no text to embed")
        return np.stack(rows)

    def _batch(self, texts: list[str], deadline: Deadline) -> list[Vector]:
        """Refused as a whole, the texts are sent one by one; a single one in halves, whose mean is its vector."""
        option = {"truncate": True} if self._is_ollama else {"encoding_format": "float"}
        answer = self._post({"model": self._name, "input": texts, **option}, deadline)
        if answer is not None:
            return list(self._vectors(answer, len(texts)))
        if len(texts) > 1:
            return [vector for text in texts for vector in self._batch([text], deadline)]
        words = texts[0].split()
        if len(words) < 2 * _FEWEST_WORDS:
            raise EmbeddingError(
                f"{self._url} refuses even {len(words)} words (400): check DEDUPE_SEMANTIC_MODEL"
            )
        half = len(words) // 2
        halves = [" ".join(words[:half]), " ".join(words[half:])]
        parts = [self._batch([part], deadline)[0] for part in halves]
        return list(normalised(np.mean(parts, axis=0, keepdims=True)))

    def _post(self, body: dict[str, Any], deadline: Deadline) -> Any:
        """The decoded answer; None if the server refused the input as it is (400, 413)."""
        timeout_s = min(self._timeout_s, deadline.remaining())
        if timeout_s <= 0:
            raise EmbeddingError("no time is left for the embedding: the next backfill does it")
        try:
            with self._client.stream("POST", self._url, json=body, timeout=timeout_s) as response:
                status, data = response.status_code, _bounded(response, deadline)
        except httpx.HTTPError as error:
            raise EmbeddingError(f"{self._url}: {_what_happened(error)}: is the server running?") from error
        if status in (400, 413):
            return None
        if status != 200:
            raise EmbeddingError(
                f"{self._url} answered {status}: {_ADVICE.get(status, 'see the log of that server')}"
            )
        try:
            return json.loads(data)
        except (ValueError, RecursionError) as error:
            raise EmbeddingError(
                f"{self._url} did not answer with JSON: check DEDUPE_SEMANTIC_URL"
            ) from error

    def _vectors(self, answer: Any, expected: int) -> Vector:
        try:
            rows = self._rows(answer)
            vectors = np.array(rows, np.float32)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise EmbeddingError(
                f"{self._url}: the answer has no vectors: check DEDUPE_SEMANTIC_URL"
            ) from error
        if len(rows) != expected:
            raise EmbeddingError(
                f"{self._url}: {len(rows)} vectors for {expected} texts: the server is faulty"
            )
        dimension = vectors.shape[1] if vectors.ndim == 2 else 0
        if not 1 <= dimension <= _LARGEST_DIMENSION or dimension != (self._dimension or dimension):
            known = f", {self._dimension} before" if self._dimension else ""
            raise EmbeddingError(
                f"{self._url}: vectors of {dimension} dimensions{known}: the server is faulty"
            )
        self._dimension = dimension
        return normalised(vectors)

    def _rows(self, answer: Any) -> list[Any]:
        """Of another server than Ollama by their index: the order of the answer is not promised."""
        if self._is_ollama:
            return list(answer["embeddings"])
        rows = {int(entry["index"]): entry["embedding"] for entry in answer["data"]}
        return [rows[number] for number in sorted(rows)]


_ADVICE: Final = {
    401: "check DEDUPE_SEMANTIC_KEY",
    403: "check DEDUPE_SEMANTIC_KEY",
    404: "check DEDUPE_SEMANTIC_URL and DEDUPE_SEMANTIC_MODEL (Ollama: `ollama pull` it first)",
    429: "too many requests, try again later",
}


def _bounded(response: httpx.Response, deadline: Deadline) -> bytes:
    """A server that sends one byte a second is cut off by the deadline of the run, an endless answer by its size."""
    data = b""
    for chunk in response.iter_bytes():
        data += chunk
        if len(data) > _LARGEST_ANSWER:
            raise EmbeddingError(
                f"{response.url}: more than {_LARGEST_ANSWER >> 20} MB: this is not an embedding server"
            )
        if deadline.passed:
            raise EmbeddingError(f"{response.url}: no complete answer in time: the next backfill does it")
    return data


def _what_happened(error: httpx.HTTPError) -> str:
    if isinstance(error, httpx.TimeoutException):
        return "no answer in time"
    if isinstance(error, httpx.ConnectError):
        return "cannot be reached"
    return "the connection broke"
