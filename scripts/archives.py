"""An index of some documents, in a directory that is gone at the end."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from dedupe_core.model import Document
from dedupe_core.policy import DEFAULT as POLICY
from dedupe_core.recipe import DEFAULT as RECIPE
from hook.examination.archive import Archive


@contextmanager
def stored(documents: Iterable[Document] = ()) -> Iterator[Archive]:
    with (
        tempfile.TemporaryDirectory() as place,
        Archive.open(Path(place) / "index", RECIPE, POLICY) as archive,
    ):
        with archive.batch():
            for document in documents:
                archive.remember(archive.fingerprint(document))
        yield archive
