"""Looks at two documents of Paperless: fetches both files with the rights of whoever asks, and compares the places asked for."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from dedupe_core.compare.spans import Span
from hook.ink.files import PageFiles
from hook.ink.look import Look, look
from hook.ink.pages.paper import Paper
from hook.ink.second_reading import second_reading
from hook.paperless.client import Paperless

DIRECTORY: Final = "ink"  # below the directory of the index
AT_ONCE: Final = 2  # pairs in one process: each may take 1 GiB for each of its files


class Side(NamedTuple):
    """A document, and the words of its text in their order."""

    document: int
    words: Sequence[str]


class Looked(NamedTuple):
    """What was seen, and the papers for who wants crops; they are closed when the caller is done."""

    looks: list[Look]
    left: Paper
    right: Paper


class Inspector:
    """May be shared between threads."""

    def __init__(self, index_dir: Path) -> None:
        self._files = PageFiles(index_dir / DIRECTORY)
        self._turn = threading.BoundedSemaphore(AT_ONCE)

    @contextmanager
    def opened(self, client: Paperless, document: int) -> Iterator[Paper]:
        """One document, to be shown. Raises as `looking` does."""
        data = self._files.get(client, document)
        with self._turn, Paper(data) as paper:
            yield paper

    @contextmanager
    def looking(self, client: Paperless, left: Side, right: Side, spans: Sequence[Span]) -> Iterator[Looked]:
        """Raises CannotLook if nothing can be said, and what the client raises if Paperless does not answer."""
        files = [self._files.get(client, side.document) for side in (left, right)]
        with self._turn, Paper(files[0]) as here, Paper(files[1]) as there:
            looks = look(left.words, right.words, spans, here, there, second_reading())
            yield Looked(looks, here, there)
