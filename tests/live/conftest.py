"""The scenarios run on the fake by default, and with `pytest -m live` on the Paperless that is named by

PAPERLESS_URL, PAPERLESS_API_TOKEN   a server for tests: documents are uploaded and moved to the trash
LIVE_INDEX_DIR                       the index of the hook, if that server runs it (and is on this machine)
LIVE_HOOK=server                     that server has scripts/post-consume.sh as its post-consume script
LIVE_HOOK=forward                    it has scripts/forward.sh, as test_service_live.py says
LIVE_HOOK=none                       it has none, and is to tell the service by webhooks
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes import FakePaperless
from tests.live.servers import Server, token_file
from tests.live.texts import Texts


@pytest.fixture(params=["fake-2", "fake-3", pytest.param("real", marks=pytest.mark.live)])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    if request.param == "real":
        yield from real_server(tmp_path)
    else:
        yield from fake_server({"fake-2": "2.20.15", "fake-3": "3.0.5"}[request.param], tmp_path)


@pytest.fixture
def real(tmp_path: Path) -> Iterator[Server]:
    """For what only a real one can show."""
    yield from real_server(tmp_path)


@pytest.fixture
def texts(server: Server) -> Texts:
    return Texts(4711 if server.is_fake else secrets.randbelow(10**6))


def fake_server(version: str, place: Path, *, has_hook: bool = True) -> Iterator[Server]:
    with FakePaperless(version, task_delay_s=0.01) as fake:
        token = token_file(place, fake.token)
        server = Server(fake.url, token, place / "index", runs_hook=True, is_fake=True)
        if has_hook:
            fake.options.on_consumed = lambda _, given: server.hook({**server.environ(), **given})
        yield server
        server.close()


def real_server(place: Path) -> Iterator[Server]:
    if not all(os.environ.get(name) for name in ("PAPERLESS_URL", "PAPERLESS_API_TOKEN")):
        pytest.skip("PAPERLESS_URL and PAPERLESS_API_TOKEN name no server")
    url, token = os.environ["PAPERLESS_URL"], token_file(place, os.environ["PAPERLESS_API_TOKEN"])
    runs_hook = bool(os.environ.get("LIVE_HOOK"))  # or that of the service
    index_dir = Path(os.environ.get("LIVE_INDEX_DIR") or place / "index")
    server = Server(url.rstrip("/"), token, index_dir, runs_hook=runs_hook)
    server.run("adopt")  # that server remembers the index of the last test
    yield server
    server.close()
