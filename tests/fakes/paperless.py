"""The fake Paperless as tests start it: sockets, users and tokens, background tasks, faults."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from types import TracebackType
from typing import Self

from .application import Application
from .faults import Faults
from .person import Person
from .rows.models import ALL_PERMISSIONS, User
from .rows.state import Clock, State, wall_clock
from .server import Listener, Recorded
from .worker import Worker

DEFAULT_TOKEN = "0123456789abcdef0123456789abcdef01234567"
FIRST_USER_ID = 2  # 1 is the anonymous user of a real installation


class FakePaperless(Person):
    """A Paperless on a loopback port, empty but for one superuser ``admin``.

    ``version`` is what it claims to be; 2.x has no file versions. Background tasks wait for ``run_tasks()``
    unless ``task_delay_s`` starts a worker thread. Everything may be called from any thread.
    """

    def __init__(
        self,
        version: str = "3.0.5",
        *,
        port: int = 0,
        token: str = DEFAULT_TOKEN,
        task_delay_s: float | None = None,
        clock: Clock = wall_clock,
    ) -> None:
        super().__init__(State(version, clock))
        self.options = self.state.options
        self.faults = Faults()
        self.token = token
        self._application = Application(self.state)
        self._listener = Listener(self._application, self.faults, port)
        self._worker = Worker(self.state.lock, task_delay_s)
        self.state.enqueue, self.state.enqueue_outside = self._worker.add, self._worker.add_outside
        self.state.reserve_ids("users", FIRST_USER_ID - 1)
        self.add_user("admin", superuser=True, token=token)

    # life

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self.close()

    def start(self) -> None:
        self._listener.start()

    def close(self) -> None:
        self._listener.close()
        self._worker.close()

    def down(self) -> None:
        """Refuse connections; the port stays ours."""
        self._listener.stop(keep_port=True)

    def up(self) -> None:
        self._listener.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listener.port}"

    # what was asked of it

    @property
    def connections(self) -> int:
        """Open ones: with none, no request of a killed program is being answered any more."""
        return self._listener.open_connections

    @property
    def requests(self) -> list[Recorded]:
        return self._listener.requests

    @property
    def writes(self) -> list[Recorded]:
        return [seen for seen in self.requests if seen.method not in ("GET", "HEAD", "OPTIONS")]

    def forget_requests(self) -> None:
        self._listener.requests.clear()

    # background tasks

    def run_tasks(self) -> int:
        """Do what waits: ``modified`` of bulk edits moves, webhooks are sent, uploads are consumed."""
        return self._worker.run_all()

    def wait_idle(self, timeout_s: float = 5.0) -> bool:
        return self._worker.wait_idle(timeout_s)

    # users

    def add_user(
        self,
        name: str,
        *,
        superuser: bool = False,
        permissions: Iterable[str] | None = None,
        token: str | None = None,
        password: str | None = None,
    ) -> str:
        """Returns the token. Without ``permissions`` the user's role may do everything to what he can see."""
        token = token or hashlib.sha1(name.encode()).hexdigest()
        with self.state.lock:
            granted = ALL_PERMISSIONS if permissions is None else frozenset(permissions)
            user = User(self.state.next_id("users"), name, token, password or name, superuser, granted)
            self.state.users[user.id] = user
            self._application.tokens[token] = user
        return token

    def revoke_token(self, token: str | None = None) -> None:
        """From now on this token is a 401."""
        with self.state.lock:
            self._application.tokens.pop(token or self.token).token = ""

    def grant_token(self, name: str, token: str) -> None:
        with self.state.lock:
            user = self._user(name)
            user.token = token
            self._application.tokens[token] = user
