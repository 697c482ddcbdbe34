"""What the benchmarks measure against still starts: none of them runs in the suite."""

from __future__ import annotations

from pathlib import Path

from pydantic import SecretStr

from hook.paperless.client import Paperless
from hook.paperless.http import ApiTransport
from scripts.benchmarks.processes import TOKEN, archive_of, stand_in


def test_the_stand_in_has_the_documents(tmp_path: Path) -> None:
    with stand_in(archive_of(3, tmp_path)) as url, Paperless(ApiTransport(url, SecretStr(TOKEN))) as client:
        assert client.document_ids() == [1, 2, 3]
