"""Looks for decisions of the user: one query at most, and nothing is imported that is not needed yet.

Every run of the hook does this, so it must cost next to nothing while there are none.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from hook.errors import IndexBusy, PaperlessError
from hook.review.journal import Journal
from hook.review.kept.instructions import Instructions
from hook.review.kept.own_notes import OwnNotes
from hook.review.kept.refusals import Refusal, Refusals
from hook.session import Session

log = logging.getLogger(__name__)


def decided(session: Session, *, fresh: bool = False, refused: bool = False) -> list[int]:
    """The documents with a decision tag. `fresh`: read the ids of the tags from Paperless, too, and look even if this
    index has no finding: the user may decide on one that another index has written. `refused`: there is one that was refused."""
    if not (fresh or refused) and next(iter(session.findings), None) is None:
        return []
    tags = session.labels.decision_ids(fresh=fresh)
    return session.client.document_ids(tags__id__in=sorted(tags.values())) if tags else []


def apply_decisions(
    session: Session,
    *,
    has_time: Callable[[], bool] = lambda: True,
    fresh: bool = False,
    patience_s: float = 0.0,
) -> bool:
    """Acts on decisions and resumes operations; what cannot be done now is logged and left for the next run: False.

    `patience_s`: how long to wait for Paperless to attach a file; 0 in a hook, since Paperless waits for that.
    """
    begun = Journal(session.archive.index).open()
    # Read before Paperless is asked: what is refused meanwhile is about a tag that is there.
    refused = Refusals(session.archive.index).all()
    try:
        documents = decided(session, fresh=fresh, refused=bool(refused))
    except PaperlessError as error:
        log.warning("decisions are left for the next run: %s", error)
        return False
    Instructions(session.archive.index).forget_others(documents)
    _withdraw(session, [refusal for refusal in refused if not set(refusal.pair) & set(documents)])
    if begun or documents:
        from hook.review.review import Review

        is_done = Review(session).apply_decisions(documents, has_time, patience_s=patience_s)
        if has_time():
            from hook.review.kept.kept_decisions import keep_decisions

            keep_decisions(session)
        return is_done
    return True


def _withdraw(session: Session, refused: Sequence[Refusal]) -> None:
    """The user removed the tag, or changed what the decision depended on and it was carried out: "Not done" goes."""
    if not refused:
        return
    index = session.archive.index
    try:
        with index.writing_lock(session.deadline):
            for refusal in refused:
                Refusals(index).withdraw(refusal, OwnNotes(session.client, index))
    except (PaperlessError, IndexBusy) as error:
        log.warning("notes on decisions that were withdrawn are left for the next run: %s", error)
