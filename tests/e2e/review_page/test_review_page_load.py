"""The review page beside a slow Paperless: events, health and other people do not wait for one person's requests."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path

import pytest

from hook.service.page_threads import MOST_OF_ONE, THREADS_OF_ONE
from tests.e2e.review_page.page_kit import Answer, Archive, Plain, served
from tests.e2e.serve_kit import BesideFake, until
from tests.fakes import FakePaperless
from tests.fakes.faults import Before

REQUESTS = 60  # more than a thread pool of anyio has by default (40)


@dataclass
class Held:
    """Requests of one person for a picture that Paperless does not send until it is released."""

    sent: list[int] = field(default_factory=list)
    arrived: list[int] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    released: threading.Event = field(default_factory=threading.Event)

    def hold(self) -> None:
        self.arrived.append(1)
        self.released.wait()

    def ask(self, person: Plain, path: str) -> None:
        self.sent.append(1)
        answer = None
        while (
            answer is None
        ):  # of the connections of one address that have not asked yet, the oldest is closed
            with suppress(ConnectionError, HTTPException):
                answer = person.get(path)
        self.answers.append(answer)


@contextmanager
def asking(fake: FakePaperless, at: BesideFake, person: Plain, document: int, count: int) -> Iterator[Held]:
    held = Held()
    fake.faults.add("GET", f"documents/{document}/thumb", Before(held.hold), times=None)
    threads = [
        threading.Thread(
            target=held.ask,
            args=(Plain(at.port, cookie=person.cookie, patience_s=600.0), f"/thumb/{document}"),
        )
        for _ in range(count)
    ]
    try:
        for thread in threads:
            thread.start()
        until(lambda: len(held.sent) == count and len(held.arrived) >= THREADS_OF_ONE)
        yield held
    finally:
        held.released.set()
        for thread in threads:
            thread.join()
        fake.faults.clear()


@pytest.fixture
def at(fake: FakePaperless, tmp_path: Path, archive: Archive) -> Iterator[BesideFake]:
    """Paperless may take longer for an answer than any of these tests."""
    with served(fake, tmp_path, DEDUPE_TIMEOUT_S="300") as started:
        yield started


@pytest.fixture
def person(at: BesideFake, fake: FakePaperless) -> Plain:
    made = Plain(at.port)
    assert made.post("/login", {"token": fake.token}).status == 303
    return made


def test_a_webhook_does_not_wait_for_the_page(
    fake: FakePaperless, at: BesideFake, person: Plain, archive: Archive
) -> None:
    """With one pool for all, it was answered after 175 s, when Paperless gives up after 5."""
    with asking(fake, at, person, archive.letter, REQUESTS) as held:
        assert at.post(archive.copy) == 202
        assert at.ask("GET", "/healthz")[0] == 200
        assert at.figure('dedupe_events_total{source="http"}') == 1
        assert not [one for one in held.answers if one.status == 200], "all of them are still waiting"


def test_one_person_has_a_bound_that_others_do_not_feel(
    fake: FakePaperless, at: BesideFake, person: Plain, archive: Archive
) -> None:
    """What is too much is refused at once, with a page that says so; what was accepted is answered."""
    fake.add_user("bob")
    with asking(fake, at, person, archive.letter, REQUESTS) as held:
        until(lambda: len(held.answers) == REQUESTS - MOST_OF_ONE)
        assert {one.status for one in held.answers} == {429}
        assert "Too many requests are waiting" in held.answers[0].text
        assert int(held.answers[0].headers["retry-after"]) > 0
        assert len(held.arrived) == THREADS_OF_ONE
        other = Plain(at.port)
        assert other.log_in("bob").status == 303
        assert other.get(f"/thumb/{archive.copy}").status == 200
    assert [one.status for one in held.answers].count(200) == MOST_OF_ONE
    assert person.get(f"/thumb/{archive.letter}").status == 200


def test_nobody_is_asked_for_what_nobody_waits_for(
    fake: FakePaperless, at: BesideFake, person: Plain, archive: Archive
) -> None:
    """Somebody who loads a slow page again and again leaves requests behind: their answers would go nowhere."""
    request = f"GET /review/thumb/{archive.letter} HTTP/1.1\r\nHost: 127.0.0.1:{at.port}\r\nCookie: {person.cookie}\r\n\r\n"
    with asking(fake, at, person, archive.letter, THREADS_OF_ONE) as held:
        for _ in range(10):
            with socket.create_connection(("127.0.0.1", at.port)) as gone:
                gone.sendall(request.encode())
        assert at.is_up(), "which was asked for after them"
        held.released.set()
        assert person.get(f"/thumb/{archive.copy}").status == 200
        assert len(held.arrived) == THREADS_OF_ONE
