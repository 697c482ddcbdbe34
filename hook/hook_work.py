"""The work of one hook run: open client and index, examine the document, then what older runs left."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Final

from hook.deadline import Deadline
from hook.errors import DedupeError
from hook.findings.examine import Examiner
from hook.paperless.client import Paperless
from hook.paperless.client import connect as connect_to_paperless
from hook.queue import Event, Queue
from hook.review.poll import pick_up
from hook.session import open_archive
from hook.settings.model import Settings
from hook.work import Worklist

OLDER_EVENTS: Final = 10  # worked off in one run, besides the document that was consumed
OLDER_SHARE: Final = 0.5  # and begun in this first part of the deadline only
RESERVE: Final = 0.1  # of the deadline: to end in good order before the watchdog does it
INDEX_WAIT_S: Final = 10.0

Connect = Callable[[Settings, Deadline], Paperless]

log = logging.getLogger(__name__)


def examine(
    event: Event, queue: Queue, settings: Settings, left_s: float, connect: Connect = connect_to_paperless
) -> None:
    """What was foreseen to go wrong is logged, and the event is kept."""
    deadline = Deadline(time.monotonic, left_s - RESERVE * settings.deadline_s)
    try:
        _work(event, queue, settings, deadline, connect)
    except DedupeError as error:
        queue.put_off(event, str(error))
        log.warning("#%d: kept for the next run: %s", event.document_id, error)


def _work(event: Event, queue: Queue, settings: Settings, deadline: Deadline, connect: Connect) -> None:
    with (
        connect(settings, deadline) as client,
        open_archive(settings, timeout_s=min(INDEX_WAIT_S, deadline.remaining() / 2)) as archive,
    ):
        examiner = Examiner(archive, client, settings, log.warning, deadline=deadline)
        worklist = Worklist(examiner, queue)

        def has_time() -> bool:
            return deadline.remaining() > OLDER_SHARE * settings.deadline_s

        if worklist.work(event) and has_time():
            pick_up(examiner, queue, deadline=deadline, has_time=has_time)
            worklist.rest(OLDER_EVENTS, has_time)
