"""Trouble between us and Paperless: what is repeated, what is given up, and what the user is told."""

from __future__ import annotations

import io
import logging
import ssl
import traceback
from contextlib import closing
from pathlib import Path

import httpcore
import httpx
import pytest
from pydantic import SecretStr

from hook import errors
from hook.deadline import Deadline
from hook.paperless.client import Paperless
from hook.paperless.http import MAX_RETRY_AFTER_S, ApiTransport, Backoff
from tests.fakes import (
    BAD_GATEWAY,
    SERVER_ERROR,
    TOO_MANY,
    Cut,
    Delay,
    Drop,
    FakePaperless,
    Reply,
)
from tests.fakes.paperless import DEFAULT_TOKEN as TOKEN
from tests.hook.paperless.conftest import Respond, Ticker, Wires


def failing(wire: ApiTransport) -> errors.PaperlessError:
    """The error of one call that is not repeated."""
    with pytest.raises(errors.PaperlessError) as caught:
        wire.call("POST", "documents/7/", query={"query": "my-secret-words"})
    return caught.value


def answering(status: int, body: str = "", **headers: str) -> Respond:
    return lambda request: httpx.Response(status, content=body, headers=headers)


def raising(error: Exception) -> Respond:
    def respond(request: httpx.Request) -> httpx.Response:
        raise error

    return respond


# what is sent


@pytest.mark.parametrize("base", ["http://h/sub", "http://h/sub/", "http://h/sub//"])
def test_what_is_sent(base: str, wire_to: Wires) -> None:
    """API version 9, which 2.20 and 3.x both speak, and the token; to an installation under a sub-path, however the address
    ends; OCR text that is not sound Unicode; no session cookie, which would bring Django's CSRF check into play."""
    seen: list[httpx.Request] = []

    def respond(request: httpx.Request) -> httpx.Response:
        request.read()
        seen.append(request)
        return httpx.Response(200, json=[], headers={"Set-Cookie": "sessionid=1; Path=/"})

    wire = wire_to(base, respond=respond)
    for _ in range(2):
        wire.call("POST", "documents/7/notes/", payload={"note": "\ud800 é"})
    for request in seen:
        assert request.headers["Accept"] == "application/json; version=9"
        assert request.headers["Authorization"] == f"Token {TOKEN}"
        assert "Cookie" not in request.headers
        assert request.url.path == "/sub/api/documents/7/notes/"
        assert request.content == b'{"note": "\\ud800 \\u00e9"}'


# what is repeated


@pytest.mark.parametrize("fault", [BAD_GATEWAY, SERVER_ERROR, TOO_MANY, Cut(), Drop()])
def test_a_get_is_repeated(
    fake: FakePaperless, ticker: Ticker, fault: Reply | Cut | Drop, wire_to: Wires
) -> None:
    """Reading again is harmless: a busy database, a restarting proxy or a cut connection is waited out."""
    fake.faults.add("GET", "/tags/", fault, times=2)
    answer = wire_to(fake.url).call("GET", "tags/")
    assert answer.data["count"] == 0
    assert len(ticker.slept) == 2


@pytest.mark.parametrize("fault", [BAD_GATEWAY, Drop(done=True), Cut()])
def test_a_note_is_not_posted_twice(
    fake: FakePaperless, ticker: Ticker, fault: Reply | Cut | Drop, wire_to: Wires
) -> None:
    """What Paperless may have received is not repeated: the note could appear twice."""
    document = fake.add_document("text")
    fake.faults.add("POST", "/notes/", fault)
    with pytest.raises(errors.TemporaryError):
        Paperless(wire_to(fake.url)).add_note(document, "once")
    assert (len(fake.writes), ticker.slept) == (1, [])


def test_what_never_left_is_repeated_always(fake: FakePaperless, wire_to: Wires) -> None:
    """A refused connection is a request that Paperless has not seen, so a POST is safe to repeat."""
    document = fake.add_document("text")
    fake.down()
    wire = wire_to(fake.url)
    wire._sleep = lambda seconds: fake.up()
    notes = Paperless(wire).add_note(document, "once")
    assert [note.text for note in notes] == ["once"]


def test_tags_are_set_again_after_a_cut(fake: FakePaperless, wire_to: Wires) -> None:
    """modify_tags says how a document shall be, so doing it twice is doing it once."""
    document, tag = fake.add_document("text"), fake.add_tag("dedupe:rescan")
    fake.faults.add("POST", "/bulk_edit/", Drop(done=True))
    Paperless(wire_to(fake.url)).modify_tags([document], add=[tag])
    assert len(fake.writes) == 2
    assert fake.document(document).tags == {"dedupe:rescan"}


def test_backoff_grows_has_jitter_and_a_cap() -> None:
    """Each delay doubles up to the cap; at least half of it is kept whatever the dice say."""
    backoff = Backoff(attempts=5, first_s=1.0, cap_s=3.0)
    assert list(backoff.delays(lambda: 1.0)) == [1.0, 2.0, 3.0, 3.0]
    assert list(backoff.delays(lambda: 0.0)) == [0.5, 1.0, 1.5, 1.5]


def test_retry_after_is_honoured(ticker: Ticker, wire_to: Wires) -> None:
    """Paperless asked for 7 s."""
    answers = iter([httpx.Response(429, headers={"Retry-After": "7"}), httpx.Response(200, json=1)])
    wire_to("http://h", respond=lambda request: next(answers)).call("GET", "tags/")
    assert ticker.slept == [7.0]


@pytest.mark.parametrize(
    ("status", "after_s", "seconds", "slept"),
    [
        (502, None, 1000.0, [0.3, 0.6, 1.2]),
        (503, int(MAX_RETRY_AFTER_S) + 1, 1000.0, []),
        (502, None, 0.5, [0.3]),
    ],
    ids=["four attempts", "asked to wait for too long", "not beyond the deadline"],
)
def test_retries_end_with_the_error_itself(
    ticker: Ticker, wire_to: Wires, status: int, after_s: int | None, seconds: float, slept: list[float]
) -> None:
    """The user is told what was wrong, not that we gave up; a pause that would end after the deadline is not begun."""
    calls: list[int] = []

    def respond(request: httpx.Request) -> httpx.Response:
        calls.append(1)
        return httpx.Response(status, headers={"Retry-After": str(after_s)} if after_s else {})

    with pytest.raises(errors.ServerError):
        wire_to("http://h", respond=respond, seconds=seconds).call("GET", "tags/")
    assert (len(calls), ticker.slept) == (len(slept) + 1, slept)


# the deadline


def test_no_request_after_the_deadline(ticker: Ticker, wire_to: Wires) -> None:
    """What is late is not even sent."""
    wire = wire_to("http://h", respond=answering(200, "{}"), seconds=5)
    ticker.now += 5
    with pytest.raises(errors.TemporaryError, match="DEDUPE_DEADLINE_S"):
        wire.call("GET", "tags/")


def test_the_deadline_shortens_the_timeout(fake: FakePaperless, wire_to: Wires) -> None:
    """With 0.2 s left nobody waits for the usual 30 s."""
    fake.faults.add("GET", "/tags/", Delay(5))
    wire = wire_to(fake.url, seconds=0.2)
    with pytest.raises(errors.TemporaryError, match=r"0\.2 s"):
        wire.call("GET", "tags/")


def test_within_shares_the_connections_and_not_the_deadline(ticker: Ticker, wire_to: Wires) -> None:
    """A service gives each examination a deadline of its own."""
    late = wire_to("http://h", respond=answering(200, "{}"), seconds=0)
    assert late.within(Deadline(ticker.clock, 5)).call("GET", "tags/").data == {}
    with pytest.raises(errors.TemporaryError):
        late.call("GET", "tags/")


# what the user is told


CONNECT_REFUSED = httpcore.ConnectError("[Errno 111] Connection refused")
HOST_PAGE = "<!doctype html><html><head><title>Bad Request (400)</title></head></html>"
TRANSLATIONS: list[tuple[Respond, type[errors.PaperlessError], str]] = [
    (raising(CONNECT_REFUSED), errors.UnreachableError, "Is Paperless running"),
    (raising(httpcore.ConnectTimeout("")), errors.UnreachableError, "no connection in time"),
    (raising(httpcore.ReadTimeout("")), errors.TemporaryError, "DEDUPE_TIMEOUT_S"),
    (raising(httpcore.ReadError("reset")), errors.CutAnswerError, "connection broke"),
    (raising(httpcore.RemoteProtocolError("cut")), errors.CutAnswerError, "connection broke"),
    (answering(200, '{"results": ['), errors.CutAnswerError, "connection broke"),
    (answering(400, HOST_PAGE), errors.AddressError, "PAPERLESS_ALLOWED_HOSTS"),
    (answering(400, "The plain HTTP request was sent to HTTPS port"), errors.AddressError, "https://"),
    (
        answering(400, '{"documents": ["Some do not exist."]}'),
        errors.RefusedError,
        "documents: Some do not exist",
    ),
    (answering(400, "Error performing bulk edit"), errors.RefusedError, "Error performing bulk edit"),
    (answering(401, '{"detail": "Invalid token."}'), errors.TokenError, "API Auth Token"),
    (answering(401, "<html>Authelia</html>"), errors.TokenError, "proxy"),
    (answering(403, '{"detail": "You do not have permission."}'), errors.RightsError, "add_document"),
    (answering(403, "Insufficient permissions"), errors.RightsError, "superuser"),
    (answering(403, "<html>no</html>"), errors.RightsError, "proxy"),
    (
        answering(404, '{"detail": "Not found."}', **{"x-version": "3.0.5"}),
        errors.NotFoundError,
        "in the trash",
    ),
    (answering(404, '{"detail": "Not found."}'), errors.AddressError, "not as Paperless does"),
    (answering(404, "<h1>Not Found</h1>"), errors.AddressError, "not as Paperless does"),
    (answering(406, '{"detail": "Invalid version"}'), errors.AddressError, "2.20 or newer"),
    (answering(413, "too large"), errors.RefusedError, "413"),
    (answering(429), errors.ThrottledError, "later"),
    (answering(500, "<h1>Server Error (500)</h1>"), errors.ServerError, "500"),
    (answering(502, "<html>nginx</html>"), errors.ServerError, "proxy"),
    (answering(200, "<!doctype html><form>Login</form>"), errors.AddressError, "DEDUPE_URL"),
    (answering(200, '{"error": "Error saving note."}'), errors.AnswerError, "Error saving note"),
    (answering(302, location="https://paper.test/api/x/"), errors.AddressError, "https://paper.test."),
    (
        answering(302, location="https://u:p@paper.test/s/api/x/"),
        errors.AddressError,
        "https://paper.test/s.",
    ),
    (answering(302, location="http://else.test/x?state=s3"), errors.AddressError, "http://else.test/x."),
    (answering(302, location="/accounts/login/?next=/api/"), errors.AddressError, "login page"),
    (answering(301), errors.AddressError, "final address"),
]


@pytest.mark.parametrize(("respond", "kind", "words"), TRANSLATIONS)
def test_trouble_becomes_a_message(
    respond: Respond, kind: type[errors.PaperlessError], words: str, wire_to: Wires
) -> None:
    """Each failure has its own class, names the call by its path, and says what to do next."""
    error = failing(wire_to("http://paper.test:8000", respond=respond))
    assert type(error) is kind
    assert words in str(error)
    assert str(error).startswith("POST /api/documents/7/: ")
    assert "my-secret-words" not in str(error)
    assert len(str(error)) < 400


def test_untrusted_certificate(wire_to: Wires) -> None:
    """The user learns of DEDUPE_CA_FILE; switching verification off is not offered."""
    cause = ssl.SSLCertVerificationError("self-signed certificate")
    cause.verify_message = "self-signed certificate"
    error = httpcore.ConnectError("x")
    error.__cause__ = cause
    told = failing(wire_to("https://paper.test", respond=raising(error)))
    assert type(told) is errors.AddressError
    assert "DEDUPE_CA_FILE" in str(told)


def test_https_where_there_is_none(fake: FakePaperless, wire_to: Wires) -> None:
    """https:// to a server without TLS is a real handshake failure, told apart from a server that is down."""
    with pytest.raises(errors.AddressError, match="write http://"):
        wire_to(fake.url.replace("http:", "https:")).call("GET", "tags/")


def test_ca_file_without_certificates(tmp_path: Path) -> None:
    """A wrong CA file is an error of the settings."""
    (tmp_path / "empty.pem").touch()
    for name in ("none.pem", "empty.pem"):
        with pytest.raises(errors.SettingsError, match="DEDUPE_CA_FILE"):
            ApiTransport("https://h", SecretStr(TOKEN), ca_file=tmp_path / name)


def test_no_web_address(wire_to: Wires) -> None:
    """What httpx cannot parse is the user's DEDUPE_URL."""
    with pytest.raises(errors.AddressError, match="DEDUPE_URL"):
        wire_to("http://[::1").call("GET", "tags/")


# the token


def test_the_name_of_a_setting_is_shown_whatever_the_token_is(fake: FakePaperless) -> None:
    wire = ApiTransport(fake.url, SecretStr("DEDUPE_TOKE"))
    with closing(wire), pytest.raises(errors.TokenError) as caught:
        wire.call("GET", "tags/")
    assert str(caught.value).endswith("into DEDUPE_TOKEN.")


def all_shown(error: BaseException) -> str:
    """A traceback with the local variables of every frame, causes included."""
    return "".join(traceback.TracebackException.from_exception(error, capture_locals=True).format())


@pytest.mark.parametrize("fault", [Cut(), Drop(), BAD_GATEWAY, Delay(5)])
def test_token_never_shows(
    fake: FakePaperless, caplog: pytest.LogCaptureFixture, fault: Reply | Cut | Drop | Delay, wire_to: Wires
) -> None:
    """Not in a message, a repr, a log at DEBUG, or a traceback with local variables."""
    caplog.set_level(logging.DEBUG)
    fake.faults.add("GET", "/tags/", fault, times=None)
    wire = wire_to(fake.url, timeout_s=0.1)
    with pytest.raises(errors.TemporaryError) as caught:
        wire.call("GET", "tags/")
    shown = all_shown(caught.value) + caplog.text + repr(vars(wire)) + repr(caught.value)
    assert "/api/tags/" in shown
    assert TOKEN not in shown


@pytest.mark.parametrize("token", ["", "a b", "ab\ncd", "täken", "x\x00"])
def test_unsendable_token(token: str) -> None:
    """httpx would repeat such a header in its own error, so it is refused before."""
    with pytest.raises(errors.TokenError, match="DEDUPE_TOKEN") as caught:
        ApiTransport("http://h", SecretStr(token))
    assert not token or token not in str(caught.value)


def test_a_token_that_was_not_replaced() -> None:
    """The instructions say `echo TOKEN > secrets/paperless_token`."""
    with pytest.raises(errors.TokenError, match=r"the word TOKEN .* DEDUPE_TOKEN_FILE"):
        ApiTransport("http://h", SecretStr("TOKEN"))


def test_download_starts_over(fake: FakePaperless, wire_to: Wires) -> None:
    """A file cut half-way is fetched again from its start, into the same file."""
    document = fake.add_document("x", data=b"%PDF" + b"0123456789" * 1000)
    fake.faults.add("GET", "/download/", Cut())
    target = io.BytesIO(b"something that was there before, " * 1000)
    size = Paperless(wire_to(fake.url)).download_original(document, target)
    assert target.getvalue() == b"%PDF" + b"0123456789" * 1000
    assert size == len(target.getvalue())
