"""What each button will do to a document under the present settings, in words. Pure; review/review.py does it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from typing import TYPE_CHECKING

from hook.findings.keeper import COPIES
from hook.language.translate import Translate
from hook.review_page.waiting import Waiting
from hook.settings.types import OnConfirm

if TYPE_CHECKING:
    from hook.settings.model import Settings


class Action(StrEnum):
    """What a person can decide."""

    SAME = "same"
    NOT_SAME = "not-same"
    SKIP = "skip"
    LATER = "later"  # nothing is written


def moved_by(waiting: Waiting, settings: Settings, newer: int | None) -> int | None:
    """The document that leaves the archive if the finding is confirmed; None if all stay.

    Only the first finding moves anything, see review/review.py. `newer` is the newer of those two documents.
    """
    first = waiting.findings[0]
    both = (waiting.subject, first.other)
    wanted = settings.confirm_for(first.relation)
    if wanted is OnConfirm.REPLACE and newer in both:
        return both[0] if newer == both[1] else both[1]
    if wanted is OnConfirm.TRASH and first.relation in COPIES and first.keeper in both:
        return both[0] if first.keeper == both[1] else both[1]
    return None


def effect_of(action: Action, waiting: Waiting, settings: Settings, newer: int | None, say: Translate) -> str:
    if action is Action.SAME:
        return _confirmed(waiting, settings, newer, say)
    if action is Action.NOT_SAME:
        return _dismissed(waiting, say)
    if action is Action.SKIP:
        return say("#{n} is ignored from now on", n=waiting.subject)
    return say("decides nothing: moves the card to the end of the list")


def effects_of(found: Iterable[Waiting], settings: Settings, say: Translate) -> dict[str, int]:
    """What confirming all of them does, and how often; without the numbers of documents."""
    words = [effect_of(Action.SAME, one, settings, None, say) for one in found]
    moves = say("moves one of two documents to the trash")
    return Counter(moves if any(map(str.isdigit, one)) else one for one in words)


def _confirmed(waiting: Waiting, settings: Settings, newer: int | None, say: Translate) -> str:
    first = waiting.findings[0]
    wanted = settings.confirm_for(first.relation)
    if wanted is OnConfirm.MAKE_VERSION:
        return say(
            "makes the newer of #{n} and #{m} a file version of the other", n=waiting.subject, m=first.other
        )
    moved = moved_by(waiting, settings, newer)
    if moved is not None:
        kept = first.other if moved == waiting.subject else waiting.subject
        return say("moves #{n} to the trash, #{m} is kept", n=moved, m=kept)
    if wanted is OnConfirm.TRASH and first.relation in COPIES:
        return say("moves the worse copy to the trash")
    return say("keeps all documents, marks the finding as confirmed")


def _dismissed(waiting: Waiting, say: Translate) -> str:
    if len(waiting.findings) > 1:
        return say(
            "never reports #{n} with these {count} documents again",
            n=waiting.subject,
            count=len(waiting.findings),
        )
    return say("never reports #{n} and #{m} again", n=waiting.subject, m=waiting.findings[0].other)
