"""The review page beside a slow Paperless: events, health and other people do not wait for one person's requests."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import httpx

from hook.review_page.exchange import Question, Reply
from hook.review_page.sessions import PageSession
from hook.review_page.site import Site
from hook.service.app import Application
from hook.service.metrics import Metrics
from hook.service.page_threads import MOST_OF_ONE, THREADS_OF_ONE
from hook.service.review_endpoints import review_endpoints
from hook.service.review_guard import COOKIE
from hook.settings.model import Settings

REQUESTS = 60  # more than a thread pool of anyio has by default (40)
HOST, SECRET = "localhost:8642", "correct-horse"
HELD, OTHER = "/review/thumb/1", "/review/thumb/2"


class SlowSite(Site):
    """Paperless does not send the picture of document 1 until it is released."""

    def __init__(self) -> None:
        self.released, self.arrived = threading.Event(), 0
        self.settings = Settings(index_dir=Path("/nowhere"), serve_port=8642)
        super().__init__(self.settings, notify=print, session=NotImplemented)

    def thumb(self, question: Question) -> Reply:
        if question.number == 1:
            self.arrived += 1
            assert self.released.wait(600)
        return Reply(b"a picture")

    def log_in_as(self, name: str) -> str:
        return f"{COOKIE}={self.sessions.begin(PageSession(NotImplemented, name))}"

    def asgi(self) -> Any:
        more = review_endpoints(self, self.settings)
        return Application(print, Metrics(), secret=SECRET, more=more).asgi()


def run(site: SlowSite, scenario: Coroutine[Any, Any, None]) -> None:
    try:
        asyncio.run(scenario)
    finally:
        site.released.set()


def test_events_and_others_do_not_wait_for_the_requests_of_one_person() -> None:
    """With one pool for all, a webhook was answered after 175 s, when Paperless gives up after 5. What is too much of one person
    is refused at once; what was accepted is answered."""
    site = SlowSite()

    async def scenario() -> None:
        transport = httpx.ASGITransport(site.asgi())
        async with httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}") as http:
            eve, bob = ({"Cookie": site.log_in_as(name)} for name in ("eve", "bob"))
            asked = [asyncio.create_task(http.get(HELD, headers=eve)) for _ in range(REQUESTS)]
            while (
                sum(task.done() for task in asked) < REQUESTS - MOST_OF_ONE or site.arrived < THREADS_OF_ONE
            ):
                await asyncio.sleep(0.01)
            event = await http.post("/events", json={"doc_id": 7}, headers={"X-Dedupe-Secret": SECRET})
            assert (event.status_code, (await http.get("/healthz")).status_code) == (202, 200)
            assert (await http.get(OTHER, headers=bob)).content == b"a picture"
            refused = [task.result() for task in asked if task.done()]
            assert [answer.status_code for answer in refused] == [429] * (REQUESTS - MOST_OF_ONE)
            assert "Too many requests are waiting" in refused[0].text
            assert int(refused[0].headers["retry-after"]) > 0
            assert site.arrived == THREADS_OF_ONE
            site.released.set()
            codes = [answer.status_code for answer in await asyncio.gather(*asked)]
            assert codes.count(200) == MOST_OF_ONE
            assert (await http.get(OTHER, headers=eve)).status_code == 200

    run(site, scenario())


def test_nobody_is_asked_for_what_nobody_waits_for() -> None:
    """Somebody who loads a slow page again and again leaves requests behind: their answers would go nowhere."""
    site, sent = SlowSite(), list[Any]()

    async def scenario() -> None:
        headers = [(b"host", HOST.encode()), (b"cookie", site.log_in_as("eve").encode())]
        scope = {"type": "http", "method": "GET", "path": HELD, "query_string": b"", "headers": headers}

        async def receive() -> dict[str, str]:
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)

        await site.asgi()(scope, receive, send)

    run(site, scenario())
    assert (sent[0]["status"], site.arrived) == (204, 0)
