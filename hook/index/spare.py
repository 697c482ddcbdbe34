"""A copy of the index to try things on: what happens to it leaves no trace."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from hook.errors import index_fault
from hook.index.disk import DATABASE


@contextmanager
def spare_index(directory: Path) -> Iterator[Path]:
    """A directory with what the index holds now, or without anything if there is none; deleted afterwards.

    SQLite copies page by page and others may go on writing meanwhile. It lies in the temporary directory
    (TMPDIR), which needs room for it.
    """
    with tempfile.TemporaryDirectory(prefix="dedupe-dry-run-") as place:
        if (directory / DATABASE).exists():
            try:
                _copy(directory / DATABASE, Path(place) / DATABASE)
            except (sqlite3.Error, OSError) as error:
                raise index_fault(error, directory) from error
        yield Path(place)


def _copy(source: Path, target: Path) -> None:
    target.touch(mode=0o600)
    with (
        closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as reading,
        closing(sqlite3.connect(target)) as writing,
    ):
        reading.backup(writing, pages=1000)
