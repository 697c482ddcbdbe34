"""Events are kept whatever happens, become one per document, and are not tried forever."""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from hook.queue import EAGER_ATTEMPTS, FIRST_PAUSE_S, LONGEST_PAUSE_S, MAX_ATTEMPTS, Queue
from tests.not_root import not_root


class Clock:
    """Wall time under the control of the test."""

    def __init__(self) -> None:
        self.now_s = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def queue(tmp_path: Path, clock: Clock) -> Queue:
    return Queue(tmp_path / "index", clock=clock)


def numbers(queue: Queue) -> list[int]:
    return [event.document_id for event in queue.events()]


def test_an_event_is_kept_until_it_is_done(queue: Queue, tmp_path: Path) -> None:
    """Another process, or the next run, finds it."""
    event = queue.add(7, "Paperless is down")
    (found,) = Queue(tmp_path / "index").events()
    assert (found.document_id, found.reason, found.attempts) == (7, "Paperless is down", 0)
    queue.done(event)
    assert queue.events() == []


def test_an_empty_queue(queue: Queue, tmp_path: Path) -> None:
    """Reading it creates no directory."""
    assert queue.due() == []
    assert not (tmp_path / "index").exists()


def test_events_of_one_document_become_one(queue: Queue, clock: Clock) -> None:
    """However many events there are, a document is examined once."""
    for _ in range(3):
        queue.add(7)
        clock.now_s += 1
    assert numbers(queue) == [7]


def test_the_oldest_comes_first(queue: Queue, clock: Clock) -> None:
    """And one that failed goes to the end."""
    for number in (3, 1, 2):
        queue.add(number)
        clock.now_s += 1
    assert numbers(queue) == [3, 1, 2]
    event = queue.begin(3)
    assert event is not None
    queue.failed(event, "refused")
    assert numbers(queue) == [1, 2, 3]


def test_an_event_interrupted_by_a_kill_is_next_again(queue: Queue, clock: Clock) -> None:
    """Otherwise a later document would be examined before an earlier one."""
    for number in (3, 1, 2):
        queue.add(number)
        clock.now_s += 1
    queue.begin(3)
    assert numbers(queue) == [3, 1, 2]
    for _ in range(EAGER_ATTEMPTS - 1):
        queue.begin(3)
    assert numbers(queue) == [1, 2, 3]


def test_added_again_while_it_is_worked_on(queue: Queue) -> None:
    """The text changed after we read it: finishing the old event does not finish the new one, which is tried anew."""
    event = queue.begin(7)
    assert event is not None
    queue.add(7)
    queue.done(event)
    assert [(event.document_id, event.attempts) for event in queue.events()] == [(7, 0)]


def test_a_document_that_crashes_every_run_is_tried_at_growing_intervals(queue: Queue, clock: Clock) -> None:
    """The attempt is counted before it is made, because a killed process cannot count it."""
    for _ in range(EAGER_ATTEMPTS):
        assert [event.document_id for event in queue.due()] == [7] or not queue.events()
        queue.begin(7)
    assert queue.due() == []
    clock.now_s += FIRST_PAUSE_S
    assert len(queue.due()) == 1
    for _ in range(MAX_ATTEMPTS - EAGER_ATTEMPTS - 1):
        queue.begin(7)
    clock.now_s += LONGEST_PAUSE_S - 1
    assert queue.due() == []
    clock.now_s += 1
    assert len(queue.due()) == 1


def test_in_the_end_an_event_is_given_up(queue: Queue, clock: Clock) -> None:
    """It is not tried again, not even after a new event, until a user asks for it."""
    for _ in range(MAX_ATTEMPTS):
        queue.begin(7)
    queue.add(7)
    clock.now_s += 100 * LONGEST_PAUSE_S
    (event,) = queue.events()
    assert event.is_given_up
    assert queue.due() == []
    assert queue.revive(7)
    assert [event.attempts for event in queue.due()] == [0]
    assert queue.drop(7)
    assert not queue.drop(7)
    assert not queue.revive(7)


def test_what_was_done_meanwhile_is_not_begun_again(queue: Queue, tmp_path: Path) -> None:
    """A sync listed it a minute ago, and a hook has finished it since."""
    event = queue.add(7)
    other = Queue(tmp_path / "index")
    other.done(event)
    assert queue.resume(7) is None
    queue.add(8)
    assert queue.resume(8) is not None


def test_an_attempt_that_failed_for_another_reason_does_not_count(queue: Queue) -> None:
    """Paperless is down for a week: the document is still tried in each run."""
    for _ in range(10):
        event = queue.begin(7)
        assert event is not None
        queue.put_off(event, "down")
    assert [event.attempts for event in queue.due()] == [0]


def test_a_full_disk_still_keeps_the_number(queue: Queue) -> None:
    """An empty file needs no space."""
    queue.add(1)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        queue.add(7, "the disk is full")
        assert queue.begin(8) is not None
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert sorted(numbers(queue)) == [1, 7, 8]


def test_a_directory_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    """The caller reports it."""
    (tmp_path / "index").write_text("a file, not a directory")
    with pytest.raises(OSError, match=r"Not a directory|File exists"):
        Queue(tmp_path / "index").add(7)


def test_the_files_are_private(queue: Queue) -> None:
    """Reasons contain paths and addresses."""
    queue.add(7)
    assert {path.stat().st_mode & 0o077 for path in (queue.directory, *queue.directory.iterdir())} == {0}


def _begin_and_wait(directory: Path, begun: multiprocessing.synchronize.Event) -> None:
    assert Queue(directory).begin(7) is not None
    begun.set()
    signal.pause()


def test_two_processes_do_not_work_on_one_event(tmp_path: Path) -> None:
    """While one works on it, the other skips it; a kill releases it at once."""
    context = multiprocessing.get_context("spawn")
    begun = context.Event()
    process = context.Process(target=_begin_and_wait, args=(tmp_path, begun))
    process.start()
    assert begun.wait(600)
    queue = Queue(tmp_path)
    assert queue.begin(7) is None
    assert queue.begin(8) is not None
    assert process.pid is not None
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    event = queue.begin(7)
    assert event is not None
    assert event.attempts == 2


ODD: dict[str, Callable[[Path], object]] = {
    "directory": lambda path: path.mkdir(),
    "pipe": lambda path: os.mkfifo(path),
    "link": lambda path: path.symlink_to("/etc/passwd"),
    "dangling link": lambda path: path.symlink_to("nowhere"),
}


@pytest.mark.parametrize("kind", ODD)
def test_what_is_not_a_file_is_skipped_named_and_put_aside(queue: Queue, kind: str) -> None:
    """It stops nobody, and an event of this document is kept all the same."""
    queue.add(7)
    ODD[kind](queue.directory / "8")
    assert numbers(queue) == [7]
    assert queue.odd_names() == ["8"]
    event = queue.begin(8)
    assert event is not None
    assert numbers(queue) == [8, 7]
    queue.done(event)
    assert numbers(queue) == [7]


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 3000,
        b"[1]",
        b'{"attem',
        b'{"attempts": 1e999, "reason": ""}',
        b'{"attempts": -5, "reason": ""}',
        b'{"attempts": "many"}',
        b"null",
        b"\xff" * 100_000,
    ],
)
def test_a_file_with_anything_in_it_is_a_new_event(queue: Queue, body: bytes) -> None:
    """The name is the event."""
    queue.add(7)
    (queue.directory / "7").write_bytes(body)
    (event,) = queue.due()
    assert (event.document_id, event.attempts, event.reason) == (7, 0, "")


def test_a_file_that_cannot_be_read_is_a_new_event(queue: Queue) -> None:
    """It belongs to root, after a command was run as root."""
    queue.add(7)
    (queue.directory / "7").chmod(0)
    with not_root():
        assert numbers(queue) == [7]
        assert queue.begin(7) is not None


@pytest.mark.parametrize("name", ["0", "007", "12345678901", "\u0663", "x", "7.odd", ".x"])
def test_a_name_that_is_no_document_id_is_named_and_skipped(queue: Queue, name: str) -> None:
    queue.add(7)
    (queue.directory / name).touch()
    assert numbers(queue) == [7]
    assert queue.odd_names() == [name]


@pytest.mark.parametrize("ahead_s", [10.0, 86_400.0 * 365 * 100])
def test_an_event_from_the_future_is_due(queue: Queue, clock: Clock, ahead_s: float) -> None:
    """The clock was wrong when it was written. After an attempt, its time is right."""
    queue.add(7)
    os.utime(queue.directory / "7", (clock.now_s + ahead_s,) * 2)
    assert [event.document_id for event in queue.due()] == [7]
    for _ in range(EAGER_ATTEMPTS):
        begun = queue.begin(7)
        assert begun is not None
        queue.failed(begun, "no")
    assert queue.due() == []
    clock.now_s += FIRST_PAUSE_S
    assert [event.document_id for event in queue.due()] == [7]
