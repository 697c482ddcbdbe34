"""What a hostile server cannot stretch: the time for an answer, however it drips."""

from __future__ import annotations

import ssl
import threading
import time
from collections.abc import Iterator
from typing import Any, Final

import httpcore
import httpx

BODY_S: Final = 600.0  # for the body of one answer, if the run has no deadline of its own
CONNECTIONS: Final = 100


class Limits(threading.local):
    """When the answer that this thread waits for must be complete."""

    ends_at_s: float = float("inf")
    head_s: float = float("inf")

    def left_s(self, timeout_s: float | None) -> float:
        left_s = self.ends_at_s - time.monotonic()
        if left_s <= 0:
            raise httpcore.ReadTimeout("the answer took too long")
        return left_s if timeout_s is None else min(timeout_s, left_s)


class BoundedTransport(httpx.BaseTransport):
    """A pool of connections whose reads obey the limits: httpx's own timeouts start again with each byte that comes.

    Raises httpcore's errors.
    """

    def __init__(self, context: ssl.SSLContext, keepalive_s: float, limits: Limits) -> None:
        self._pool = httpcore.ConnectionPool(
            context,
            max_connections=CONNECTIONS,
            keepalive_expiry=keepalive_s,
            network_backend=_Backend(limits),
        )

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        assert isinstance(request.stream, httpx.SyncByteStream)
        url = request.url
        target = httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path)
        sent = httpcore.Request(
            request.method,
            target,
            headers=request.headers.raw,
            content=request.stream,
            extensions=request.extensions,
        )
        answer = self._pool.handle_request(sent)
        return httpx.Response(answer.status, headers=answer.headers, stream=_Body(answer))

    def close(self) -> None:
        self._pool.close()


class _Body(httpx.SyncByteStream):
    def __init__(self, answer: httpcore.Response) -> None:
        self._answer = answer

    def __iter__(self) -> Iterator[bytes]:
        return self._answer.iter_stream()

    def close(self) -> None:
        self._answer.close()


class _Backend(httpcore.SyncBackend):
    def __init__(self, limits: Limits) -> None:
        super().__init__()
        self._limits = limits

    def connect_tcp(self, *arguments: Any, **options: Any) -> httpcore.NetworkStream:
        return _Stream(super().connect_tcp(*arguments, **options), self._limits)


class _Stream(httpcore.NetworkStream):
    def __init__(self, stream: httpcore.NetworkStream, limits: Limits) -> None:
        self._stream, self._limits = stream, limits

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._limits.left_s(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """The time for the head of the answer begins when the request is sent: a file may take long to send."""
        self._stream.write(buffer, timeout)
        self._limits.ends_at_s = time.monotonic() + self._limits.head_s

    def close(self) -> None:
        self._stream.close()

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)

    def start_tls(self, *arguments: Any, **options: Any) -> httpcore.NetworkStream:
        return _Stream(self._stream.start_tls(*arguments, **options), self._limits)
