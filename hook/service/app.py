"""What the service answers: events in, health and figures out. An event is on the disk before the 202.

Another address is one more line in `Receiver.doors`, or is passed in as `more`.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hook.service.backlog import BacklogFullError
from hook.service.events import MAX_BODY_BYTES, MalformedEventError, UnknownBodyTypeError, document_id
from hook.service.metrics import CONTENT_TYPE, Metrics
from hook.settings.environment import SECRET_HEADER

BODY_S: Final = 5.0  # Paperless waits as long for our answer
TELL_EVERY_S: Final = 60.0  # a line in the log for each kind of refusal, not for each request

Answer = Callable[[Request], Awaitable[Response]]

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Door:
    """One address. Only an open one answers without the secret."""

    method: str
    path: str
    answer: Answer
    is_open: bool = False


class _RefusedError(Exception):
    """`args`: the status, and words that hold nothing of the request."""


class Receiver:
    """The ASGI application; what it does with an event and what it knows of the service is passed in."""

    def __init__(
        self,
        accept: Callable[[int], None],
        metrics: Metrics,
        *,
        secret: str | None,
        gauges: Callable[[], Mapping[str, float]] = dict,
        state: Callable[[], str] = lambda: "ok",
        body_s: float = BODY_S,
        more: Sequence[Door] = (),
    ) -> None:
        self._accept, self._metrics, self._gauges, self._state = accept, metrics, gauges, state
        self._secret = secret.encode("ascii") if secret is not None else None
        self._body_s = body_s
        self._told_at_s: dict[int, float] = {}
        self.doors = (
            Door("POST", "/events", self._events),
            Door("GET", "/metrics", self._show_metrics),
            Door("GET", "/healthz", self._health, is_open=True),
            *more,
        )

    def application(self) -> ASGIApp:
        routes = [Route(door.path, self._guarded(door), methods=[door.method]) for door in self.doors]
        return self._one_request_each(Starlette(routes=routes))

    # Addresses

    async def _events(self, request: Request) -> Response:
        body = await self._body(request)
        try:
            number = document_id(body, request.headers.get("content-type", ""))
        except MalformedEventError as error:
            raise _RefusedError(400, str(error)) from None
        except UnknownBodyTypeError as error:
            raise _RefusedError(415, str(error)) from None
        try:
            await run_in_threadpool(self._accept, number)
        except BacklogFullError:
            raise _RefusedError(503, "too much is waiting already") from None
        except OSError as error:  # Paperless tries again, the courier leaves it in the spool
            raise _RefusedError(503, f"the queue cannot be written ({error.strerror})") from error
        self._metrics.count("dedupe_events_total", source="http")
        return JSONResponse({"queued": number}, 202)

    async def _show_metrics(self, request: Request) -> Response:
        gauges = await run_in_threadpool(self._gauges)
        return PlainTextResponse(self._metrics.text(gauges), media_type=CONTENT_TYPE)

    async def _health(self, request: Request) -> Response:
        state = self._state()
        return JSONResponse({"service": "paperless-dedupe", "status": state}, 503 if state == "dead" else 200)

    # Who may, and how much

    def _guarded(self, door: Door) -> Answer:
        async def answer(request: Request) -> Response:
            try:
                if not door.is_open:
                    self._admit(request)
                return await door.answer(request)
            except _RefusedError as refusal:
                status, words = refusal.args
                self._tell(request, status, words)
                more = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
                return PlainTextResponse(f"{words}\n", status, more)

        return answer

    def _admit(self, request: Request) -> None:
        """Before anything of the body is read."""
        if self._secret is None:
            if "origin" in request.headers:  # a web page, in the browser of someone who is logged in here
                raise _RefusedError(403, "browsers need the secret: set DEDUPE_SECRET")
            return
        given = request.headers.get(SECRET_HEADER) or request.headers.get("authorization", "")
        given = given.removeprefix("Bearer ")
        if not hmac.compare_digest(given.encode("utf-8", "replace"), self._secret):
            raise _RefusedError(401, f"the secret is missing or wrong: it belongs into {SECRET_HEADER}")

    async def _body(self, request: Request) -> bytes:
        announced = request.headers.get("content-length", "0")
        if not announced.isdecimal() or int(announced[:20]) > MAX_BODY_BYTES:
            raise _RefusedError(413, f"more than {MAX_BODY_BYTES} bytes")
        body = bytearray()
        try:
            async with asyncio.timeout(self._body_s):
                async for chunk in request.stream():
                    body += chunk
                    if len(body) > MAX_BODY_BYTES:
                        raise _RefusedError(413, f"more than {MAX_BODY_BYTES} bytes")
        except TimeoutError:
            raise _RefusedError(408, f"the body did not come within {self._body_s:g} s") from None
        except ClientDisconnect:
            raise _RefusedError(400, "the connection ended before the body did") from None
        return bytes(body)

    def _tell(self, request: Request, status: int, words: str) -> None:
        now_s = time.monotonic()
        if now_s - self._told_at_s.get(status, -TELL_EVERY_S) >= TELL_EVERY_S:
            self._told_at_s[status] = now_s
            who = request.client.host if request.client else "?"
            log.warning("a request of %s was refused with %d: %s", who, status, words)

    def _one_request_each(self, application: ASGIApp) -> ASGIApp:
        """A connection ends with its answer: then the time for a request is the time for a connection."""

        async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
            async def closing(message: Message) -> None:
                if message["type"] == "http.response.start":
                    message["headers"] = [*message.get("headers", ()), (b"connection", b"close")]
                    if message["status"] >= 400:
                        self._metrics.count("dedupe_refused_total", status=str(message["status"]))
                await send(message)

            await application(scope, receive, closing)

        return wrapped
