"""Decisions that were not carried out, as far as a person may see their documents: a list of its own on the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hook.language.translate import Translate
from hook.review.journal import Journal
from hook.review.kept.refusals import Refusal, Refusals
from hook.review_page.waiting import Shown

if TYPE_CHECKING:
    from hook.examination.archive import Archive


def not_done(archive: Archive, shown: Shown, say: Translate) -> list[Refusal]:
    """Refused while the tag is there; and, without a state, what was begun while Paperless failed: it is tried again without
    anybody's doing."""
    refused = [
        refusal
        for refusal in Refusals(archive.index)
        if set(refusal.pair) <= shown.visible and set(refusal.pair) & shown.decided
    ]
    failed = say("Paperless failed: it is tried again")
    return refused + [
        Refusal((operation.kept, operation.loser), "", reason=failed, at=operation.started_at)
        for operation in Journal(archive.index).open()
        if operation.failures and operation.kept in shown.visible
    ]
