"""What the service answers, without a socket: the application is called as a server would call it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import Response

from hook.queue import QueueFullError
from hook.service.app import MAX_ACTIVE, Application, Endpoint
from hook.service.events import MAX_BODY_BYTES
from hook.service.metrics import Metrics
from tests.e2e.serve_kit import counted

SECRET = "correct-horse"
JSON = {"content-type": "application/json"}
EVENT = b'{"doc_url": "http://paperless/documents/7/"}'


@dataclass
class Bench:
    """An application, and what it accepted."""

    accepted: list[int] = field(default_factory=list)
    metrics: Metrics = field(default_factory=Metrics)
    problem: Exception | None = None

    def accept(self, number: int) -> None:
        if self.problem is not None:
            raise self.problem
        self.accepted.append(number)

    def asked(self, secret: str | None = SECRET, **options: Any) -> httpx.AsyncClient:
        application = Application(self.accept, self.metrics, secret=secret, **options)
        return httpx.AsyncClient(
            transport=httpx.ASGITransport(application.asgi()), base_url="http://localhost"
        )

    def ask(
        self,
        method: str,
        path: str,
        *,
        headers: dict[str, str] | None = None,
        chunks: list[bytes] | None = None,
        **options: Any,
    ) -> httpx.Response:
        """After the last chunk, the client sends nothing more; without any, it sends no body at all."""

        async def body() -> AsyncIterator[bytes]:
            for chunk in chunks or ():
                yield chunk
            if not chunks or chunks[-1].endswith(b"..."):
                await asyncio.Event().wait()

        async def answer() -> httpx.Response:
            raw = [(name.encode(), value.encode("latin-1")) for name, value in (headers or {}).items()]
            async with self.asked(**options) as http:
                return await http.request(method, path, headers=raw, content=body())

        return asyncio.run(answer())

    def post(self, body: bytes, **more: Any) -> int:
        headers = {**JSON, "x-dedupe-secret": SECRET, **more.pop("headers", {})}
        return self.ask("POST", "/events", headers=headers, chunks=[body], **more).status_code


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_an_event_is_accepted(bench: Bench) -> None:
    """202: it is kept, and examined later."""
    assert bench.post(EVENT) == 202
    assert bench.accepted == [7]
    assert counted(bench.metrics, "dedupe_events_total", source="http") == 1


@pytest.mark.parametrize("given", ["", "wrong", SECRET + "x", SECRET[:-1], SECRET.upper(), "\xff\xfe"])
def test_without_the_secret_nothing_is_read(bench: Bench, given: str) -> None:
    """Not even the body: there are no chunks, and yet there is a response."""
    headers = {**JSON, "x-dedupe-secret": given} if given else JSON
    answer = bench.ask("POST", "/events", headers=headers)
    assert (answer.status_code, bench.accepted) == (401, [])
    assert SECRET not in answer.text


LONG = b" " * (MAX_BODY_BYTES // 2) + b"..."


@pytest.mark.parametrize(
    ("chunks", "headers", "status"),
    [
        ([EVENT], {"content-length": str(MAX_BODY_BYTES + 1)}, 413),
        ([EVENT], {"content-length": "9" * 4000}, 413),
        ([LONG] * 5, {}, 413),
        ([b'{"doc_id": 7...'], {}, 408),
        ([b"{}"], {}, 400),
        ([b"x"], {"content-type": "multipart/form-data"}, 415),
    ],
    ids=["announced", "absurd", "becomes too large", "never ends", "no document", "multipart"],
)
def test_a_body_that_is_refused(
    bench: Bench, chunks: list[bytes], headers: dict[str, str], status: int
) -> None:
    given = {**JSON, "x-dedupe-secret": SECRET, **headers}
    refused = bench.ask("POST", "/events", headers=given, chunks=chunks, body_s=0.02)
    assert (refused.status_code, bench.accepted) == (status, [])
    assert counted(bench.metrics, "dedupe_refused_total", status=str(status)) == 1


@pytest.mark.parametrize("problem", [OSError(28, "No space left on device"), QueueFullError()])
def test_what_cannot_be_kept_is_not_accepted(bench: Bench, problem: Exception) -> None:
    """Then Paperless tries again."""
    bench.problem = problem
    assert bench.post(EVENT) == 503


def test_without_a_secret_browsers_are_refused(bench: Bench) -> None:
    """A web page can make a browser post to this machine; only browsers send an Origin."""
    assert bench.post(EVENT, secret=None) == 202
    assert bench.post(EVENT, secret=None, headers={"origin": "https://evil.example"}) == 403


def test_health_needs_no_secret(bench: Bench) -> None:
    """Docker requests it; the response is one word."""
    for word, wanted in (("ok", 200), ("stalled", 200), ("dead", 503)):
        answer = bench.ask("GET", "/healthz", state=lambda word=word: word)
        assert (answer.status_code, answer.json()["status"]) == (wanted, word)
        assert "report_only" not in answer.json()
    assert bench.ask("GET", "/healthz", report_only=True).json()["report_only"] is True


def test_metrics(bench: Bench) -> None:
    """Prometheus can send the secret as a bearer token."""
    bench.metrics.latency_s.observe(0.02)
    headers = {"authorization": f"Bearer {SECRET}"}
    shown = bench.ask("GET", "/metrics", headers=headers, measure=lambda: bench.metrics.queue_depth.set(3))
    assert shown.status_code == 200
    assert shown.headers["content-type"].startswith("text/plain; version=")
    lines = shown.text.splitlines()
    assert "dedupe_queue_depth 3.0" in lines
    assert 'dedupe_latency_seconds_bucket{le="0.01"} 0.0' in lines
    assert 'dedupe_latency_seconds_bucket{le="0.025"} 1.0' in lines


def test_a_connection_closes_after_its_response(bench: Bench) -> None:
    """So no client can keep one for long."""
    for path, status in (("/healthz", 200), ("/etc", 404), ("/events", 405)):
        answer = bench.ask("GET", path)
        assert (answer.status_code, answer.headers["connection"]) == (status, "close")


# Who may read, and under which name


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("evil.example", 403),
        ("evil.example:8642", 403),
        ("127.0.0.1.evil.example", 403),
        ("localhost:8642", 200),
        ("127.0.0.1:8642", 200),
        ("[::1]:8642", 200),
        ("192.168.1.5", 200),
        ("dedupe:8642", 200),
        ("DEDUPE", 200),
    ],
)
def test_without_a_secret_only_known_host_names_are_answered(bench: Bench, host: str, status: int) -> None:
    """A web page can make its own name resolve to this machine, but not an IP address or a name of ours."""
    answer = bench.ask("GET", "/metrics", headers={"host": host}, secret=None, host="dedupe")
    assert answer.status_code == status
    event = bench.post(EVENT, headers={"host": host}, secret=None, host="dedupe")
    assert event == (403 if status == 403 else 202)
    assert bench.post(EVENT, headers={"host": host}) == 202  # with the secret, the name does not matter


# Many requests at once


def test_events_are_accepted_however_many_questions_wait(bench: Bench) -> None:
    """Each address has a bound of its own."""

    async def scenario() -> tuple[int, list[int]]:
        released = asyncio.Event()

        async def slow(request: Request) -> Response:
            await released.wait()
            return Response()

        more = [Endpoint("GET", "/slow", slow, is_public=False)]
        headers = {**JSON, "x-dedupe-secret": SECRET}
        async with bench.asked(more=more) as http:
            questions = [
                asyncio.create_task(http.get("/slow", headers=headers)) for _ in range(MAX_ACTIVE + 3)
            ]
            await asyncio.sleep(0)
            event = await http.post("/events", content=EVENT, headers=headers)
            released.set()
            return event.status_code, [answer.status_code for answer in await asyncio.gather(*questions)]

    event, questions = asyncio.run(scenario())
    assert event == 202
    assert Counter(questions) == {200: MAX_ACTIVE, 503: 3}
