"""Events are kept whatever happens, become one per document, and are not tried forever."""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from hook.queue import EAGER_ATTEMPTS, FIRST_PAUSE_S, LONGEST_PAUSE_S, MAX_ATTEMPTS, Event, Queue
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


def begin(queue: Queue, number: int) -> Event:
    event = queue.begin(number)
    assert event is not None
    return event


def test_an_event_is_kept_until_it_is_done(queue: Queue, tmp_path: Path) -> None:
    """Another process, or the next run, finds it; only its owner can read it. Reading an empty queue creates nothing."""
    assert (queue.due(), (tmp_path / "index").exists()) == ([], False)
    event = queue.add(7, "Paperless is down")
    (seen,) = Queue(tmp_path / "index").events()
    assert (seen.document_id, seen.reason, seen.attempts) == (7, "Paperless is down", 0)
    assert {path.stat().st_mode & 0o077 for path in (queue.directory, *queue.directory.iterdir())} == {0}
    queue.done(event)
    assert (queue.events(), queue.resume(7)) == (
        [],
        None,
    )  # a sync listed it, and a hook has finished it since
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match=r"Not a directory|File exists"):
        Queue(tmp_path / "file").add(7)


def test_the_order_of_events(queue: Queue, clock: Clock) -> None:
    """One for each document, the oldest first. What a kill interrupted is next again, what failed comes last."""
    for number in (3, 1, 2, 2):
        queue.add(number)
        clock.now_s += 1
    assert numbers(queue) == [3, 1, 2]
    event = begin(queue, 3)
    assert numbers(queue) == [3, 1, 2]
    queue.failed(event, "refused")
    assert numbers(queue) == [1, 2, 3]
    for _ in range(EAGER_ATTEMPTS):
        begin(queue, 1)
    assert numbers(queue) == [2, 3, 1]


def test_added_again_while_it_is_worked_on(queue: Queue) -> None:
    """The text changed after we read it: finishing the old event does not finish the new one, which is tried anew."""
    event = begin(queue, 7)
    queue.add(7)
    queue.done(event)
    assert [(event.document_id, event.attempts) for event in queue.events()] == [(7, 0)]


def test_a_document_that_crashes_every_run_is_tried_at_growing_intervals_and_given_up(
    queue: Queue, clock: Clock
) -> None:
    """The attempt is counted before it is made, because a killed process cannot count it. What is given up is not tried
    again, not even after a new event, until a user asks for it."""
    for attempt in range(1, MAX_ATTEMPTS + 1):
        begin(queue, 7)
        pause_s = min(FIRST_PAUSE_S * 2 ** (attempt - EAGER_ATTEMPTS), LONGEST_PAUSE_S)
        if EAGER_ATTEMPTS <= attempt < MAX_ATTEMPTS:
            clock.now_s += pause_s - 1
            assert queue.due() == []
            clock.now_s += 1
        assert len(queue.due()) == (attempt < MAX_ATTEMPTS)
    queue.add(7)
    clock.now_s += 100 * LONGEST_PAUSE_S
    assert ([event.is_given_up for event in queue.events()], queue.due()) == ([True], [])
    assert queue.revive(7)
    assert [event.attempts for event in queue.due()] == [0]
    assert (queue.drop(7), queue.drop(7), queue.revive(7)) == (True, False, False)


def test_an_attempt_that_failed_for_another_reason_does_not_count(queue: Queue) -> None:
    """Paperless is down for a week: the document is still tried in each run."""
    for _ in range(10):
        queue.put_off(begin(queue, 7), "down")
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
    assert begin(queue, 7).attempts == 2


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
    event = begin(queue, 8)
    assert numbers(queue) == [8, 7]
    queue.done(event)
    assert numbers(queue) == [7]


def test_a_file_with_anything_in_it_is_a_new_event(queue: Queue) -> None:
    """The name is the event. One that cannot be read belongs to root, after a command was run as root."""
    queue.add(7)
    bodies = b"[" * 3000, b"[1]", b'{"attem', b"null", b"\xff" * 100_000
    for body in (
        *bodies,
        *(b'{"attempts": %s, "reason": ""}' % count for count in (b"1e999", b"-5", b'"x"')),
    ):
        (queue.directory / "7").write_bytes(body)
        assert [(event.document_id, event.attempts, event.reason) for event in queue.due()] == [(7, 0, "")]
    (queue.directory / "7").chmod(0)
    with not_root():
        assert numbers(queue) == [7]
        assert queue.begin(7) is not None


def test_a_name_that_is_no_document_id_is_named_and_skipped(queue: Queue) -> None:
    queue.add(7)
    names = ["0", "007", "12345678901", "\u0663", "x", "7.odd", ".x"]
    for name in names:
        (queue.directory / name).touch()
    assert (numbers(queue), queue.odd_names()) == ([7], sorted(names))


@pytest.mark.parametrize("ahead_s", [10.0, 86_400.0 * 365 * 100])
def test_an_event_from_the_future_is_due(queue: Queue, clock: Clock, ahead_s: float) -> None:
    """The clock was wrong when it was written. After an attempt, its time is right."""
    queue.add(7)
    os.utime(queue.directory / "7", (clock.now_s + ahead_s,) * 2)
    assert [event.document_id for event in queue.due()] == [7]
    for _ in range(EAGER_ATTEMPTS):
        queue.failed(begin(queue, 7), "no")
    assert queue.due() == []
    clock.now_s += FIRST_PAUSE_S
    assert [event.document_id for event in queue.due()] == [7]
