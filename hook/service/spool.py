"""Events that the forwarder script could not deliver: empty files in a directory, named after the document.

A name is `ID.anything` (see courier.py). No file is ever opened, a link is never followed, and only what is
a plain file of such a name is taken and removed: write access there allows naming documents and nothing else.
"""

from __future__ import annotations

import logging
import re
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Final

from hook.index.ids import MAX_ID
from hook.private_files import give_to_owner

AT_ONCE: Final = 1000  # taken in one look, so that a full directory does not hold up everything else
_NAME: Final = re.compile(r"([1-9][0-9]{0,9})\.[0-9]{1,24}(-[0-9]{1,10})?")

log = logging.getLogger(__name__)


class Spool:
    """The directory as the service sees it."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._stuck: set[str] = set()  # taken, but not removable: not taken again by this process
        self._problem = ""

    def prepare(self) -> None:
        """Created at start, so that the forwarder script finds it; as root, with the owner of its parent directory."""
        try:
            if not self.directory.is_dir():
                self.directory.mkdir(mode=0o700, parents=True)
                give_to_owner(self.directory, self.directory.parent)
        except OSError as error:
            self._complain(f"DEDUPE_SPOOL_DIR: {self.directory} cannot be created ({error.strerror})")

    def take(self, keep: Callable[[int], None]) -> int:
        """Passes each event to `keep` and removes it when that returns; returns how many. Lowest ids first."""
        taken, (events, _) = 0, self._listed()
        for number, name in [event for event in events if event[1] not in self._stuck][:AT_ONCE]:
            try:
                keep(number)
                taken += 1
                self._remove(name)
            except OSError as error:
                self._complain(
                    f"#{number} stays in {self.directory}: the queue cannot be written ({error.strerror})"
                )
        return taken

    def waiting(self) -> list[int]:
        """The documents whose events nobody has taken yet."""
        return [number for number, _ in self._listed()[0]]

    def odd_names(self) -> list[str]:
        """What is in the directory and is not an event: skipped, and named by `check`."""
        return self._listed()[1]

    def _listed(self) -> tuple[list[tuple[int, str]], list[str]]:
        """Events with their names, and the names of what is not an event."""
        try:
            listed = sorted((_number(path), path.name) for path in self.directory.iterdir())
        except FileNotFoundError:  # no forwarder script yet
            return [], []
        except OSError as error:
            self._complain(f"DEDUPE_SPOOL_DIR: {self.directory} cannot be read ({error.strerror})")
            return [], []
        return [event for event in listed if event[0]], [name for number, name in listed if not number]

    def _remove(self, name: str) -> None:
        try:
            (self.directory / name).unlink(missing_ok=True)
        except OSError as error:
            self._stuck.add(name)
            self._complain(
                f"DEDUPE_SPOOL_DIR: events in {self.directory} cannot be removed ({error.strerror}): make it "
                "writable by the user that runs the service"
            )

    def _complain(self, problem: str) -> None:
        """Once, not every few seconds."""
        if problem != self._problem:
            self._problem = problem
            log.warning("%s", problem)


def _number(path: Path) -> int:
    """The document whose event this is; 0 if it is something else."""
    event = _NAME.fullmatch(path.name)
    if event is None or int(event[1]) > MAX_ID:
        return 0
    try:
        is_file = stat.S_ISREG(path.lstat().st_mode)
    except OSError:  # taken by another process
        return 0
    return int(event[1]) if is_file else 0
