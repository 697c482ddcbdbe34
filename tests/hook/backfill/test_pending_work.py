"""What a run owes is kept until it is paid, also when a document is owed two things."""

from __future__ import annotations

from pathlib import Path

import pytest

from dedupe_core.model import Relation
from hook.backfill.pending_work import Unsettled
from hook.findings.findings import Finding
from hook.findings.plan import Examined
from hook.paperless.values import RawDocument
from tests.hook.index.index_kit import open_index

FOUND = Finding(3, Relation.RESCAN, 0.97, "the same letter", 0, "ab12")


def test_a_finding_comes_back_as_it_was_judged(tmp_path: Path) -> None:
    with open_index(tmp_path) as index:
        Unsettled(index).owe_write(Examined(RawDocument(7), (FOUND,), content_hash="cd34"))
    with open_index(tmp_path) as index:
        owed = Unsettled(index)
        assert list(owed.writes()) == [7]
        head = RawDocument(7, "a title")
        assert owed.owed_write(head) == Examined(head, (FOUND,), content_hash="cd34")
        owed.written([7, 8])
        assert len(owed) == 0


def test_a_document_can_be_owed_both(tmp_path: Path) -> None:
    """Its finding is to be written, and another document asks that it be examined again."""
    with open_index(tmp_path) as index:
        owed = Unsettled(index)
        owed.owe_write(Examined(RawDocument(7), (FOUND,)))
        owed.owe_examination([7, 9, 7])
        owed.written([7])
        assert list(owed.examinations()) == [7, 9]
        owed.examined(7)
        assert (owed.awaits_examination(7), owed.awaits_examination(9)) == (False, True)


def test_what_is_owed_comes_and_goes_with_the_transaction(tmp_path: Path) -> None:
    """A batch that is taken back has examined nothing, so it owes nothing."""
    with open_index(tmp_path) as index:
        owed = Unsettled(index)

        def batch() -> None:
            with index.batch():
                owed.owe_write(Examined(RawDocument(7), (FOUND,)))
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            batch()
        assert len(owed) == 0
