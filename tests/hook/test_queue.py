"""Events are kept whatever happens, become one per document, and are not tried forever."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import resource
import signal
import threading
from pathlib import Path
from queue import SimpleQueue

import pytest

from hook.queue import (
    EAGER_ATTEMPTS,
    FIRST_PAUSE_S,
    LONGEST_PAUSE_S,
    MAX_ATTEMPTS,
    Event,
    Queue,
    QueueFullError,
)
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
    queue.keep(event, "refused", is_fault=True)
    assert numbers(queue) == [1, 2, 3]
    for _ in range(EAGER_ATTEMPTS):
        begin(queue, 1)
    assert numbers(queue) == [2, 3, 1]


def taken(queue: Queue) -> list[int]:
    """What a long-lived process works off, without new looks at the directory."""
    numbers = []
    while (waiting := queue.next(0.0)) is not None:
        numbers.append(waiting[0])
        if (event := queue.resume(waiting[0])) is not None:
            queue.done(event)
    return numbers


def test_in_the_order_in_which_they_came(queue: Queue, clock: Clock, tmp_path: Path) -> None:
    """Also in another process, after a kill of this one: an event is on disk when it is accepted."""
    for number in (5, 3, 9, 9):
        queue.accept(number)
        clock.now_s += 1
    after = Queue(tmp_path / "index")
    assert after.next(0.0) is None
    after.refresh()
    assert (queue.depth(), after.depth()) == ((3, 0), (3, 0))
    assert taken(after) == [5, 3, 9]
    assert taken(queue) == [5, 3, 9], "another process has done them, which is seen when it is their turn"
    assert (queue.is_empty, queue.depth()) == (True, (0, 0))


def test_the_next_one_stays_the_next_until_it_is_done_or_has_failed(queue: Queue) -> None:
    """Paperless was down: the event that came first is tried first again. One that failed lets the others pass."""
    for number in (5, 3):
        queue.accept(number)
    first = queue.next(0.0)
    queue.keep(begin(queue, 5), "down", is_fault=False)
    assert (queue.next(0.0), first is not None and first[0]) == (first, 5)
    queue.keep(begin(queue, 5), "refused", is_fault=True)
    assert taken(queue) == [3]
    queue.stop()
    queue.accept(4)
    assert queue.next(600.0) is None, "nobody waits in a process that is stopped"


def test_added_again_while_it_is_taken(queue: Queue) -> None:
    """Its text may have changed since we read it: it is examined once more, not twice more, after the others."""
    queue.accept(5)
    event = begin(queue, 5)
    for number in (6, 5, 5):
        queue.accept(number)
    queue.done(event)
    assert taken(queue) == [6, 5]
    assert queue.numbers() == []


def test_one_that_failed_is_not_tried_earlier_because_of_a_new_event(queue: Queue) -> None:
    """Our own writes cause events: otherwise that would be a loop."""
    for _ in range(EAGER_ATTEMPTS):
        queue.begin(5)
    queue.accept(5)
    queue.refresh()
    assert (queue.next(0.0), queue.numbers(), queue.depth()) == (None, [5], (1, 0))


def test_there_is_a_limit_to_what_is_accepted(tmp_path: Path) -> None:
    small = Queue(tmp_path, limit=2)
    for number in (1, 2):
        small.accept(number)
    with pytest.raises(QueueFullError):
        small.accept(3)
    assert sorted(small.numbers()) == [1, 2]
    small.announce(3)  # the tag of a decision is in Paperless by then: no error


def test_threads_do_not_lose_events(tmp_path: Path) -> None:
    """Whatever is added before, while or after another thread finishes the previous event is begun later."""
    ticks = itertools.count(1_800_000_000)
    queue, stop = Queue(tmp_path, clock=lambda: next(ticks)), threading.Event()
    looks: SimpleQueue[int] = SimpleQueue()  # what each look found: when its event was added, or 0
    may_go_on = threading.Semaphore(0)

    def work() -> None:
        while not stop.is_set():
            event = queue.resume(7)
            looks.put(event.touched_ns if event else 0)
            may_go_on.acquire()
            if event is not None:
                queue.done(event)

    def is_begun(added: Event) -> bool:
        """By the look that was on its way, or by the one after it."""
        for _ in range(2):
            if looks.get(timeout=60) > added.touched_ns:
                return True
            may_go_on.release()
        return False

    worker = threading.Thread(target=work)
    worker.start()
    try:
        for turn in range(60):
            assert is_begun(queue.add(7))
            if turn % 2:
                added = queue.add(7)  # while it is worked on
                may_go_on.release()
                assert is_begun(added)
            may_go_on.release()  # the next one is added at the same time as this one is finished
    finally:
        stop.set()
        may_go_on.release(100)
        worker.join()
        queue.close()


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
        queue.keep(begin(queue, 7), "down", is_fault=False)
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


def test_what_is_not_an_event_is_skipped(queue: Queue) -> None:
    """And an event of a document whose name it has is kept all the same."""
    queue.add(7)
    for name in ("0", "007", "12345678901", "\u0663", "x", ".x"):
        (queue.directory / name).touch()
    (queue.directory / "8").mkdir()
    os.mkfifo(queue.directory / "9")
    (queue.directory / "10").symlink_to("/etc/passwd")
    queue.refresh()
    assert numbers(queue) == [7]
    for number in (8, 9, 10):
        queue.done(begin(queue, number))
    assert taken(queue) == [7]


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


@pytest.mark.parametrize("ahead_s", [10.0, 86_400.0 * 365 * 100])
def test_an_event_from_the_future_is_due(queue: Queue, clock: Clock, ahead_s: float) -> None:
    """The clock was wrong when it was written. After an attempt, its time is right."""
    queue.add(7)
    os.utime(queue.directory / "7", (clock.now_s + ahead_s,) * 2)
    assert [event.document_id for event in queue.due()] == [7]
    for _ in range(EAGER_ATTEMPTS):
        queue.keep(begin(queue, 7), "no", is_fault=True)
    assert queue.due() == []
    clock.now_s += FIRST_PAUSE_S
    assert [event.document_id for event in queue.due()] == [7]
