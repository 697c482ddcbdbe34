"""The HTTP side: sockets, keep-alive, faults, recording; answers are decided in ``application``."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import traceback
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

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
    request_queue_size = 256

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is everyday life here."""


class Listener:
    """A server on one loopback port that can go away and come back at the same port."""

    def __init__(self, application: Application, faults: Faults, port: int = 0) -> None:
        self.application, self.faults, self.port = application, faults, port
        self.requests: list[Recorded] = []
        self.connections: set[socket.socket] = set()
        self.stopping = threading.Event()
        self._server: _Server | None = None
        self._reserved: socket.socket | None = None

    def start(self) -> None:
        """Listens, on the reserved socket if the server was down."""
        server = _Server(("127.0.0.1", self.port), partial(_Handler, self), bind_and_activate=False)
        if self._reserved is None:
            server.server_bind()
        else:
            server.socket.close()
            server.socket, self._reserved = self._reserved, None
        server.server_activate()
        self.port = server.socket.getsockname()[1]
        self.stopping.clear()
        self._server = server
        threading.Thread(target=server.serve_forever, args=(_POLL_S,), daemon=True).start()

    def stop(self, *, keep_port: bool = False) -> None:
        """Refuses connections from now on and cuts those that are open."""
        if self._server is None:
            return
        self.stopping.set()
        self._server.shutdown()
        self._server.server_close()
        self._server = None
        if keep_port:  # bound but not listening: refused, and nobody else can take the port
            self._reserved = socket.socket()
            self._reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self._reserved.bind(("127.0.0.1", self.port))
        for connection in list(self.connections):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self.stop()
        if self._reserved is not None:
            self._reserved.close()
            self._reserved = None


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1  # headers and body leave in one packet

    def __init__(self, listener: Listener, *arguments: Any) -> None:
        self._listener = listener
        super().__init__(*arguments)

    def setup(self) -> None:
        super().setup()
        self._listener.connections.add(self.connection)

    def finish(self) -> None:
        self._listener.connections.discard(self.connection)
        with contextlib.suppress(OSError):
            super().finish()

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet: what happened is in ``requests``."""

    def do_GET(self) -> None:
        size = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(size)
        if len(body) < size:  # the client was killed while it sent
            self.close_connection = True
            return
        raw = Incoming(self.command, self.path, self.headers, body)
        actions = self._listener.faults.striking(self.command, self.path)
        try:
            answer = self._answer(actions, raw)
        except _Dropped:
            self._record(raw, 0)
            self.close_connection = True
            return
        self._record(raw, answer.status)
        self._send(answer, next((action.share for action in actions if isinstance(action, Cut)), 1.0))

    do_POST = do_PATCH = do_DELETE = do_GET

    def _answer(self, actions: list[Action], raw: Incoming) -> Answer:
        """Orders that come before, the honest answer or its stand-in, orders that come after."""
        for action in actions:
            if isinstance(action, Before):
                action.call()
            elif isinstance(action, Delay) and self._listener.stopping.wait(action.seconds):
                raise _Dropped
        if Drop(done=False) in actions:
            raise _Dropped
        stand_in = next((action.answer for action in actions if isinstance(action, Reply)), None)
        answer = stand_in or self._honest(raw)
        for action in actions:
            if isinstance(action, After):
                action.call()
        if Drop(done=True) in actions:
            raise _Dropped
        return answer

    def _honest(self, raw: Incoming) -> Answer:
        """A mistake of the fake is a 500, as one of Paperless is, and shows on stderr."""
        try:
            return self._listener.application.answer(raw)
        except Exception:
            traceback.print_exc()
            return html(500, "<h1>Server Error (500)</h1>")

    def _record(self, raw: Incoming, status: int) -> None:
        """JSON where it is JSON; any other body as a string, so that a test can look inside."""
        body: Any = raw.body.decode(errors="replace") or None
        with contextlib.suppress(ValueError):
            body = json.loads(raw.body)
        user = self._listener.application.tokens.get(raw.token)
        name = user.username if user else ""
        path = raw.target.partition("?")[0]
        self._listener.requests.append(Recorded(raw.method, path, raw.query, body, status, name))

    def _send(self, answer: Answer, share: float) -> None:
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.content_type)
        self.send_header("Content-Length", str(len(answer.body)))
        for name, value in answer.headers:
            self.send_header(name, value)
        self.close_connection = self.close_connection or share < 1
        self.end_headers()
        self.wfile.write(answer.body[: int(len(answer.body) * share)])
        self.wfile.flush()
