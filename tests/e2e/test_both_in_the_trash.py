"""The document to keep is trashed by somebody in the moment of our trash: the other one comes back, with a note."""

from __future__ import annotations

import pytest

from hook.review.journal import Stage
from tests.e2e.archive_kit import Desk
from tests.e2e.review_kit import decide, decisions, flagged, operations, sync
from tests.fakes import After, Before

TRASH = {"DEDUPE_ON_CONFIRM": "trash"}


@pytest.mark.parametrize("moment", [Before, After])
@pytest.mark.parametrize("emptied", [False, True])
def test_the_other_one_is_restored(desk: Desk, moment: type[Before | After], emptied: bool) -> None:
    """Never both in the trash: also if the trash was emptied of the one that was to be kept."""
    pair = flagged(desk, letter={"archive_serial_number": 5}, rescan={"tags": ["Tax"], "notes": ["ask Anna"]})

    def somebody() -> None:
        desk.fake.trash(pair.letter)
        if emptied:
            desk.fake.state.expunge(desk.fake.state.documents[pair.letter])

    desk.fake.faults.add("DELETE", f"/api/documents/{pair.rescan}/$", moment(somebody))
    err = decide(desk, pair.rescan, "dedupe:confirm", **TRASH)
    assert desk.fake.trashed == ([] if emptied else [pair.letter])
    left = desk.fake.document(pair.rescan)
    assert "Tax" in left.tags
    notes = [note for note in left.notes if note.startswith("Not done:")]
    assert len(notes) == 1
    assert f"#{pair.letter} was deleted" in notes[0]
    assert "as before" in err
    assert [one.stage for one in operations(desk)] == [Stage.ROLLED_BACK]
    assert decisions(desk) == []
    sync(desk, **TRASH)
    assert pair.rescan not in desk.fake.trashed
