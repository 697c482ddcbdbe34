"""Decisions that were not carried out, as far as a person may see their documents: a list of its own on the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hook.language.translate import Translate
from hook.review.journal import Journal
from hook.review.kept.refusals import Refusals
from hook.review_page.waiting import Shown

if TYPE_CHECKING:
    from hook.examination.archive import Archive


@dataclass(frozen=True, slots=True)
class NotDone:
    """`is_open`: it is tried again without anybody's doing."""

    documents: tuple[int, ...]
    reason: str
    goal: str = ""
    at: str = ""
    is_open: bool = False


def not_done(archive: Archive, shown: Shown, say: Translate) -> list[NotDone]:
    """Refused while the tag is there; and what was begun while Paperless failed."""
    found = [
        NotDone(
            tuple(sorted(set(one.pair))),
            one.reason or say("a note on the document says why"),
            one.goal,
            one.at,
        )
        for one in Refusals(archive.index)
        if set(one.pair) <= shown.visible and set(one.pair) & shown.decided
    ]
    failing = [one for one in Journal(archive.index).open() if one.failures and one.kept in shown.visible]
    return found + [
        NotDone(
            (one.kept, one.loser),
            say("Paperless failed: it is tried again"),
            at=one.started_at,
            is_open=True,
        )
        for one in failing
    ]
