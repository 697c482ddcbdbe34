"""The HTTP application of the service: events in, health and metrics out.

An event is on disk before the 202. Another address is one more line in `Application.endpoints`, or is passed in
as `more`.
"""

from __future__ import annotations

import hmac
import ipaddress
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from anyio import CapacityLimiter, to_thread
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hook.queue import QueueFullError
from hook.service.events import MAX_BODY_BYTES, document_id
from hook.service.metrics import Metrics
from hook.service.requests import RefusedRequestError, body_of
from hook.settings.environment import SECRET_HEADER

BODY_S: Final = 5.0  # Paperless waits as long for our response
MAX_ACTIVE: Final = 100  # requests of one endpoint in progress
EVENT_THREADS: Final = 4  # an event is a file on disk: milliseconds
LOG_EVERY_S: Final = 60.0  # one log line per kind of refusal, not per request

Answer = Callable[[Request], Awaitable[Response]]

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One address. Only a public one responds without a secret: its own, or that of the events."""

    method: str
    path: str
    answer: Answer
    is_public: bool = False
    secret: str | None = field(default=None, repr=False)


class Application:
    """`accept` stores an event; `measure` sets the gauges, and `state` describes the service at this moment."""

    def __init__(
        self,
        accept: Callable[[int], None],
        metrics: Metrics,
        *,
        secret: str | None,
        host: str = "localhost",
        measure: Callable[[], None] = lambda: None,
        state: Callable[[], str] = lambda: "ok",
        report_only: bool = False,
        body_s: float = BODY_S,
        more: Sequence[Endpoint] = (),
    ) -> None:
        self._accept, self._metrics, self._measure, self._state = accept, metrics, measure, state
        self._secret, self._report_only = secret, report_only
        self._hosts = {"localhost", host.lower()}
        self._body_s = body_s
        self._logged_at_s: dict[int, float] = {}
        self._unlogged: Counter[int] = Counter()  # refusals by status since the last line
        self._active: Counter[str] = Counter()  # by path
        self._event_threads = CapacityLimiter(EVENT_THREADS)
        self.endpoints = (
            Endpoint("POST", "/events", self._events),
            Endpoint("GET", "/metrics", self._show_metrics),
            Endpoint("GET", "/healthz", self._health, is_public=True),
            *more,
        )

    def asgi(self) -> ASGIApp:
        routes = [Route(each.path, self._guarded(each), methods=[each.method]) for each in self.endpoints]
        application = Starlette(routes=routes)
        application.router.redirect_slashes = False  # it would redirect to whatever the header Host says
        return self._closing_connections(application)

    # Endpoints

    async def _events(self, request: Request) -> Response:
        body = await body_of(request, most_bytes=MAX_BODY_BYTES, within_s=self._body_s)
        number = document_id(body, request.headers.get("content-type", ""))
        try:
            await to_thread.run_sync(self._accept, number, limiter=self._event_threads)
        except QueueFullError:
            raise RefusedRequestError(503, "too many events are waiting") from None
        except OSError as error:  # Paperless tries again
            raise RefusedRequestError(503, f"the queue cannot be written ({error.strerror})") from error
        self._metrics.events.labels("http").inc()
        return JSONResponse({"queued": number}, 202)

    async def _show_metrics(self, request: Request) -> Response:
        await to_thread.run_sync(self._measure, limiter=self._event_threads)
        return PlainTextResponse(generate_latest(self._metrics.registry), media_type=CONTENT_TYPE_LATEST)

    async def _health(self, request: Request) -> Response:
        state = self._state()
        mode = {"report_only": True} if self._report_only else {}
        health = {"service": "paperless-dedupe", "status": state, **mode}
        return JSONResponse(health, 503 if state == "dead" else 200)

    # Authorization and limits

    def _guarded(self, endpoint: Endpoint) -> Answer:
        async def answer(request: Request) -> Response:
            try:
                if endpoint.is_public:
                    return await endpoint.answer(request)
                self._authorize(request, endpoint)
                return await self._one_of_few(endpoint, request)
            except RefusedRequestError as refusal:
                self._log_refusal(request, refusal)
                headers = {"WWW-Authenticate": "Bearer"} if refusal.status == 401 else {}
                return PlainTextResponse(f"{refusal.text}\n", refusal.status, headers)

        return answer

    async def _one_of_few(self, endpoint: Endpoint, request: Request) -> Response:
        """Health is answered beside them, however many there are; so are events, however many questions there are."""
        if self._active[endpoint.path] >= MAX_ACTIVE:
            raise RefusedRequestError(503, "too many requests at once")
        self._active[endpoint.path] += 1
        try:
            return await endpoint.answer(request)
        finally:
            self._active[endpoint.path] -= 1

    def _authorize(self, request: Request, endpoint: Endpoint) -> None:
        """Before any of the body is read. The secret for events opens nothing that names documents: whoever may see
        a workflow of Paperless can read it."""
        accepted = endpoint.secret or self._secret
        if accepted is None:
            self._refuse_browsers(request)
            return
        given = request.headers.get(SECRET_HEADER) or request.headers.get("authorization", "")
        given = given.removeprefix("Bearer ")
        if not hmac.compare_digest(given.encode("utf-8", "replace"), accepted.encode("ascii")):
            raise RefusedRequestError(401, f"the secret is missing or wrong: send it as {SECRET_HEADER}")

    def _refuse_browsers(self, request: Request) -> None:
        """A web page in the browser of someone on this machine, perhaps under a name that resolves to this machine
        (DNS rebinding); an IP address as the host is no such name."""
        if "origin" in request.headers:
            raise RefusedRequestError(403, "browsers need the secret: set DEDUPE_SECRET")
        host = request.headers.get("host", "").lower()
        name = host.partition("]")[0].removeprefix("[") if host.startswith("[") else host.partition(":")[0]
        if name and name not in self._hosts and not _is_ip_address(name):
            raise RefusedRequestError(403, "this host name is not allowed: set DEDUPE_SECRET")

    def _log_refusal(self, request: Request, refusal: RefusedRequestError) -> None:
        """The first one at once, then how many there were, once in a while."""
        now_s, status = time.monotonic(), refusal.status
        self._unlogged[status] += 1
        if now_s - self._logged_at_s.get(status, -LOG_EVERY_S) >= LOG_EVERY_S:
            self._logged_at_s[status] = now_s
            count = self._unlogged.pop(status)
            client = request.client.host if request.client else "?"
            many = f"{count} requests, the last from {client}, were"
            who = f"a request from {client} was" if count == 1 else many
            log.warning("%s refused with %d: %s", who, status, refusal.text)

    def _closing_connections(self, application: ASGIApp) -> ASGIApp:
        """Each connection closes after its response, so the time limit of a request holds for a connection."""

        async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
            async def closing(message: Message) -> None:
                if message["type"] == "http.response.start":
                    message["headers"] = [*message.get("headers", ()), (b"connection", b"close")]
                    if message["status"] >= 400:
                        self._metrics.refused.labels(str(message["status"])).inc()
                await send(message)

            await application(scope, receive, closing)

        return wrapped


def _is_ip_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
