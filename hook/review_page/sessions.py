"""Who is logged in: tokens of Paperless users, held in memory behind a random cookie; and how often one may try.

Nothing of it is on disk: after a restart, people log in again.
"""

from __future__ import annotations

import hmac
import secrets
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from hook.errors import AccessError, DedupeError, PaperlessError, RefusedError, RightsError, ThrottledError
from hook.language.translate import Translate
from hook.paperless.client import Paperless, obtain_token
from hook.paperless.client import connect as connect_to_paperless
from hook.review_page.exchange import LONGEST_FIELD, Question
from hook.settings.model import Settings

IDLE_S: Final = 2 * 3600.0
LONGEST_S: Final = 12 * 3600.0
MOST_SESSIONS: Final = 100  # the one that was idle longest is ended
ATTEMPTS: Final = 5  # a minute and address, as Paperless 3 itself allows
ATTEMPTS_OF_ALL: Final = 30
WINDOW_S: Final = 60.0
UNDOABLE: Final = 50  # decisions that can be undone one after the other


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision made on the page: which tags were set on which documents, and the pairs that it is about."""

    tags: tuple[int, ...]
    subjects: tuple[int, ...]
    pairs: tuple[tuple[int, int], ...]
    words: str


@dataclass
class PageSession:
    """One person in one browser."""

    client: Paperless = field(repr=False)
    username: str
    csrf: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    undoable: deque[Decided] = field(default_factory=lambda: deque(maxlen=UNDOABLE))
    message: str = ""  # for the next page
    may_change: bool = True  # documents at all, as far as Paperless says so
    began_s: float = 0.0
    seen_s: float = 0.0

    def is_csrf(self, given: str) -> bool:
        return hmac.compare_digest(given.encode("utf-8", "replace"), self.csrf.encode("ascii"))


class Sessions:
    """May be used from any thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._entries: OrderedDict[str, PageSession] = OrderedDict()  # the one seen last is last

    def begin(self, session: PageSession) -> str:
        """The value of the cookie."""
        cookie, now_s = secrets.token_urlsafe(32), self._clock()
        with self._lock:
            self._end_old(now_s)
            while len(self._entries) >= MOST_SESSIONS:
                self._entries.popitem(last=False)[1].client.close()
            session.began_s = session.seen_s = now_s
            self._entries[cookie] = session
        return cookie

    def get(self, cookie: str) -> PageSession | None:
        now_s = self._clock()
        with self._lock:
            self._end_old(now_s)
            session = self._entries.get(cookie)
            if session is not None:
                session.seen_s = now_s
                self._entries.move_to_end(cookie)
            return session

    def end(self, cookie: str) -> None:
        with self._lock:
            session = self._entries.pop(cookie, None)
        if session is not None:
            session.client.close()

    def _end_old(self, now_s: float) -> None:
        over = [
            cookie
            for cookie, session in self._entries.items()
            if now_s - session.seen_s > IDLE_S or now_s - session.began_s > LONGEST_S
        ]
        for cookie in over:
            self._entries.pop(cookie).client.close()


class Attempts:
    """How often one may try to log in, by address and in all; counts each attempt, right or wrong."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._recent: deque[tuple[float, str]] = deque()

    def wait_s(self, address: str) -> int:
        """0 if another attempt is allowed, which is counted; else how long to wait."""
        now_s = self._clock()
        with self._lock:
            while self._recent and now_s - self._recent[0][0] >= WINDOW_S:
                self._recent.popleft()
            own = [at_s for at_s, who in self._recent if who == address]
            if len(own) >= ATTEMPTS or len(self._recent) >= ATTEMPTS_OF_ALL:
                first_s = own[0] if len(own) >= ATTEMPTS else self._recent[0][0]
                return max(1, int(first_s + WINDOW_S - now_s) + 1)
            self._recent.append((now_s, address))
            return 0


# Log-in


class NoEntryError(DedupeError):
    """The person could not be logged in; the message says why, and contains nothing that was typed."""

    exit_code = 5

    def __init__(self, text: str, status: int, wait_s: int = 0) -> None:
        super().__init__(text)
        self.status, self.wait_s = status, wait_s


def enter(settings: Settings, question: Question, attempts: Attempts, say: Translate) -> PageSession:
    """Raises NoEntryError."""
    typed = {name: question.field(name).strip() for name in ("username", "code", "token")}
    typed["password"] = question.field("password")  # it may begin or end with a space
    if any(len(value) > LONGEST_FIELD for value in typed.values()):
        raise NoEntryError(say("This is too long."), 400)
    if wait_s := attempts.wait_s(question.address):
        raise NoEntryError(say("Too many attempts: try again in {n} seconds.", n=wait_s), 429, wait_s)
    if not typed["token"] and not (typed["username"] and typed["password"]):
        raise NoEntryError(say("User name or password is missing."), 400)
    try:
        return _log_in(settings, **typed)
    except (RefusedError, AccessError) as error:
        words = say("User name, password or token is wrong.")
        if "MFA code" in str(error):
            words = say("Paperless asks for the code of your second factor.")
        elif isinstance(error, RightsError):
            words = say("Your user may not see documents.")
        raise NoEntryError(words, 403) from error
    except ThrottledError as error:
        raise NoEntryError(say("Too many requests to Paperless: try again in a minute."), 429, 60) from error
    except PaperlessError as error:
        raise NoEntryError(say("Paperless does not answer: {why}", why=error), 502) from error


def _log_in(settings: Settings, username: str, password: str, code: str, token: str) -> PageSession:
    token = token or obtain_token(settings, username, password, code)
    client = connect_to_paperless(settings.with_token(token))
    try:
        client.document_ids(id=0)
        try:
            info = client.server_info()
        except RightsError:  # not every user may see the settings of the page
            return PageSession(client, username)
    except BaseException:
        client.close()
        raise
    may_change = info.is_superuser or "change_document" in info.permissions
    return PageSession(client, info.username or username, may_change=may_change)
