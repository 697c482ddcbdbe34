"""The HTTP side: sockets, keep-alive, faults, recording; answers are decided in ``application``."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from .application import Application, Incoming
from .faults import Action, After, Before, Cut, Delay, Drop, Faults, Reply
from .web import Answer, html

_POLL_S = 0.02  # how long stopping may take


class Recorded(NamedTuple):
    """One request as it was seen; status 0 means the connection was closed without an answer."""

    method: str
    path: str
    query: dict[str, str]
    body: Any
    status: int
    user: str = ""  # whose token came with it


class _Dropped(Exception):
    """The connection is to be closed without an answer."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 256

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is everyday life here."""


class Listener:
    """A server on one loopback port that can go away and come back at the same port."""

    def __init__(self, application: Application, faults: Faults, port: int = 0) -> None:
        self.application, self.faults = application, faults
        self.requests: list[Recorded] = []
        self._port = port
        self._server: _Server | None = None
        self._thread: threading.Thread | None = None
        self._reserved: socket.socket | None = None
        self._connections: set[socket.socket] = set()
        self._guard = threading.Lock()
        self.stopping = threading.Event()

    @property
    def port(self) -> int:
        return self._port

    def start(self) -> None:
        """Listen, on the reserved socket if the server was down."""
        server = _Server(("127.0.0.1", self._port), _handler(self), bind_and_activate=False)
        if self._reserved is not None:
            server.socket.close()
            server.socket, self._reserved = self._reserved, None
            server.server_address = server.socket.getsockname()
        else:
            server.server_bind()
        server.server_activate()
        self._port = server.server_address[1]
        self.stopping.clear()
        self._server = server
        self._thread = threading.Thread(target=server.serve_forever, args=(_POLL_S,), daemon=True)
        self._thread.start()

    def stop(self, *, keep_port: bool = False) -> None:
        """Refuse connections from now on and cut those that are open."""
        if self._server is None:
            return
        self.stopping.set()
        self._server.shutdown()
        self._server.server_close()
        self._server = None
        if keep_port:  # bound but not listening: refused, and nobody else can take the port
            self._reserved = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
            self._reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self._reserved.bind(("127.0.0.1", self._port))
        with self._guard:
            for connection in self._connections:
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self.stop()
        if self._reserved is not None:
            self._reserved.close()
            self._reserved = None

    @property
    def open_connections(self) -> int:
        with self._guard:
            return len(self._connections)

    def opened(self, connection: socket.socket) -> None:
        with self._guard:
            self._connections.add(connection)

    def closed(self, connection: socket.socket) -> None:
        with self._guard:
            self._connections.discard(connection)


def _handler(listener: Listener) -> type[BaseHTTPRequestHandler]:
    class Handler(_Handler):
        owner = listener

    return Handler


class _Handler(BaseHTTPRequestHandler):
    owner: Listener
    protocol_version = "HTTP/1.1"
    server_version = "granian"
    sys_version = ""
    disable_nagle_algorithm = True
    wbufsize = -1  # headers and body leave in one packet

    def setup(self) -> None:
        super().setup()
        self.owner.opened(self.connection)

    def finish(self) -> None:
        self.owner.closed(self.connection)
        with contextlib.suppress(OSError):
            super().finish()

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet: what happened is in ``requests``."""

    def do_GET(self) -> None:
        self._serve()

    do_POST = do_PATCH = do_DELETE = do_PUT = do_HEAD = do_OPTIONS = do_GET

    def _serve(self) -> None:
        size = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(size)
        if len(body) < size:  # the client was killed while it sent
            self.close_connection = True
            return
        actions = self.owner.faults.striking(self.command, self.path)
        try:
            answer = self._answer(actions, body)
        except _Dropped:
            self._record(body, 0)
            self.close_connection = True
            return
        self._record(body, answer.status)
        self._send(answer, next((a.share for a in actions if isinstance(a, Cut)), None))

    def _answer(self, actions: list[Action], body: bytes) -> Answer:
        """Orders that come before, the honest answer or its stand-in, orders that come after."""
        for action in actions:
            if isinstance(action, Before):
                action.call()
            elif isinstance(action, Delay) and self.owner.stopping.wait(action.seconds):
                raise _Dropped
        if any(isinstance(action, Drop) and not action.done for action in actions):
            raise _Dropped
        stand_in = next((action.answer for action in actions if isinstance(action, Reply)), None)
        answer = stand_in or self._honest(body)
        for action in actions:
            if isinstance(action, After):
                action.call()
        if any(isinstance(action, Drop) for action in actions):
            raise _Dropped
        return answer

    def _honest(self, body: bytes) -> Answer:
        """A mistake of the fake is a 500, as one of Paperless is, and shows on stderr."""
        try:
            raw = Incoming(self.command, self.path, dict(self.headers.items()), body)
            return self.owner.application.answer(raw)
        except Exception:
            traceback.print_exc()
            return html(500, "<h1>Server Error (500)</h1>")

    def _record(self, body: bytes, status: int) -> None:
        split = urlsplit(self.path)
        query = dict(parse_qsl(split.query, keep_blank_values=True))
        token = self.headers.get("Authorization", "").partition(" ")[2]
        user = self.owner.application.tokens.get(token)
        name = user.username if user else ""
        self.owner.requests.append(Recorded(self.command, split.path, query, _readable(body), status, name))

    def _send(self, answer: Answer, share: float | None) -> None:
        body, extra = answer.body, answer.headers
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.content_type)
        self.send_header("Content-Length", str(len(body)))
        for name, value in extra:
            self.send_header(name, value)
        if share is not None:
            body, self.close_connection = body[: int(len(body) * share)], True
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
        self.wfile.flush()


def _readable(body: bytes) -> Any:
    """JSON where it is JSON; anything else as a string, so that a test can look inside."""
    if not body:
        return None
    try:
        return json.loads(body)
    except ValueError:
        return body.decode(errors="replace")
