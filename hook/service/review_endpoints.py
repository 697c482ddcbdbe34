"""The addresses of the review page below /review/, as endpoints of the service; review_page/site.py answers them."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from hook.errors import DedupeError, described
from hook.index.ids import MAX_ID
from hook.review_page.exchange import Question, Reply
from hook.review_page.site import LoggedOutError, Site
from hook.service.app import Answer as AsyncAnswer
from hook.service.app import Endpoint
from hook.service.request import RefusedRequestError
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
        ("GET", "/tuning", site.tuning),
        ("GET", "/bulk", site.bulk),
        ("GET", "/sizes", site.sizes),
        ("GET", "/thumb/{number}", site.thumb),
        ("POST", "/login", site.log_in),
        ("POST", "/logout", site.log_out),
        ("POST", "/decide", site.decide),
        ("POST", "/undo", site.undo),
    ]
    made = [
        Endpoint(method, PREFIX + path, pages.answer(call), is_public=True) for method, path, call in answers
    ]
    return [
        *made,
        Endpoint("GET", PREFIX, pages.to_start, is_public=True),
        *(
            Endpoint("GET", f"{PREFIX}/{name}", pages.asset(name), is_public=True)
            for name in ("review.css", "review.js", "icon.svg")
        ),
    ]


class _Pages:
    def __init__(self, site: Site, guard: Guard) -> None:
        self._site, self._guard = site, guard

    def answer(self, call: Answer) -> AsyncAnswer:
        async def answered(request: Request) -> Response:
            try:
                self._guard.check(request)
                question = await _question(request)
            except RefusedRequestError as refusal:
                return PlainTextResponse(f"{refusal.text}\n", refusal.status, dict(HEADERS))
            return self._response(await run_in_threadpool(self._asked, call, question))

        return answered

    def asset(self, name: str) -> AsyncAnswer:
        async def answered(request: Request) -> Response:
            reply = self._site.asset(name)
            assert reply is not None
            response = self._response(reply)
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
        except (
            Exception
        ) as error:  # a request must not end the service; the text of a document stays out of the log
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


async def _question(request: Request) -> Question:
    number = request.path_params.get("number", "0")
    if not (number.isascii() and number.isdigit() and len(number) <= 10 and int(number) <= MAX_ID):
        raise RefusedRequestError(404, "not a document")
    return Question(
        dict(request.query_params),
        await form_of(request) if request.method == "POST" else {},
        request.cookies.get(COOKIE, ""),
        int(number),
        request.client.host if request.client else "",
        "application/json" in request.headers.get("accept", ""),
    )
