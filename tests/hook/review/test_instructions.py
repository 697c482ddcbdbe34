"""What a person said on the page: of two that contradict each other one is stored, and what was never tagged is forgotten."""

from __future__ import annotations

import pytest

from hook.review.journal import Do
from hook.review.kept.instructions import Instruction, Instructions
from hook.session import Session

NOON, LATER = "2025-06-01T12:00:00+00:00", "2025-06-01T12:01:00+00:00"
MOVED = Instruction(2, (1,), Do.TRASH, keep=1, looked=frozenset({"a", "b"}), by="anna")


@pytest.mark.parametrize(
    ("other", "is_taken"),
    [
        (Instruction(1, (2,), Do.TRASH, keep=2), True),  # the same pair, the other way round
        (Instruction(2, (1, 7), Do.DISMISS), True),
        (Instruction(3, (2,), Do.TRASH, keep=2), True),  # would keep what goes
        (Instruction(3, (1,), Do.TRASH, keep=1), False),  # both keep the same one
        (Instruction(8, (9,), Do.KEEP), False),
    ],
)
def test_one_of_two_that_contradict_each_other_is_stored(
    session: Session, other: Instruction, is_taken: bool
) -> None:
    kept = Instructions(session.archive.index, lambda: NOON)
    assert kept.claim([MOVED], ()) is None
    assert (kept.claim([other], ()) is not None) == is_taken
    assert len(list(kept)) == (1 if is_taken else 2)
    found = kept.get(2)
    assert found is not None
    assert (found.looked, found.by, found.at, found.keep) == (MOVED.looked, "anna", NOON, 1)


@pytest.mark.parametrize("tagged", [(), (2,)])
def test_what_was_never_tagged_is_forgotten_after_a_minute(session: Session, tagged: tuple[int, ...]) -> None:
    """A kill between the two leaves a claim that stops nobody for long; a tag that is there keeps it."""
    at = [NOON]
    kept = Instructions(session.archive.index, lambda: at[0])
    kept.claim([MOVED], ())
    kept.forget_others(tagged)
    assert kept.get(2) is not None
    at[0] = LATER
    assert (kept.claim([Instruction(2, (1,), Do.KEEP)], tagged) is not None) == bool(tagged)
    at[0] = "2025-06-01T12:02:30+00:00"
    kept.forget_others(tagged)
    assert (kept.get(2) is not None) == bool(tagged)
