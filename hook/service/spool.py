"""Events that the forwarder script could not deliver: empty files in a directory, named after the document.

A name is `ID.anything` (see courier.py). No file is ever opened, a link is never followed, and only what is
a plain file of such a name is taken and removed: write access there allows naming documents and nothing else.
"""

from __future__ import annotations

import logging
import os
import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from hook.index.ids import MAX_ID
from hook.private_files import give_to_owner, opened_directory

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
        taken = 0
        try:
            with opened_directory(self.directory) as descriptor:
                for number, name in sorted(self._found(descriptor))[:AT_ONCE]:
                    if self._is_kept(number, keep):
                        taken += 1
                        self._remove(descriptor, name)
        except FileNotFoundError:
            pass  # no forwarder script yet
        except OSError as error:
            self._complain(f"DEDUPE_SPOOL_DIR: {self.directory} cannot be read ({error.strerror})")
        return taken

    def waiting(self) -> list[int]:
        """The documents whose events nobody has taken yet."""
        return [number for number, _ in self._listed() if number]

    def odd_names(self) -> list[str]:
        """What is in the directory and is not an event: skipped, and named by `check`."""
        return [name for number, name in self._listed() if not number]

    def _listed(self) -> list[tuple[int, str]]:
        try:
            with opened_directory(self.directory) as descriptor:
                return sorted((_number(descriptor, at.name), at.name) for at in os.scandir(descriptor))
        except OSError:
            return []

    def _found(self, descriptor: int) -> Iterator[tuple[int, str]]:
        for name in os.listdir(descriptor):
            if name not in self._stuck and (number := _number(descriptor, name)):
                yield number, name

    def _is_kept(self, number: int, keep: Callable[[int], None]) -> bool:
        try:
            keep(number)
        except OSError as error:
            self._complain(
                f"#{number} stays in {self.directory}: the queue cannot be written ({error.strerror})"
            )
            return False
        return True

    def _remove(self, descriptor: int, name: str) -> None:
        try:
            os.unlink(name, dir_fd=descriptor)
        except FileNotFoundError:
            pass
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


def _number(descriptor: int, name: str) -> int:
    """The document whose event this is; 0 if it is something else."""
    found = _NAME.fullmatch(name)
    if found is None or int(found[1]) > MAX_ID:
        return 0
    try:
        is_file = stat.S_ISREG(os.stat(name, dir_fd=descriptor, follow_symlinks=False).st_mode)
    except OSError:  # taken by another process
        return 0
    return int(found[1]) if is_file else 0
