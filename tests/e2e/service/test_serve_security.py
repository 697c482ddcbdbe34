"""What a hostile neighbour may try: each is refused with the right code, queues nothing, and leaves no trace
of its body in the log."""

from __future__ import annotations

import socket
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from hook.cli import main
from hook.service.server import is_loopback
from tests.e2e.serve_kit import PATIENCE_S, SECRET, Service, service
from tests.fakes import FakePaperless

CANARY = "canary-of-the-body"
BODY = f'{{"doc_url": "http://paperless/documents/7/", "doc_title": "{CANARY}"}}'.encode()
JSON = {"Content-Type": "application/json"}
KNOWN = {**JSON, "X-Dedupe-Secret": SECRET}


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """One service for all: none of these leaves anything behind."""
    with FakePaperless() as fake, service(fake, tmp_path_factory.mktemp("service")) as started:
        yield started


@pytest.fixture(autouse=True)
def unharmed(at: Service) -> Iterator[None]:
    """After each attempt: nothing was accepted, nothing logged of the body, and the service is well."""
    yield
    assert at.waiting == []
    assert at.figure('dedupe_events_total{source="http"}') == 0
    assert at.figure('dedupe_examined_total{source="event"}') == 0
    assert CANARY not in at.log
    assert SECRET not in at.log
    assert at.is_up()


def raw(at: Service, request: bytes, *, patience_s: float = PATIENCE_S) -> bytes:
    """What comes back for these bytes, until the other side closes."""
    with socket.create_connection(("127.0.0.1", at.port), timeout=patience_s) as connection:
        connection.sendall(request)
        answer = b""
        try:
            while received := connection.recv(4096):
                answer += received
        except ConnectionResetError:
            pass
        return answer


def test_the_secret_is_not_taken_from_elsewhere(at: Service) -> None:
    """Addresses end up in the logs of proxies."""
    assert at.ask("POST", f"/events?secret={SECRET}", BODY, JSON)[0] == 401


@pytest.mark.parametrize(
    "body",
    [
        BODY[:-1],
        b'{"doc_id": "' + CANARY.encode() + b'"}',
        b'{"doc_url": "' + CANARY.encode() + b'/documents/x"}',
        b"\xff\xfe" + CANARY.encode(),
    ],
)
def test_malformed(at: Service, body: bytes) -> None:
    """Nothing of it is in the answer or the log; tests/hook/service/test_events.py has the other kinds."""
    status, words = at.ask("POST", "/events", body, KNOWN)
    assert status == 400
    assert CANARY not in words


def test_no_http_at_all(at: Service) -> None:
    assert raw(at, CANARY.encode() + b"\r\n\r\n").startswith(b"HTTP/1.1 400 ")


def test_endless_headers(at: Service) -> None:
    request = b"POST /events HTTP/1.1\r\nHost: x\r\n" + f"X-A: {CANARY}\r\n".encode() * 2000
    assert raw(at, request).startswith(b"HTTP/1.1 4")


def test_slow_headers_hold_up_nobody(at: Service) -> None:
    """Twenty that never finish their first line: others are answered meanwhile, and they are shown out."""
    slow = [socket.create_connection(("127.0.0.1", at.port), timeout=PATIENCE_S) for _ in range(20)]
    for connection in slow:
        connection.sendall(b"POST /ev")
    assert at.ask("GET", "/healthz")[0] == 200
    assert all(connection.recv(64).startswith(b"HTTP/1.1 408 ") for connection in slow)
    for connection in slow:
        connection.close()


def test_hundreds_of_idle_connections_hold_up_nobody(at: Service) -> None:
    """Health and events are answered at once; of one address, only some connections stay open: for each new one the
    oldest that is idle is closed, without waiting for the time limit of a request."""
    idle = [socket.create_connection(("127.0.0.1", at.port)) for _ in range(500)]
    try:
        for _ in range(20):
            assert at.ask("GET", "/healthz")[0] == 200
        assert at.ask("GET", "/metrics", headers={"X-Dedupe-Secret": SECRET})[0] == 200
        for connection in idle:
            connection.setblocking(False)
        states = Counter(map(_state, idle))
        assert states["open"] <= 32
        assert states["closed"] > 100  # those that ran into the time limit got an answer
    finally:
        for connection in idle:
            connection.close()


def _state(connection: socket.socket) -> str:
    try:
        return "answered" if connection.recv(1) else "closed"
    except BlockingIOError:
        return "open"
    except ConnectionError:
        return "closed"


def test_refusals_are_logged_in_bulk(at: Service) -> None:
    """One line for many, and none of uvicorn's for each request that is not HTTP."""
    at.ask("POST", "/events", b"1")
    before = at.log.count("\n")
    for _ in range(50):
        assert at.ask("POST", "/events", b"1")[0] == 401
        with socket.create_connection(("127.0.0.1", at.port)) as connection:
            connection.sendall(b"\x16\x03\x01 not http\r\n\r\n")
            connection.recv(100)
    assert at.log.count("\n") == before


def test_a_client_that_leaves_in_the_middle(at: Service) -> None:
    head = f"POST /events HTTP/1.1\r\nHost: x\r\nX-Dedupe-Secret: {SECRET}\r\nContent-Length: 100\r\n\r\n"
    with socket.create_connection(("127.0.0.1", at.port)) as connection:
        connection.sendall(head.encode() + BODY[:20])
    assert at.ask("POST", "/events", BODY, JSON)[0] == 401  # it goes on answering
    assert "Traceback" not in at.log


def test_it_does_not_open_the_door_without_a_secret(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], at: Service
) -> None:
    """Others could reach it: then there must be a secret."""
    environ = {**at.environ(), "DEDUPE_INDEX_DIR": str(tmp_path), "DEDUPE_SERVE_HOST": "0.0.0.0"}
    del environ["DEDUPE_SECRET"]
    assert main(["serve"], environ) == 2
    assert "DEDUPE_SECRET" in capsys.readouterr().err


def test_a_port_that_is_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str], at: Service) -> None:
    assert main(["serve"], {**at.environ(), "DEDUPE_INDEX_DIR": str(tmp_path / "other")}) == 2
    assert "cannot listen" in capsys.readouterr().err
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize(
    ("host", "is_ours"),
    [
        ("127.0.0.1", True),
        ("127.5.5.5", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("192.168.1.5", False),
        ("localhost.example.org", False),
        ("::ffff:8.8.8.8", False),
    ],
)
def test_what_counts_as_this_machine(host: str, is_ours: bool) -> None:
    assert is_loopback(host) is is_ours
