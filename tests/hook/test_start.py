"""The event is on disk before anything that takes time, or that may be missing, is imported."""

from __future__ import annotations

import signal
import stat
from pathlib import Path

import pytest

from hook.queue import Queue
from hook.settings.environment import CONTAINER_DATA, default_index_dir
from hook.start import CONTAINER_DATA as EARLY_CONTAINER_DATA
from hook.start import index_dir, keep
from tests.programs import ROOT, python


@pytest.fixture
def index(tmp_path: Path) -> Path:
    """With a queue, as after the first document."""
    queue = Queue(tmp_path / "index")
    queue.done(queue.add(1))
    queue.close()
    return tmp_path / "index"


def environ(index: Path, number: str = "7") -> dict[str, str]:
    return {"DEDUPE_INDEX_DIR": str(index), "DOCUMENT_ID": number}


def test_the_file_is_an_event_and_a_new_one_for_whoever_has_it(index: Path) -> None:
    """Its reason stays; a process that is just done with it does not remove it."""
    assert keep(environ(index))
    queue = Queue(index)
    assert [(event.document_id, event.attempts) for event in queue.due()] == [(7, 0)]
    assert stat.S_IMODE((index / "queue" / "7").stat().st_mode) == 0o600
    queue.add(7, "Paperless was down")
    begun = queue.begin(7)
    assert begun is not None
    assert keep(environ(index))
    assert [event.reason for event in queue.events()] == ["Paperless was down"]
    queue.done(begun)
    assert queue.numbers() == [7]


def test_what_is_no_document_id_or_has_no_index_is_left_to_the_hook(index: Path, tmp_path: Path) -> None:
    """It knows how to make the directory."""
    for number in ("", "0", "-1", "x", "7x", "\u0663", "4294967295", "12345678901", "../7"):
        assert not keep(environ(index, number))
    assert not keep(environ(tmp_path / "none"))
    assert not keep({"DOCUMENT_ID": "7", "DEDUPE_INDEX_DIR": "relative"})
    assert (Queue(index).numbers(), list(tmp_path.iterdir())) == ([], [index])


def test_what_is_in_its_place_is_not_followed(index: Path, tmp_path: Path) -> None:
    (index / "queue" / "7").symlink_to(tmp_path / "victim")
    (index / "queue" / "8").mkdir()
    assert not any(keep(environ(index, number)) for number in "78")
    assert not (tmp_path / "victim").exists()


def test_the_directory_is_that_of_the_settings(tmp_path: Path) -> None:
    """Both know the same defaults; if a file may name another one, it is left to the settings."""
    none = str(tmp_path / "none")
    for given in ({"HOME": "/home/ann"}, {}):
        assert index_dir(given, none) == str(default_index_dir(given, container_data=Path(none)))
    assert index_dir({}, str(tmp_path)) == str(default_index_dir({}, container_data=tmp_path))
    assert str(CONTAINER_DATA) == EARLY_CONTAINER_DATA
    assert index_dir({"DEDUPE_ENV_FILE": "/x", "HOME": "/home/ann"}, none) == ""


def test_it_is_kept_when_no_library_can_be_imported(index: Path, tmp_path: Path) -> None:
    """As after an upgrade of Python: the hook itself cannot even read its settings."""
    start = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from hook.start import entry; entry()"
    done = python("-S", "-P", "-B", "-c", start, environ={**environ(index), "HOME": str(tmp_path)})
    assert done.returncode == 0, done.stderr
    assert "is missing" in done.stderr
    assert Queue(index).numbers() == [7]


def test_nothing_is_imported_before(index: Path) -> None:
    """What Python has not loaded at its own start costs time in which the event can be lost."""
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); before = set(sys.modules); import os, hook.start\n"
        "assert hook.start.keep(os.environ)\n"
        "print(sorted(set(sys.modules) - before))"
    )
    assert python("-P", "-B", "-c", code, environ=environ(index)).stdout == "['hook', 'hook.start']\n"
    assert Queue(index).numbers() == [7]


def test_the_event_is_on_disk_when_the_hook_itself_is_imported(index: Path) -> None:
    """Killed at its first import, the hook has kept the event."""
    code = (
        f"import os, sys; sys.path.insert(0, {str(ROOT)!r}); from hook.start import entry\n"
        "class Killed:\n"
        "    def find_spec(self, *names):\n"
        "        os.kill(os.getpid(), 9)\n"
        "sys.meta_path.insert(0, Killed())\n"
        "entry()"
    )
    assert python("-P", "-B", "-c", code, environ=environ(index)).returncode == -signal.SIGKILL
    assert Queue(index).numbers() == [7]
