"""The real service as a process beside a Paperless: started, told of documents, stopped, killed."""

from __future__ import annotations

import http.client
import os
import random
import re
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from hook.queue import Queue
from hook.service.metrics import Metrics
from tests.fakes import FakePaperless
from tests.forked import Forked, fork_server

ROOT = Path(__file__).parents[2]
SECRET = "a-secret-that-nobody-knows"
PATIENCE_S = 300.0


def free_port() -> int:
    """Below those that the system gives to whoever asks for any: none of the tests beside this one gets it meanwhile."""
    while True:
        port = random.SystemRandom().randrange(16_000, 32_000)
        with socket.socket() as taken, suppress(OSError):
            taken.bind(("127.0.0.1", port))
            return port


@dataclass(kw_only=True)
class Service:
    """A service that may be up or down; its log is kept. `paperless`: the variables that lead to it."""

    place: Path
    paperless: dict[str, str]
    port: int = field(default_factory=free_port)
    options: dict[str, str] = field(default_factory=dict)
    words: tuple[str, ...] = ()  # after "serve"
    process: Forked | None = None

    @property
    def index_dir(self) -> Path:
        return self.place / "index"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> str:
        return (self.place / "service.log").read_text()

    def environ(self) -> dict[str, str]:
        return {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(self.place),
            **self.paperless,
            "DEDUPE_INDEX_DIR": str(self.index_dir),
            "DEDUPE_SECRET": SECRET,
            "DEDUPE_SERVE_PORT": str(self.port),
            "DEDUPE_SWEEP_MINUTES": "0",
            **self.options,
        }

    def start(self) -> None:
        with (self.place / "service.log").open("ab") as log:
            self.process = fork_server().start(["serve", *self.words], self.environ(), out=log, err=log)
        until(self.is_up)

    def is_up(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, self.log
        try:
            return self.ask("GET", "/healthz")[0] == 200
        except OSError:
            return False

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """As `docker stop` does it; the exit code."""
        assert self.process is not None
        self.process.terminate()
        return self.process.wait(PATIENCE_S)

    def ask(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def post(self, document_id: int) -> int:
        """As a webhook of Paperless does it; the status."""
        body = f'{{"doc_url": "http://paperless/documents/{document_id}/"}}'.encode()
        headers = {"Content-Type": "application/json", "X-Dedupe-Secret": SECRET}
        return self.ask("POST", "/events", body, headers)[0]

    def figure(self, series: str) -> int:
        _, text = self.ask("GET", "/metrics", headers={"X-Dedupe-Secret": SECRET})
        found = re.search(rf"^{re.escape(series)} (\S+)$", text, re.MULTILINE)
        return int(float(found[1])) if found else 0

    @property
    def waiting(self) -> list[int]:
        return sorted(Queue(self.index_dir).numbers())

    def settle(self) -> None:
        """Until everything is worked off that was told until now; however long, if only there is progress."""
        while before := self.waiting:
            until(lambda before=before: self.waiting != before)  # type: ignore[misc]  # mypy knows no default


@dataclass(kw_only=True)
class BesideFake(Service):
    fake: FakePaperless


def counted(metrics: Metrics, name: str, **labels: str) -> int:
    return int(metrics.registry.get_sample_value(name, labels) or 0)


def until(fact: Callable[[], bool], patience_s: float = PATIENCE_S) -> None:
    ends_s = time.monotonic() + patience_s
    while not fact():
        assert time.monotonic() < ends_s, "it did not come to that in time"
        time.sleep(0.02)


@contextmanager
def service(fake: FakePaperless, place: Path, *, start: bool = True, **options: str) -> Iterator[BesideFake]:
    place.mkdir(exist_ok=True)
    paperless = {"DEDUPE_URL": fake.url, "DEDUPE_TOKEN": fake.token}
    made = BesideFake(fake=fake, place=place, paperless=paperless, options=options)
    try:
        if start:
            made.start()
        yield made
    finally:
        if made.process is not None and made.process.poll() is None:
            made.kill()
