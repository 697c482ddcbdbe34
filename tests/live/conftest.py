"""With `pytest -m live`, on the Paperless that is named by

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

from tests.live.servers import Server, token_file
from tests.live.texts import Texts


@pytest.fixture
def real(tmp_path: Path) -> Iterator[Server]:
    yield from real_server(tmp_path)


@pytest.fixture
def texts() -> Texts:
    """A real server keeps what earlier runs have left."""
    return Texts(secrets.randbelow(10**6))


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
