"""Trouble on order: what happens instead of, before or after the honest answer."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from .web import HTML, JSON, LOGIN_HTML, Answer


@dataclass(frozen=True, slots=True)
class Reply:
    """Answer this, without doing what was asked."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class Cut:
    """Do it, send the headers and this share of the body, then close the connection."""

    share: float = 0.5


@dataclass(frozen=True, slots=True)
class Drop:
    """Close the connection without an answer; ``done`` says whether the request was carried out first."""

    done: bool = False


@dataclass(frozen=True, slots=True)
class Delay:
    """Wait, then answer honestly."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Before:
    """Call something first: the moment at which another person or process acts."""

    call: Callable[[], object]


@dataclass(frozen=True, slots=True)
class After:
    """Call something when it is done, before the answer is sent."""

    call: Callable[[], object]


Action = Reply | Cut | Drop | Delay | Before | After


def reply(status: int, body: str = "", content_type: str = HTML) -> Reply:
    return Reply(Answer(status, body.encode(), content_type))


LOGIN_PAGE = reply(200, LOGIN_HTML)
BAD_GATEWAY = reply(502, "<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>")
UNAVAILABLE = reply(503, "<html><body><h1>503 Service Unavailable</h1></body></html>")
SERVER_ERROR = reply(500, "<h1>Server Error (500)</h1>")
UNAUTHORIZED = reply(401, '{"detail": "Invalid token."}', JSON)
FORBIDDEN = reply(403, '{"detail": "You do not have permission to perform this action."}', JSON)
NOTE_NOT_SAVED = reply(200, '{"error": "Error saving note, check logs for more detail."}', JSON)
_THROTTLED = reply(429, '{"detail": "Request was throttled."}', JSON).answer
TOO_MANY = Reply(replace(_THROTTLED, headers=(("Retry-After", "1"),)))


@dataclass(slots=True)
class Fault:
    """One order: which requests, what happens, how many are spared first, and how often (None: always)."""

    method: str
    path: re.Pattern[str]
    action: Action
    times: int | None
    skip: int
    hits: int = 0

    def takes(self, method: str, path: str) -> bool:
        """True if it strikes here, which is counted."""
        if self.method not in ("*", method) or not self.path.search(path):
            return False
        if self.skip > 0:
            self.skip -= 1
            return False
        if self.times is not None and self.hits >= self.times:
            return False
        self.hits += 1
        return True


@dataclass(slots=True)
class Faults:
    """The orders in force. ``Before``, ``After`` and ``Delay`` add up; else the oldest goes first."""

    _faults: list[Fault] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(
        self, method: str, path_regex: str, action: Action, times: int | None = 1, skip: int = 0
    ) -> Fault:
        """``method`` may be ``*``; the regex is searched in path and query."""
        fault = Fault(method.upper(), re.compile(path_regex), action, times, skip)
        with self._lock:
            self._faults.append(fault)
        return fault

    def clear(self) -> None:
        with self._lock:
            self._faults.clear()

    def striking(self, method: str, path: str) -> list[Action]:
        chosen: list[Action] = []
        with self._lock:
            for fault in self._faults:
                settled = any(isinstance(action, Reply | Cut | Drop) for action in chosen)
                if not (settled and isinstance(fault.action, Reply | Cut | Drop)):
                    chosen += [fault.action] if fault.takes(method, path) else []
        return chosen
