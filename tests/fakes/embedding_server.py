"""A server that embeds texts, in the dialects of OpenAI and Ollama, and misbehaves as it is told."""

from __future__ import annotations

import hashlib
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np

DIMENSION = 64
# Words of two languages that mean the same; what is not listed means itself.
MEANINGS = {
    "kuchen": "cake", "pflaumen": "plums", "teig": "dough", "ofen": "oven", "backen": "bake", "zucker": "sugar",
    "eier": "eggs", "mehl": "flour", "butter": "butter", "warm": "warm", "rost": "rack", "stunde": "hour",
}  # fmt: skip


def vector_of(text: str, dimension: int = DIMENSION) -> list[float]:
    """The sum of a direction for each meaning: the same for a text and its translation, word by word."""
    total = np.zeros(dimension)
    for word in text.lower().split():
        meaning = MEANINGS.get(word.strip(".,:;"), word.strip(".,:;"))
        seed = int.from_bytes(hashlib.sha256(meaning.encode()).digest()[:4], "big")
        weight = 5.0 if meaning in MEANINGS.values() else 0.2
        total += weight * np.random.default_rng(seed).standard_normal(dimension)
    return [float(number) for number in total] if total.any() else [1.0] * dimension


class EmbeddingServer(ThreadingHTTPServer):
    """`fault` is what it does wrong; `seen` are the bodies and headers of all requests."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.fault = ""
        self.most_words = 10_000
        self.seen: list[tuple[str, dict[str, Any], dict[str, str]]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    server: EmbeddingServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.seen.append((self.path, body, dict(self.headers)))
        if self.server.fault == "cut":
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        if self.server.fault == "slow":
            time.sleep(1.5)
        self._send(*self._response(body["input"]))

    def _response(self, texts: list[str]) -> tuple[int, bytes]:
        fault = self.server.fault
        if fault == "page":
            return 200, b"<html>hello</html>"
        if fault.startswith("status"):
            return int(fault.split()[1]), b"{}"
        if any(len(text.split()) > self.server.most_words for text in texts) or not all(texts):
            return 400, b'{"error": "input too long"}'
        return 200, json.dumps(self._answer(texts)).encode()

    def _answer(self, texts: list[str]) -> dict[str, Any]:
        fault = self.server.fault
        dimension = DIMENSION + 1 if fault == "dimension" and len(self.server.seen) > 1 else DIMENSION
        rows: list[Any] = [vector_of(text, dimension) for text in texts]
        if fault == "count":
            rows = rows[:-1]
        if fault == "zero":
            rows = [[0.0] * dimension for _ in rows]
        if fault == "words":
            rows = [["a", "b"] for _ in rows]
        if self.path == "/api/embed":
            return {"embeddings": rows}
        entries = [{"index": number, "embedding": row} for number, row in enumerate(rows)]
        return {"data": entries[::-1]}  # in another order: the index counts

    def _send(self, status: int, data: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: the tests read `seen`."""


@contextmanager
def embedding_server() -> Iterator[EmbeddingServer]:
    server = EmbeddingServer()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
