"""What each button does under the present settings, in words; what becomes of which document is in the plan (pages/plan.py)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from dedupe_core.explain.say import message
from hook.language.translate import Translate
from hook.review.kept.instructions import Do
from hook.review_page.pages.plan import default_of
from hook.review_page.waiting import Waiting

if TYPE_CHECKING:
    from hook.settings.model import Settings

_SAME: Final = {
    Do.KEEP: message("keeps all documents, marks the finding as confirmed"),
    Do.TRASH: message("moves one of two documents to the trash"),
    Do.VERSION: message("makes one of two documents a file version of the other"),
}


class Action(StrEnum):
    """What a person can decide."""

    SAME = "same"
    NOT_SAME = "not-same"
    SKIP = "skip"
    LATER = "later"  # nothing is written


def effect_of(action: Action, waiting: Waiting, settings: Settings, say: Translate) -> str:
    """Of "same" only the kind: the plan of a card says which document is moved."""
    if action is Action.SAME:
        do = default_of(waiting.findings[0].relation, settings)
        return say(_SAME[do])
    if action is Action.NOT_SAME:
        return _dismissed(waiting, say)
    if action is Action.SKIP:
        return say("#{n} is ignored from now on", n=waiting.subject)
    return say("decides nothing: moves the card to the end of the list")


def effects_of(found: Iterable[Waiting], settings: Settings, say: Translate) -> dict[str, int]:
    """What confirming all of them does, and how often."""
    return Counter(effect_of(Action.SAME, one, settings, say) for one in found)


def _dismissed(waiting: Waiting, say: Translate) -> str:
    if len(waiting.findings) > 1:
        return say(
            "never reports #{n} with these {count} documents again",
            n=waiting.subject,
            count=len(waiting.findings),
        )
    return say("never reports #{n} and #{m} again", n=waiting.subject, m=waiting.findings[0].other)
