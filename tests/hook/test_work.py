"""What happens to an event: done, or kept for the next run; and which errors cost the document an attempt."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hook.errors import (
    AddressError,
    AnswerError,
    DedupeError,
    IndexFull,
    RefusedError,
    RightsError,
    TemporaryError,
    TokenError,
    described,
    stops_run,
)
from hook.work import examine_now
from tests.fakes import FakePaperless
from tests.hook.findings.writing_kit import Desk, desk

LETTER = "letter about the roof of the house"
RESCAN = "letter about the roof of the h0use"


@pytest.fixture
def at(fake: FakePaperless, tmp_path: Path) -> Iterator[Desk]:
    with desk(fake, tmp_path) as made:
        yield made


@pytest.mark.parametrize(
    ("error", "stops"),
    [
        (TemporaryError("GET /", "late"), True),
        (TokenError("GET /", "wrong"), True),
        (AddressError("GET /", "a page"), True),
        (IndexFull(Path("/index"), "disk full"), True),
        (RightsError("GET /", "forbidden"), False),
        (RefusedError("GET /", "refused"), False),
        (AnswerError("GET /", "odd"), False),
        (ZeroDivisionError("text of a document"), False),
    ],
)
def test_which_errors_end_a_run(error: Exception, stops: bool) -> None:
    """Those that the next document would meet as well. The message of an unexpected one is not shown."""
    assert stops_run(error) == stops
    assert ("text of a document" in described(error)) is False
    assert (described(error) == str(error)) == isinstance(error, DedupeError)


def test_examined_at_once_with_what_it_leads_to(fake: FakePaperless, at: Desk) -> None:
    """One line for each document: the last one, when nothing is left to do."""
    old, new = fake.add_document(LETTER), fake.add_document(RESCAN)
    lines: list[str] = []
    at.run(new)
    examine_now(at.session, [old], lines.append)
    assert [line.split()[0] for line in lines] == [f"#{old}:", f"#{new}"]
    assert "looks like a rescan" in lines[1]
