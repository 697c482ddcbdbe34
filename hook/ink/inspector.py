"""Looks at two documents of Paperless: fetches both files with the rights of whoever asks, and compares the places asked for.

Files are kept in memory alone, and for one look: who may not see a document gets nothing of it.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from typing import Final, NamedTuple

from dedupe_core.compare.spans import Span
from hook.errors import PaperlessError, TemporaryError
from hook.ink.look import Look, look
from hook.ink.pages import limits
from hook.ink.pages.paper import CannotLook, Paper, Reason
from hook.ink.second_reading import second_reading
from hook.paperless.client import Paperless

MOST_PLACES: Final = 24  # of a pair that are looked at
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

    def __init__(self) -> None:
        self._turn = threading.BoundedSemaphore(AT_ONCE)

    @contextmanager
    def opened(self, client: Paperless, document: int) -> Iterator[Paper]:
        """One document, to be shown. Raises as `looking` does."""
        data = _file(client, document)
        with self._turn, Paper(data) as paper:
            yield paper

    @contextmanager
    def looking(self, client: Paperless, left: Side, right: Side, spans: Sequence[Span]) -> Iterator[Looked]:
        """Raises CannotLook if nothing can be said, and what the client raises if Paperless does not answer."""
        files = [_file(client, side.document) for side in (left, right)]
        with self._turn, Paper(files[0]) as here, Paper(files[1]) as there:
            looks = look(left.words, right.words, spans[:MOST_PLACES], here, there, second_reading())
            yield Looked(looks, here, there)


def _file(client: Paperless, document: int) -> bytes:
    """The archive version, which has the text layer of a scan; the original where there is none."""
    file = BytesIO()
    try:
        client.download(document, file, limit_bytes=limits.FILE_BYTES)
    except TemporaryError:
        raise
    except PaperlessError as error:
        raise CannotLook(Reason.NOT_FETCHED) from error
    return file.getvalue()
