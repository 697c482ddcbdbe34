"""The addresses of the review page below /review/, as endpoints of the service; review_page/site.py answers them."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from hook.errors import DedupeError, described
from hook.index.ids import parse_id
from hook.review_page.exchange import BusyError, LoggedOutError, Question, Reply
from hook.review_page.site import Site
from hook.service.app import Answer as AsyncAnswer
from hook.service.app import Endpoint
from hook.service.page_threads import PageThreads
from hook.service.requests import RefusedRequestError
from hook.service.review_guard import COOKIE, HEADERS, Guard, form_of
from hook.settings.model import Settings

PREFIX: Final = "/review"

log = logging.getLogger(__name__)

Answer = Callable[[Question], Reply]


def review_endpoints(site: Site, settings: Settings) -> list[Endpoint]:
    """None of them needs the secret of the service: each person has a session of their own."""
    pages = _Pages(site, Guard(settings))
    answers: list[tuple[str, str, Answer]] = [
        ("GET", "/", site.review),
        ("GET", "/history", site.history),
        ("GET", "/bulk", site.bulk),
        ("GET", "/plan", site.plan),
        ("GET", "/thumb/{number}", site.thumb),
        ("GET", "/places/{number}", site.places),
        ("GET", "/sheet/{number}", site.sheet),
        ("POST", "/login", site.log_in),
        ("POST", "/logout", site.log_out),
        ("POST", "/decide", site.decide),
        ("POST", "/undo", site.undo),
        ("POST", "/again", site.again),
    ]
    made = [
        Endpoint(method, PREFIX + path, pages.answer(call), is_public=True) for method, path, call in answers
    ]
    return [
        *made,
        Endpoint("GET", PREFIX, pages.to_start, is_public=True),
        Endpoint("GET", "/", pages.to_start, is_public=True),
        *(
            Endpoint("GET", f"{PREFIX}/{name}", pages.asset(name), is_public=True)
            for name in ("review.css", "review.js", "icon.svg")
        ),
    ]


class _Pages:
    def __init__(self, site: Site, guard: Guard) -> None:
        self._site, self._guard, self._threads = site, guard, PageThreads()

    def answer(self, call: Answer) -> AsyncAnswer:
        async def answered(request: Request) -> Response:
            try:
                self._guard.check(request)
                question = _question(request)
                with self._threads.admitted(self._site.person(question)) as threads_of_one:
                    if request.method == "POST":
                        question = replace(question, fields=await form_of(request))
                    async with threads_of_one:
                        return await self._in_turn(request, call, question)
            except RefusedRequestError as refusal:
                return PlainTextResponse(f"{refusal.text}\n", refusal.status, dict(HEADERS))
            except BusyError as error:
                return self._response(self._site.failed(error, question))

        return answered

    async def _in_turn(self, request: Request, call: Answer, question: Question) -> Response:
        """A person who does not wait any more, as after a reload, takes no time of a thread."""
        if request.method != "POST" and await request.is_disconnected():
            return Response(status_code=204)
        reply = await to_thread.run_sync(self._asked, call, question, limiter=self._threads.all)
        return self._response(reply)

    def asset(self, name: str) -> AsyncAnswer:
        async def answered(request: Request) -> Response:
            response = self._response(self._site.asset(name))
            response.headers["Cache-Control"] = "private, max-age=86400"  # its address has a digest
            return response

        return answered

    async def to_start(self, request: Request) -> Response:
        """Addresses on the page are relative to the slash."""
        return self._response(Reply(b"", 307, location="review/"))

    def _asked(self, call: Answer, question: Question) -> Reply:
        try:
            return call(question)
        except DedupeError as error:
            if not isinstance(error, LoggedOutError):
                log.info("the review page could not answer: %s", described(error))
            return self._site.failed(error, question)
        except Exception as error:  # a request must not end the service; no text of a document is logged
            log.warning("the review page failed: %s", described(error))
            return Reply(b"The page failed; the log of the service has the reason.", 500, "text/plain")

    def _response(self, reply: Reply) -> Response:
        headers = dict(HEADERS)
        if reply.location is not None:
            headers["Location"] = reply.location
        if reply.cookie is not None:
            headers["Set-Cookie"] = self._guard.cookie(reply.cookie)
        if reply.retry_after_s:
            headers["Retry-After"] = str(reply.retry_after_s)
        return Response(reply.body, reply.status, headers, reply.content_type)


def _question(request: Request) -> Question:
    """Without its form."""
    given = request.path_params.get("number")
    number = 0 if given is None else parse_id(given)
    if number is None:
        raise RefusedRequestError(404, "not a document")
    return Question(
        dict(request.query_params),
        cookie=request.cookies.get(COOKIE, ""),
        number=number,
        address=request.client.host if request.client else "",
        wants_json="application/json" in request.headers.get("accept", ""),
    )
