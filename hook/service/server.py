"""The HTTP server of the service (uvicorn): where it may listen, how long it waits, how it stops."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import signal
import socket
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import Final, TypeGuard

from starlette.types import ASGIApp
from uvicorn import Config, Server
from uvicorn.protocols.http.h11_impl import H11Protocol

from hook.errors import SettingsError
from hook.settings.model import Settings

HEAD_S: Final = 5.0  # for the first line and the headers
MAX_CONNECTIONS: Final = 100
IDLE_PER_PEER: Final = 32  # connections of one address that have not asked for anything yet
BACKLOG: Final = 1024  # connections that the system holds until we accept them
MAX_HEAD_BYTES: Final = 16_384
FINISH_S: Final = 3  # for responses in progress when the service is stopped
_TOO_SLOW: Final = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


def require_secret(settings: Settings) -> None:
    """Anyone who can reach a service without a secret could keep it, and Paperless, busy."""
    if settings.secret is None and not is_loopback(settings.serve_host):
        raise SettingsError(
            f"DEDUPE_SERVE_HOST is {settings.serve_host}, which other hosts can reach, but there is no secret: "
            "set DEDUPE_SECRET (`openssl rand -hex 24`) here and when you run `setup --webhooks`"
        )


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"  # any other name may resolve to another address tomorrow


def listening_socket(settings: Settings) -> socket.socket:
    """Opened first: if the port is taken, nothing else has started."""
    host, port = settings.serve_host, settings.serve_port
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0][0]
        is_both = family is socket.AF_INET6 and socket.has_dualstack_ipv6()  # `::` takes IPv4, too
        return socket.create_server((host, port), family=family, backlog=BACKLOG, dualstack_ipv6=is_both)
    except OSError as error:
        why = str(error.strerror).partition(" (")[0]
        raise SettingsError(
            f"the service cannot listen on {host}, port {port} ({why}): is it running already? "
            "If not, change DEDUPE_SERVE_HOST or DEDUPE_SERVE_PORT"
        ) from error


class HeadTimeoutProtocol(H11Protocol):
    """Limits the time for the head of a request, and the connections that ask for nothing; uvicorn has no limit.

    Whoever asks is always answered: for a new connection, the oldest one that is idle has to go.
    """

    _timer: asyncio.TimerHandle | None = None
    _began_s: float = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as its base
        super().connection_made(transport)
        self._began_s = self.loop.time()
        self._timer = self.loop.call_later(HEAD_S, self._time_out)
        idle = [other for other in self.connections if _is_idle(other)]
        of_peer = [other for other in idle if _peer(other) == _peer(self)]
        for some, limit in ((of_peer, IDLE_PER_PEER), (idle, MAX_CONNECTIONS)):
            if len(some) > limit:
                min(some, key=lambda other: other._began_s).transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        super().connection_lost(exc)

    def _time_out(self) -> None:
        if self.cycle is None and not self.transport.is_closing():
            self.transport.write(_TOO_SLOW)
            self.transport.close()


def _is_idle(connection: object) -> TypeGuard[HeadTimeoutProtocol]:
    """Connected, and no request has come yet."""
    return (
        isinstance(connection, HeadTimeoutProtocol)
        and connection.cycle is None
        and not connection.transport.is_closing()
    )


def _peer(connection: HeadTimeoutProtocol) -> str:
    return connection.client[0] if connection.client else ""


class HttpServer(Server):
    """On SIGTERM and SIGINT, calls `on_stop`, finishes the responses in progress and returns; uvicorn would raise
    the signal again."""

    def __init__(self, application: ASGIApp, on_stop: Callable[[], None], trusted_proxies: str) -> None:
        self._on_stop = on_stop
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # a line for each malformed request
        super().__init__(
            Config(
                application,
                http=HeadTimeoutProtocol,
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=bool(trusted_proxies),  # uvicorn trusts every program on this machine
                forwarded_allow_ips=trusted_proxies,
                h11_max_incomplete_event_size=MAX_HEAD_BYTES,
                timeout_graceful_shutdown=FINISH_S,
            )
        )

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        before = {number: signal.signal(number, self._stop) for number in (signal.SIGTERM, signal.SIGINT)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self.should_exit = True
        self._on_stop()
