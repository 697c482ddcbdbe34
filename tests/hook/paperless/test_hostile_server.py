"""A server that means harm: it costs bounded time and memory, and what it says is shown without its tricks."""

from __future__ import annotations

import gzip
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest
from pydantic import SecretStr

from hook import errors
from hook.cli import main
from hook.deadline import Deadline
from hook.paperless.client import Paperless
from hook.paperless.http import ApiTransport, Backoff

TOKEN = "0123456789abcdef0123456789abcdef01234567"
ESCAPED = "".join(f"\\u{ord(letter):04x}" for letter in TOKEN)
DRIPS = 1000  # 50 s and more: without a limit of ours a test fails, instead of never ending
Behave = Callable[[socket.socket], object]


@contextmanager
def server(behave: Behave) -> Iterator[str]:
    """Calls `behave` for each connection, after the head of the request."""
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with suppress(OSError):
            while True:
                connection, _ = listening.accept()
                threading.Thread(target=answer, args=(connection,), daemon=True).start()

    def answer(connection: socket.socket) -> None:
        with connection, suppress(OSError):
            connection.recv(65_536)
            behave(connection)

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        listening.close()


def client(url: str, *, seconds: float = 60.0, timeout_s: float = 30.0) -> Paperless:
    return Paperless(
        ApiTransport(
            url,
            SecretStr(TOKEN),
            deadline=Deadline(time.monotonic, seconds),
            timeout_s=timeout_s,
            backoff=Backoff(attempts=1),
        )
    )


def answer(body: bytes, *headers: str, status: str = "200 OK") -> Behave:
    head = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Connection: close", *headers, "", ""]
    return lambda connection: connection.sendall("\r\n".join(head).encode() + body)


def drip(first: bytes, byte: bytes) -> Behave:
    def behave(connection: socket.socket) -> None:
        connection.sendall(first)
        for _ in range(DRIPS):
            connection.sendall(byte)
            time.sleep(0.05)

    return behave


@pytest.mark.parametrize(
    "behave",
    [
        drip(b"HTTP/1.1 200 OK\r\nX-Long: ", b"x"),
        drip(b"HTTP/1.1 200 OK\r\n", b"X-Many: x\r\n"),
        drip(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
        drip(b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 100 Continue\r\n\r\n"),
    ],
    ids=["header", "headers", "body", "interim answers"],
)
def test_no_drip_outlives_the_deadline(behave: Behave) -> None:
    """Each byte comes in time, so httpx's own timeouts never end it."""
    began_s = time.monotonic()
    with server(behave) as url, client(url, seconds=0.3) as paperless, pytest.raises(errors.TemporaryError):
        paperless.tags()
    assert time.monotonic() - began_s < 30.0


def test_without_a_deadline_the_head_has_the_timeout() -> None:
    """A backfill has no deadline, and must not hang either."""
    behave = drip(b"HTTP/1.1 200 OK\r\nX-Long: ", b"x")
    with (
        server(behave) as url,
        client(url, timeout_s=0.3, seconds=float("inf")) as paperless,
        pytest.raises(errors.TemporaryError),
    ):
        paperless.tags()


@pytest.mark.parametrize("entries", [[], [{"id": 1, "name": "a"}]], ids=["empty", "full"])
def test_pages_without_end_are_refused(entries: list[object], monkeypatch: pytest.MonkeyPatch) -> None:
    """`next` in each of them."""
    monkeypatch.setattr("hook.paperless.api.MAX_PAGES", 20)
    body = json.dumps({"count": 1, "next": "http://x/", "results": entries}).encode()
    asked: list[int] = []

    def behave(connection: socket.socket) -> None:
        asked.append(1)
        answer(body)(connection)

    with (
        server(behave) as url,
        client(url, seconds=120.0) as paperless,
        pytest.raises(errors.AnswerError, match="more pages than entries"),
    ):
        paperless.tags()
    assert len(asked) == (20 if entries else 1)


@pytest.mark.parametrize("encoding", ["gzip", "gzip, gzip, gzip", "br"])
def test_a_compressed_answer_is_refused(encoding: str) -> None:
    """7 kB could become 4 GB: none is asked for, and none is read."""
    body = gzip.compress(b'{"results": [{"id": 1, "name": "a"}], "next": null}')
    behave = answer(body, f"Content-Encoding: {encoding}")
    with (
        server(behave) as url,
        client(url) as paperless,
        pytest.raises(errors.AnswerError, match="compressed"),
    ):
        paperless.tags()


@pytest.mark.parametrize(
    "entry",
    ["true", "-1", "1e3", "99999999999999999999", "4294967295", '"1"', "null", "[1]", "NaN"],
)
def test_an_odd_id_is_an_error_of_the_answer(entry: str) -> None:
    """Not a traceback further down, where the index or SQLite refuses it."""
    body = f'{{"results": [{{"id": {entry}, "name": "a"}}], "all": [{entry}], "next": null}}'.encode()
    with server(answer(body)) as url, client(url) as paperless:
        with pytest.raises(errors.AnswerError, match="unexpected form"):
            paperless.tags()
        with pytest.raises(errors.AnswerError, match="unexpected form"):
            paperless.document_ids()


@pytest.mark.parametrize("status", ["200 OK", "400 Bad Request", "500 Oops"])
def test_deep_json_is_an_error_of_the_answer(status: str) -> None:
    behave = answer(b"[" * 200_000, status=status)
    with server(behave) as url, client(url) as paperless, pytest.raises(errors.PaperlessError):
        paperless.tags()


HEADERS = f"Location: http://x/{TOKEN}/\x9b31m"
ECHOES = {
    "an error in a 200": answer(json.dumps({"error": f"no {TOKEN}"}).encode()),
    "an escaped error": answer(f'{{"error": "no {ESCAPED}"}}'.encode()),
    "a refusal": answer(f'{{"detail": "{ESCAPED} \\u001b[31m"}}'.encode(), status="400 Bad Request"),
    "a redirect": answer(b"", HEADERS, status="302 Found"),
    "a name": answer(
        json.dumps(
            {
                "user": {"id": 1, "username": f"{TOKEN}\x1b[31m", "is_superuser": True},
                "settings": {"version": "3.0.0\x1b]0;x\x07"},
                "permissions": [],
            }
        ).encode(),
        f"X-Version: {TOKEN}",
    ),
}


@pytest.mark.parametrize("kind", ECHOES)
@pytest.mark.parametrize("words", [["check"], ["backfill"], ["setup"], ["check", "--json"]], ids=" ".join)
def test_neither_the_token_nor_control_characters_are_shown(
    kind: str, words: list[str], capsys: pytest.CaptureFixture[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Whatever the server sends back, and in whatever form."""
    place = tmp_path_factory.mktemp("home")
    with server(ECHOES[kind]) as url:
        main(words, {"HOME": str(place), "DEDUPE_URL": url, "DEDUPE_TOKEN": TOKEN})
    shown = capsys.readouterr()
    assert TOKEN not in shown.out + shown.err
    assert not {"\x1b", "\x07", "\x9b"} & set(shown.out + shown.err)
    assert shown.out + shown.err
