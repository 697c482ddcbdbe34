"""What can go wrong with the index, each with what to do next.

IndexFault                  anything below; exit code 4
├── IndexMissing            there is no index here and none was to be made
├── RecipeMismatch          built with another recipe
├── FormatMismatch          written by another version of this program
├── IndexBusy               another process holds the write lock for longer than we wait
├── IndexFull               no room: disk, quota or file size limit
├── IndexUnwritable         the directory or its files cannot be written by this user
├── IndexUnsafe             the directory belongs to, or can be changed by, somebody else
└── IndexDamaged            the file is not, or no longer, a sound index
    └── PickleRefused       a key or value that is not plain: never pickled, never unpickled
"""

from pathlib import Path

CHECK_COMMAND = "paperless-dedupe check --repair"
REBUILD_COMMAND = "paperless-dedupe backfill --rebuild"


class IndexFault(Exception):
    exit_code = 4


class IndexMissing(IndexFault):
    def __init__(self, directory: Path) -> None:
        super().__init__(f"no index in {directory}: make one with `paperless-dedupe backfill`")


class RecipeMismatch(IndexFault):
    def __init__(self, directory: Path, built_with: str, asked_for: str) -> None:
        self.built_with, self.asked_for = built_with, asked_for
        super().__init__(
            f"the index in {directory} was built with recipe {built_with}, the settings ask for {asked_for}: "
            f"go back to {built_with}, or rebuild with `{REBUILD_COMMAND}`"
        )


class FormatMismatch(IndexFault):
    def __init__(self, directory: Path, found: int, known: int) -> None:
        super().__init__(
            f"the index in {directory} has format {found}, this version reads format {known}: "
            f"use the version that wrote it, or rebuild with `{REBUILD_COMMAND}`"
        )


class IndexBusy(IndexFault):
    def __init__(self, directory: Path, timeout_s: float) -> None:
        super().__init__(
            f"the index in {directory} was locked by another process for more than {timeout_s:g} s: "
            "try again when the backfill or check that runs has ended"
        )


class IndexFull(IndexFault):
    def __init__(self, directory: Path, detail: str) -> None:
        super().__init__(
            f"the index in {directory} cannot grow ({detail}): free some disk space or raise the quota, "
            "then run again; nothing that was stored before is lost"
        )


class IndexUnwritable(IndexFault):
    def __init__(self, directory: Path, detail: str) -> None:
        super().__init__(
            f"the index in {directory} cannot be written ({detail}): make the directory writable for the user "
            "that runs Paperless, or name another one with DEDUPE_INDEX_DIR"
        )


class IndexUnsafe(IndexFault):
    def __init__(self, directory: Path, detail: str) -> None:
        super().__init__(
            f"the index directory {directory} is not ours alone ({detail}): give it to the user that runs "
            "Paperless with `chown`, or name another one with DEDUPE_INDEX_DIR"
        )


class IndexDamaged(IndexFault):
    def __init__(self, directory: Path | None, detail: str) -> None:
        where = f"the index in {directory}" if directory else "the index"
        super().__init__(
            f"{where} is damaged ({detail}): repair it with `{CHECK_COMMAND}`, "
            f"or build it anew with `{REBUILD_COMMAND}`"
        )


class PickleRefused(IndexDamaged):
    def __init__(self, what: str) -> None:
        IndexFault.__init__(
            self,
            f"{what} is refused: the index keeps plain bytes, and nothing in it is ever unpickled, as that could "
            f"run code. If it stands in the index file, that was tampered with: repair it with "
            f"`{CHECK_COMMAND}`, or build it anew with `{REBUILD_COMMAND}`",
        )
