"""What a hostile page, neighbour or document may try on the review page: each is refused, and nothing is written."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from hook.review_page.sessions import (
    ATTEMPTS,
    IDLE_S,
    LONGEST_S,
    MOST_SESSIONS,
    Attempts,
    PageSession,
    Sessions,
)
from hook.service.review_guard import Guard
from hook.settings.model import Settings
from tests.e2e.review_page.page_kit import Answer, Archive, Plain, by_token, examined, fill, served
from tests.e2e.serve_kit import PATIENCE_S, BesideFake, service
from tests.fakes import FakePaperless
from tests.fakes.faults import Before


class Clock:
    now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


class NoClient:
    closed = 0

    def close(self) -> None:
        NoClient.closed += 1


def nobody(name: str = "eve") -> PageSession:
    return PageSession(NoClient(), name)  # type: ignore[arg-type]  # only closed here


@pytest.fixture(scope="module")
def fake() -> Iterator[FakePaperless]:
    with FakePaperless("2.20.15", task_delay_s=0.0) as started:  # 3.x itself limits log-ins
        yield started


@pytest.fixture(scope="module")
def archive(fake: FakePaperless, tmp_path_factory: pytest.TempPathFactory) -> tuple[Archive, Path]:
    place = tmp_path_factory.mktemp("page")
    found = fill(fake)
    examined(fake, place)
    return found, place


@pytest.fixture(scope="module")
def at(fake: FakePaperless, archive: tuple[Archive, Path]) -> Iterator[BesideFake]:
    with served(fake, archive[1]) as started:
        yield started


@pytest.fixture(scope="module")
def person(at: BesideFake) -> Plain:
    return by_token(at)


def test_it_is_off_until_switched_on(fake: FakePaperless, tmp_path: Path) -> None:
    with service(fake, tmp_path) as started:
        assert Plain(started.port).get("/").status == 404
        assert Plain(started.port).get("").status == 404


def test_without_a_session_there_is_only_the_log_in(at: BesideFake, archive: tuple[Archive, Path]) -> None:
    stranger = Plain(at.port)
    hidden = f"/thumb/{archive[0].letter}", "/history", "/plan?card=5:2"
    for path in ("/", "/bulk", *hidden):
        answer = stranger.get(path)
        assert "Log in" in answer.text
        assert "Notice" not in answer.text
    assert "Log in" in stranger.decide("same", archive[0].identical).text
    assert stranger.ask("POST", "/decide", "a=1", Accept="application/json").status == 401


def test_every_answer_is_private_and_runs_only_our_own_files(person: Plain) -> None:
    for path in ("/", "/bulk", "/thumb/1"):
        headers = person.get(path).headers
        assert headers["cache-control"] == "no-store"
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none';")
        assert "unsafe" not in policy
        assert "http" not in policy
        assert headers["x-content-type-options"] == "nosniff"


def test_the_cookie_cannot_be_read_by_scripts_or_sent_by_other_sites(
    at: BesideFake, fake: FakePaperless
) -> None:
    answer = Plain(at.port).post("/login", {"token": fake.token})
    assert answer.headers["set-cookie"].endswith("; Path=/review; HttpOnly; SameSite=Strict")
    assert fake.token not in answer.headers["set-cookie"]


PORTS = ("\N{SUPERSCRIPT TWO}", "9" * 5000, "-1", "", "{port}0", "8\N{MIDDLE DOT}", "1")
HOSTS = [f"{host}:{port}" for port in PORTS for host in ("127.0.0.1", "[::1]", "localhost")]


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1.evil.example:{port}", *HOSTS])
def test_another_host_name_is_refused(at: BesideFake, person: Plain, host: str) -> None:
    """A name that leads here (DNS rebinding) would be of the same origin for a browser. Refused, not an error."""
    assert person.ask("GET", "/", Host=host.format(port=at.port)).status in (400, 421)


@pytest.mark.parametrize(
    "origin",
    [
        *("http://evil.example", "null", "https://127.0.0.1:{port}", "http://127.0.0.1", ""),
        *("http://[", "http://[::1", "http://\N{VULGAR FRACTION ONE HALF}", "http://127.0.0.1:{port}/x"),
    ],
)
def test_a_form_of_another_site_is_refused(
    at: BesideFake, person: Plain, fake: FakePaperless, archive: tuple[Archive, Path], origin: str
) -> None:
    key = archive[0].identical
    fake.forget_requests()
    answer = person.decide("same", key, Origin=origin.format(port=at.port))
    assert answer.status == 403
    assert fake.requests == []


def test_no_redirect_goes_where_the_host_header_says(at: BesideFake) -> None:
    for path in ("/bulk/", "/logout/"):
        assert Plain(at.port, host="evil.example").get(path).status == 404


@pytest.mark.parametrize("csrf", ["", "wrong", "\N{SNOWMAN}"])
def test_a_form_without_the_token_of_the_session_is_refused(
    person: Plain, fake: FakePaperless, archive: tuple[Archive, Path], csrf: str
) -> None:
    fake.forget_requests()
    key = archive[0].identical
    for path in ("/decide", "/undo", "/logout"):
        assert person.post(path, {"csrf": csrf, "action": "same", "key": key}).status == 403
    assert fake.writes == []


def test_a_body_that_is_not_a_form_or_too_large_is_refused(person: Plain) -> None:
    assert person.ask("POST", "/decide", "{}", Content_Type="application/json").status == 415
    assert person.ask("POST", "/decide", "a=" + "x" * 600_000).status == 413
    assert person.ask("POST", "/decide", "a=1&" * 30_000).status == 413


def test_numbers_that_are_no_documents(person: Plain) -> None:
    for number in ("-1", "0x1", "1e3", "9" * 30, "..%2f..%2fapi", "\N{SUPERSCRIPT TWO}".encode().hex()):
        assert person.get(f"/thumb/{number}").status == 404


def test_nothing_that_is_typed_is_repeated_or_logged(at: BesideFake) -> None:
    canary = "canary<b>of-the-form"
    answer = Plain(at.port).post("/login", {"username": canary, "password": canary, "code": canary})
    assert (answer.status, "canary" in answer.text) == (403, False)
    assert "canary" not in at.log


def test_attempts_to_log_in_are_limited(fake: FakePaperless, archive: tuple[Archive, Path]) -> None:
    with served(fake, archive[1]) as started:
        stranger = Plain(started.port)
        codes = [stranger.log_in("admin", "wrong").status for _ in range(ATTEMPTS + 2)]
        assert codes == [403] * ATTEMPTS + [429] * 2
        last = stranger.log_in()  # the right password does not help now
        assert (last.status, int(last.headers["retry-after"]) > 0) == (429, True)


def test_log_out_ends_the_session_on_the_server(at: BesideFake, fake: FakePaperless) -> None:
    made = by_token(at)
    cookie = made.cookie
    assert made.post("/logout", {}).status == 303
    made.cookie = cookie
    assert "Log in" in made.get().text


def test_a_second_log_in_ends_the_first_session(fake: FakePaperless, archive: tuple[Archive, Path]) -> None:
    """The browser has forgotten its cookie, so nobody could log it out any more."""
    with served(fake, archive[1]) as started:
        made = Plain(started.port)
        assert made.post("/login", {"token": fake.token}).status == 303
        first = made.cookie
        assert made.log_in("admin", "wrong").status == 403
        assert "Log in" not in Plain(started.port, cookie=first).get().text, "nobody has logged in"
        assert made.post("/login", {"token": fake.token}).status == 303
        assert "Log in" not in made.get().text
        assert "Log in" in Plain(started.port, cookie=first).get().text


def test_a_request_that_is_under_way_when_its_session_ends(
    at: BesideFake, fake: FakePaperless, archive: tuple[Archive, Path]
) -> None:
    """There is no picture any more, or it was just sent; it is not an error of ours."""
    document, arrived, released = archive[0].letter, threading.Event(), threading.Event()
    made, answers = by_token(at), list[Answer]()
    asking = threading.Thread(
        target=lambda: answers.append(Plain(at.port, cookie=made.cookie).get(f"/thumb/{document}"))
    )
    fake.faults.add("GET", "thumb", Before(arrived.set))
    fake.faults.add("GET", "thumb", Before(released.wait))
    try:
        asking.start()
        assert arrived.wait(PATIENCE_S)
        assert made.post("/logout", {}).status == 303
    finally:
        released.set()
        asking.join()
        fake.faults.clear()
    assert answers[0].status in (200, 404)


def test_who_asks_is_not_what_a_header_says(fake: FakePaperless, archive: tuple[Archive, Path]) -> None:
    """Any program on this machine could write it: one more attempt for each address, and false ones in the log."""
    with served(fake, archive[1]) as started:
        codes = [
            Plain(started.port, more={"X-Forwarded-For": f"192.0.2.{number}"}).log_in("admin", "wrong").status
            for number in range(ATTEMPTS + 1)
        ]
        assert codes == [403] * ATTEMPTS + [429]
        headers = {"X-Forwarded-For": "192.0.2.99", "X-Dedupe-Secret": "wrong"}
        assert started.ask("POST", "/events", b"7", headers)[0] == 401
        assert "a request from 127.0.0.1 was refused" in started.log
        assert "192.0.2" not in started.log


def test_a_proxy_that_is_named_says_who_asks(fake: FakePaperless, archive: tuple[Archive, Path]) -> None:
    """The last address that is not one of the proxies: whoever asks can write the ones before."""
    with served(fake, archive[1], DEDUPE_TRUSTED_PROXIES="127.0.0.1, 10.0.0.0/8") as started:

        def attempt(forwarded: str) -> int:
            return Plain(started.port, more={"X-Forwarded-For": forwarded}).log_in("admin", "wrong").status

        assert [attempt(f"192.0.2.{number}, 10.1.2.3") for number in range(3)] == [403] * 3
        codes = [attempt(f"192.0.2.{number}, 198.51.100.7") for number in range(ATTEMPTS + 1)]
        assert codes == [403] * ATTEMPTS + [429]


def test_a_session_ends_when_it_is_idle_and_after_some_hours_anyway() -> None:
    clock = Clock()
    sessions = Sessions(clock)
    idle, busy = sessions.begin(nobody()), sessions.begin(nobody())
    for _ in range(int(LONGEST_S / (IDLE_S / 2)) - 1):
        clock.now_s += IDLE_S / 2
        assert sessions.get(busy) is not None
    assert sessions.get(idle) is None
    clock.now_s += IDLE_S / 2 + 1
    assert sessions.get(busy) is None


def test_sessions_are_bounded_and_those_that_are_dropped_are_closed() -> None:
    sessions, NoClient.closed = Sessions(), 0
    first, *others = [sessions.begin(nobody()) for _ in range(MOST_SESSIONS + 1)]
    assert (sessions.get(first), NoClient.closed) == (None, 1)
    assert all(map(sessions.get, others))


def test_a_minute_later_one_may_try_again() -> None:
    clock = Clock()
    attempts = Attempts(clock)
    assert [attempts.wait_s("a") for _ in range(ATTEMPTS)] == [0] * ATTEMPTS
    assert attempts.wait_s("a") > 0
    assert attempts.wait_s("b") == 0
    clock.now_s += 60
    assert attempts.wait_s("a") == 0


def test_an_https_address_makes_the_cookie_secure() -> None:
    guard = Guard(Settings(index_dir=Path("/x"), review_url="https://dedupe.example.org/tools"))
    assert guard.cookie("v") == "dedupe_review=v; Path=/tools/review; HttpOnly; SameSite=Strict; Secure"
