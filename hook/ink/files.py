"""The files of documents, fetched with the rights of whoever asks, and kept in a bounded private directory.

A file that is kept is handed out only after Paperless has told the same asker its checksum: who may not see a document
gets neither the file nor the news that it is kept.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from tempfile import mkstemp
from typing import Final

from hook.errors import PaperlessError, TemporaryError
from hook.ink.pages import limits
from hook.ink.pages.paper import CannotLook, Reason
from hook.paperless.client import Paperless
from hook.private_files import give_to_owner

KEPT_BYTES: Final = 256 << 20
_CHECKSUM: Final = re.compile(r"[0-9a-f]{32}|[0-9a-f]{64}")


class PageFiles:
    """May be used from several threads and processes: files are written aside and renamed."""

    def __init__(self, directory: Path, *, kept_bytes: int = KEPT_BYTES) -> None:
        self._directory, self._kept_bytes = directory, kept_bytes

    def get(self, client: Paperless, document: int) -> bytes:
        """The archive version, which has the text layer of a scan; the original where there is none."""
        try:
            known = self._directory / f"{document}-{_checksum(client, document)}"
            data = self._kept(known)
            if data is None:
                file = BytesIO()
                client.download(document, file, limit_bytes=limits.FILE_BYTES)
                data = file.getvalue()
                self._keep(known, data)
        except TemporaryError:
            raise
        except PaperlessError as error:
            raise CannotLook(Reason.NOT_FETCHED) from error
        return data

    def _kept(self, path: Path) -> bytes | None:
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
        except OSError:
            return None
        with os.fdopen(descriptor, "rb") as file:
            data = file.read(limits.FILE_BYTES + 1)
        with suppress(OSError):
            os.utime(path)  # the files that were not asked for longest go first
        return data

    def _keep(self, path: Path, data: bytes) -> None:
        """A full disk, or a directory that cannot be written, costs the next download and nothing else."""
        with suppress(OSError):
            self._directory.mkdir(mode=0o700, exist_ok=True)
            give_to_owner(self._directory, self._directory.parent)
            self._make_room(len(data))
            descriptor, aside = mkstemp("", f"{path.name}.", self._directory)  # new, for this user only
            with os.fdopen(descriptor, "wb") as file:
                give_to_owner(descriptor, self._directory)
                file.write(data)
            Path(aside).rename(path)

    def _make_room(self, size_bytes: int) -> None:
        found = sorted((one.stat().st_mtime, one.stat().st_size, one) for one in self._directory.iterdir())
        total = sum(size for _, size, _ in found) + size_bytes
        for _, size, one in found:
            if total <= self._kept_bytes:
                return
            one.unlink(missing_ok=True)
            total -= size


def _checksum(client: Paperless, document: int) -> str:
    """Of the file that would be downloaded; it changes with each version of the file."""
    known = client.metadata(document)
    found = (known.archive_checksum or known.original_checksum).lower()
    if not _CHECKSUM.fullmatch(found):
        raise CannotLook(Reason.NOT_FETCHED)
    return found
