"""Clients of embedding servers: a real server on a socket that speaks both dialects and misbehaves."""

from __future__ import annotations

import time

import numpy as np
import pytest

from hook.deadline import Deadline
from hook.errors import EmbeddingError
from hook.semantic.embedder import embed_document
from hook.semantic.endpoint import BATCH, EndpointEmbedder
from tests.fakes.embedding_server import DIMENSION, EmbeddingServer, embedding_server, vector_of

DIALECTS = ("openai", "ollama")


def client(server: EmbeddingServer, dialect: str = "openai", timeout_s: float = 5.0) -> EndpointEmbedder:
    is_ollama = dialect == "ollama"
    return EndpointEmbedder(server.url, "some-model", key="sesame", timeout_s=timeout_s, is_ollama=is_ollama)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_both_dialects(server: EmbeddingServer, dialect: str) -> None:
    """The vectors come back in the order of the texts, of length 1; the key is sent as a header, not in the body."""
    texts = ["plums and sugar", "flour", "bake it warm"]
    vectors = client(server, dialect).embed(texts, Deadline.never())
    wanted = np.array([vector_of(text) for text in texts])
    assert np.allclose(vectors, wanted / np.linalg.norm(wanted, axis=1, keepdims=True), atol=1e-5)
    path, body, headers = server.seen[0]
    assert path == ("/v1/embeddings" if dialect == "openai" else "/api/embed")
    assert (body["model"], body["input"]) == ("some-model", texts)
    assert headers["Authorization"] == "Bearer sesame"


def test_an_address_with_v1_is_understood(server: EmbeddingServer) -> None:
    """`http://host/v1` is how most servers print their address."""
    EndpointEmbedder(f"{server.url}/v1", "m", key=None, timeout_s=5).embed(["plums"], Deadline.never())
    assert server.seen[0][0] == "/v1/embeddings"
    assert "Authorization" not in server.seen[0][2]


def test_batches_are_small_and_never_empty(server: EmbeddingServer) -> None:
    """Many texts are sent some at a time; a text of spaces is not sent."""
    vectors = client(server).embed([f"plums {n}" for n in range(2 * BATCH + 1)] + ["  "], Deadline.never())
    assert len(vectors) == 2 * BATCH + 1
    assert [len(body["input"]) for _, body, _ in server.seen] == [BATCH, BATCH, 1]


def test_a_long_text_is_halved_until_it_is_taken(server: EmbeddingServer) -> None:
    """400 for what is too long: one by one, then in halves; the mean of the halves is the vector."""
    server.most_words = 60
    vectors = client(server).embed([" ".join(["plums"] * 200), "flour"], Deadline.never())
    plums = np.array(vector_of("plums"))
    assert vectors.shape == (2, DIMENSION)
    assert np.allclose(vectors[0], plums / np.linalg.norm(plums), atol=1e-5)


def test_a_document_is_read_in_windows(server: EmbeddingServer) -> None:
    """At most 300 words at a time, four windows of a long document."""
    vector = embed_document(client(server), " ".join(["plums"] * 5000), Deadline.never())
    assert vector is not None
    assert np.linalg.norm(vector) == pytest.approx(1)
    sent = [text for _, body, _ in server.seen for text in body["input"]]
    assert [len(text.split()) for text in sent] == [300] * 4


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("cut", "the connection broke"),
        ("count", "1 vectors for 2 texts"),
        ("zero", "without a direction"),
        ("words", "the answer has no vectors"),
        ("page", "did not answer with JSON"),
        ("status 500", "answered 500"),
        ("status 401", "check DEDUPE_SEMANTIC_KEY"),
        ("status 404", "DEDUPE_SEMANTIC_MODEL"),
    ],
)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_faults_are_clear_errors(server: EmbeddingServer, dialect: str, fault: str, words: str) -> None:
    """Each says what happened and what to look at; none contains the key or the text."""
    server.fault = fault
    with pytest.raises(EmbeddingError, match=words) as raised:
        client(server, dialect).embed(["plums", "flour"], Deadline.never())
    assert not {"sesame", "plums"} & set(str(raised.value).split())


def test_another_dimension_is_refused(server: EmbeddingServer) -> None:
    """A server that changes its model in between: its vectors cannot be compared."""
    server.fault = "dimension"
    embedder = client(server)
    embedder.embed(["plums"], Deadline.never())
    with pytest.raises(EmbeddingError, match=f"{DIMENSION + 1} dimensions, {DIMENSION} before"):
        embedder.embed(["flour"], Deadline.never())


def test_a_slow_server_is_not_waited_for(server: EmbeddingServer) -> None:
    """The time-out is that of the setting, or what the deadline leaves; without time nothing is sent."""
    with pytest.raises(EmbeddingError, match="no time is left"):
        client(server).embed(["plums"], Deadline(time.monotonic, 0.0))
    assert server.seen == []
    server.fault = "slow"
    with pytest.raises(EmbeddingError, match="no answer in time"):
        client(server, timeout_s=0.2).embed(["plums"], Deadline.never())
    with pytest.raises(EmbeddingError, match="no answer in time"):
        client(server).embed(["plums"], Deadline(time.monotonic, 0.2))


def test_a_server_that_refuses_everything(server: EmbeddingServer) -> None:
    """400 to anything: an end, not a recursion. A refused connection is said as such."""
    with embedding_server() as another:
        embedder = client(another)
    with pytest.raises(EmbeddingError, match="cannot be reached"):
        embedder.embed(["plums"], Deadline.never())
    server.most_words = 0
    with pytest.raises(EmbeddingError, match="refuses even"):
        client(server).embed([" ".join(["plums"] * 300)], Deadline.never())
