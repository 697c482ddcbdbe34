"""Pending work is kept until it is done, also if there are two things to do for one document."""

from __future__ import annotations

from pathlib import Path

from dedupe_core.model import Relation, Statement, StatementKind
from hook.backfill.pending_work import PendingWork
from hook.findings.findings import Finding
from hook.findings.plan import ExaminationResult
from hook.paperless.values import RawDocument
from tests.hook.index.index_kit import open_index

FOUND = Finding(3, Relation.RESCAN, 0.97, (Statement(StatementKind.SAME_PAPER),), 0, "ab12")


def test_a_finding_comes_back_as_it_was_judged(tmp_path: Path) -> None:
    with open_index(tmp_path) as index:
        PendingWork(index).add_write(ExaminationResult(RawDocument(7), (FOUND,), content_hash="cd34"))
    with open_index(tmp_path) as index:
        pending = PendingWork(index)
        assert list(pending.writes()) == [7]
        head = RawDocument(7, "a title")
        assert pending.write_of(head) == ExaminationResult(head, (FOUND,), content_hash="cd34")
        pending.written([7, 8])
        assert len(pending) == 0


def test_a_document_can_be_in_both_lists(tmp_path: Path) -> None:
    """Its finding is to be written, and another document led to it being examined again."""
    with open_index(tmp_path) as index:
        pending = PendingWork(index)
        pending.add_write(ExaminationResult(RawDocument(7), (FOUND,)))
        pending.add_examinations([7, 9, 7])
        pending.written([7])
        assert list(pending.examinations()) == [7, 9]
        pending.examined(7)
        assert (pending.awaits_examination(7), pending.awaits_examination(9)) == (False, True)
