"""What the tests of the review page share: an archive with findings, the service with the page, a browser without JavaScript."""

from __future__ import annotations

import http.client
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

from tests.e2e.archive_kit import Desk
from tests.e2e.serve_kit import BesideFake, Service, service
from tests.fakes import FakePaperless
from tests.live.texts import Texts

FORM = "application/x-www-form-urlencoded"


@dataclass(frozen=True)
class Archive:
    """The documents with the findings: `rescan` of `letter`, `copy` with the same text as `original`."""

    letter: int
    rescan: int
    original: int
    copy: int

    @property
    def keys(self) -> list[str]:
        """Of the cards, the surest first."""
        return [self.identical, self.scanned]

    @property
    def identical(self) -> str:
        return f"{self.copy}:{self.original}"

    @property
    def scanned(self) -> str:
        return f"{self.rescan}:{self.letter}"


def fill(fake: FakePaperless, *, owner: str | None = None, seed: int = 7) -> Archive:
    texts = Texts(seed)
    letter, notice = texts.letter(), texts.letter()
    first = fake.add_document(
        letter, "Letter", owner=owner, correspondent="Water Board", added="2025-01-01T10:00:00"
    )
    original = fake.add_document(notice, "Notice", owner=owner, added="2025-01-02T10:00:00", page_count=2)
    fake.add_document(texts.letter(), "Another letter", owner=owner, added="2025-01-03T10:00:00")
    rescan = fake.add_document(
        texts.scanned_again(letter), "Scan", owner=owner, added="2025-02-01T10:00:00", tags=["inbox"]
    )
    copy = fake.add_document(notice, "Notice again", owner=owner, added="2025-02-02T10:00:00")
    return Archive(first, rescan, original, copy)


def examined(fake: FakePaperless, place: Path, **options: str) -> None:
    """As a first `setup` and `backfill` leave it."""
    desk = Desk(fake, place)
    desk.run("setup", code=0, **options)
    desk.run("backfill", "--quiet", code=0, **options)
    fake.run_tasks()


@contextmanager
def served(fake: FakePaperless, place: Path, **options: str) -> Iterator[BesideFake]:
    with service(fake, place, start=True, DEDUPE_REVIEW="true", **options) as started:
        yield started


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode("utf-8")

    @property
    def cards(self) -> list[str]:
        return re.findall(r'data-key="([^"]+)"', self.text)


@dataclass
class Plain:
    """A browser without JavaScript: keeps the cookie, sends Host and Origin."""

    port: int
    host: str = ""
    cookie: str = ""
    csrf: str = ""
    patience_s: float = 60.0
    more: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.host = self.host or f"127.0.0.1:{self.port}"

    def ask(self, method: str, path: str, body: str | None = None, **headers: str) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=self.patience_s)
        sent = {"Host": self.host, **self.more}
        if self.cookie:
            sent["Cookie"] = self.cookie
        if body is not None:
            sent |= {"Content-Type": FORM, "Origin": f"http://{self.host}"}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            with suppress(BrokenPipeError, ConnectionResetError):  # refused before all of it was sent
                connection.request(method, f"/review{path}", body, {k: v for k, v in sent.items() if v})
            got = connection.getresponse()
            answer = Answer(got.status, {k.lower(): v for k, v in got.getheaders()}, got.read())
        finally:
            connection.close()
        if "set-cookie" in answer.headers:
            self.cookie = answer.headers["set-cookie"].partition(";")[0]
        if found := re.search(r'data-csrf="([^"]+)"', answer.body.decode("utf-8", "replace")):
            self.csrf = found[1]
        return answer

    def get(self, path: str = "/") -> Answer:
        return self.ask("GET", path)

    def post(self, path: str, fields: Mapping[str, str | list[str]], **headers: str) -> Answer:
        return self.ask("POST", path, urlencode({"csrf": self.csrf, **fields}, doseq=True), **headers)

    def log_in(self, username: str = "admin", password: str = "") -> Answer:
        return self.post("/login", {"username": username, "password": password or username})

    def enter(self, username: str = "admin") -> Answer:
        """Logged in, with the list."""
        assert self.log_in(username).status == 303
        return self.get()

    def decide(self, action: str, *keys: str, **headers: str) -> Answer:
        return self.post("/decide", {"action": action, "key": list(keys)}, **headers)


def logged_in(at: Service, user: str = "admin") -> Plain:
    person = Plain(at.port)
    person.enter(user)
    return person


def by_token(at: BesideFake) -> Plain:
    """Passwords are tried a limited number of times."""
    person = Plain(at.port)
    assert person.post("/login", {"token": at.fake.token}).status == 303
    person.get()
    return person


@contextmanager
def entered(
    fake: FakePaperless, place: Path, *, user: str = "admin", **options: str
) -> Iterator[tuple[BesideFake, Plain]]:
    """The service, and somebody who is logged in."""
    with served(fake, place, **options) as at:
        person = logged_in(at, user)
        fake.forget_requests()
        yield at, person
