"""Wires to a Paperless on a time of their own, so that waiting takes none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import httpx
import pytest
from pydantic import SecretStr

from hook.deadline import Deadline
from hook.paperless.http import ApiTransport
from tests.fakes.paperless import DEFAULT_TOKEN

Respond = Callable[[httpx.Request], httpx.Response]


class Ticker:
    """A clock that moves when someone sleeps."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def ticker() -> Ticker:
    return Ticker()


class Answering(httpx.BaseTransport):
    """A function in place of the network; its answers are read as they come, as those of a socket."""

    def __init__(self, respond: Respond) -> None:
        self._respond = respond

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        answer = self._respond(request)
        return httpx.Response(
            answer.status_code, headers=answer.headers, stream=httpx.ByteStream(answer.content)
        )


class Wires:
    """Makes wires on the ticker's time, to a real socket or to a function."""

    def __init__(self, ticker: Ticker, stack: ExitStack) -> None:
        self._ticker, self._stack = ticker, stack

    def __call__(
        self, url: str, *, respond: Respond | None = None, seconds: float = 1000.0, timeout_s: float = 5.0
    ) -> ApiTransport:
        wire = ApiTransport(
            url,
            SecretStr(DEFAULT_TOKEN),
            deadline=Deadline(self._ticker.clock, seconds),
            timeout_s=timeout_s,
            sleep=self._ticker.sleep,
            random=lambda: 1.0,
            transport=Answering(respond) if respond else None,
        )
        self._stack.callback(wire.close)
        return wire


@pytest.fixture
def wire_to(ticker: Ticker) -> Iterator[Wires]:
    with ExitStack() as stack:
        yield Wires(ticker, stack)
