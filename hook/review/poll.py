"""Is there a decision to pick up? One query at most, and nothing imported that is not needed then.

Every hook run asks this, so it must cost next to nothing while nobody decides.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from hook.errors import PaperlessError
from hook.findings.apply import GENERAL
from hook.review.journal import Journal

if TYPE_CHECKING:
    from hook.deadline import Deadline
    from hook.findings.examine import Examiner
    from hook.queue import Queue

log = logging.getLogger(__name__)


def decided(examiner: Examiner, *, fresh: bool = False) -> list[int]:
    """The documents on which a person has put a decision. `fresh`: ask for the ids of the tags, too."""
    if next(iter(examiner.findings), None) is None:
        return []  # nothing was ever found, so that there is nothing to decide
    tags = examiner.labels.decision_ids(fresh=fresh)
    return examiner.client.document_ids(tags__id__in=sorted(tags.values())) if tags else []


def pick_up(
    examiner: Examiner,
    queue: Queue,
    *,
    deadline: Deadline | None = None,
    has_time: Callable[[], bool] = lambda: True,
    fresh: bool = False,
    patience_s: float = 0.0,
) -> None:
    """Does what people decided and what is open in the journal; what cannot be done now is logged and left.

    `patience_s`: how long to wait for Paperless to attach a file; not in a hook, for which it waits itself.
    """
    begun = Journal(examiner.archive.index).open()
    try:
        found = decided(examiner, fresh=fresh)
    except (*GENERAL, PaperlessError) as error:
        log.warning("decisions are picked up by the next run: %s", error)
        return
    if begun or found:
        from hook.review.review import Review

        Review(examiner, queue, deadline=deadline).pick_up(found, has_time, patience_s=patience_s)
