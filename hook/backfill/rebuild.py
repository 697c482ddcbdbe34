"""Builds the index again beside the old one, and what is derived from other entries after damage.

Until the new index is complete, the old one is used by everybody else. A killed rebuild continues the next time.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from hook.backfill.batches import Options
from hook.backfill.pending_work import PendingWork
from hook.backfill.report import Report
from hook.backfill.run import BackfillRun
from hook.errors import IndexDamaged, IndexFault
from hook.findings.findings import Findings
from hook.index.interface import DocumentIndex
from hook.paperless.client import connect as connect_to_paperless
from hook.paperless.labels import note_lost_id
from hook.review.journal import Journal
from hook.session import Connect, Session, index_problem, open_archive, opened
from hook.settings.model import Settings

BESIDE: Final = "rebuilding"


def rebuild(settings: Settings, *, quiet: bool, connect: Connect = connect_to_paperless) -> None:
    """Afterwards the index has all documents that Paperless has, and each of them waits to be examined.

    Call it with the run lock held.
    """
    beside = settings.index_dir / BESIDE
    # If the old index cannot be read, its id may be lost, and it is still the one of this Paperless.
    is_damaged = isinstance(index_problem(settings), IndexDamaged)
    with _opened_beside(settings, beside, connect) as session:
        session.labels.take_the_place()
        BackfillRun(session, Options(index_only=True, quiet=quiet), Report()).backfill()
    with open_archive(settings, empty=True, filled=beside) as archive:
        derive(archive.index)
        if is_damaged:
            note_lost_id(archive.index)
    shutil.rmtree(beside, ignore_errors=True)


@contextmanager
def _opened_beside(settings: Settings, beside: Path, connect: Connect) -> Iterator[Session]:
    """What a killed rebuild left is continued, unless it cannot be used."""
    fresh = settings.model_copy(update={"index_dir": beside})
    with ExitStack() as stack:
        try:
            session = stack.enter_context(opened(fresh, connect=connect))
        except IndexFault:
            shutil.rmtree(beside, ignore_errors=True)
            session = stack.enter_context(opened(fresh, connect=connect))
        yield session


def derive(index: DocumentIndex) -> None:
    """What follows from other entries, which damage may have taken away."""
    Findings(index).restore_others()
    Journal(index).restore_open()


def recover(index: DocumentIndex, *, lost_values: bool) -> None:
    """After a repair. If findings may be lost, the next backfill examines every document again."""
    derive(index)
    note_lost_id(index)
    if lost_values:
        PendingWork(index).add_examinations(list(index.ids()))
