"""What confirming does may differ by relation; `replace` lets the newer edition take over from the older."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.compare.parts_kit import prose
from tests.e2e.archive_kit import Desk
from tests.e2e.review_kit import decide, flagged
from tests.fakes import FakePaperless, reply
from tests.hook.findings.test_origin import PAGE, stream
from tests.live.pdf import text_pdf


def editions(desk: Desk) -> tuple[int, int]:
    """Terms of two years; the newer ones came in first."""
    sections = [prose(700 + number, 90) for number in range(8)]
    newer = "\n\n".join(["Terms of use, as of 01.03.2024", *sections])
    older = "\n\n".join(["Terms of use, as of 01.03.2023", *sections[:7]])
    second = desk.fake.add_document(newer, "Terms 2024", added="2025-01-01T10:00:00")
    first = desk.fake.add_document(
        older, "Terms 2023", added="2025-02-01T10:00:00", tags=["Contracts"], archive_serial_number=4
    )
    desk.run("setup")
    desk.sync()
    desk.fake.run_tasks()
    assert {"dedupe:revision", "dedupe:maybe"} & desk.fake.document(first).tags
    return first, second


def test_a_setting_for_one_relation_outranks_the_general_one(desk: Desk) -> None:
    pair = flagged(desk)
    decide(desk, pair.rescan, "dedupe:confirm", DEDUPE_ON_CONFIRM="trash", DEDUPE_ON_CONFIRM_RESCAN="keep")
    assert desk.fake.trashed == []


def test_a_digital_original_never_goes_to_the_trash_for_its_scan(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The files could not be read when the suggestion was made; before the trash they are looked at again. Only the
    person can say otherwise."""
    picture = b"%PDF-1.4\n" + stream(PAGE, b"pixels")
    with FakePaperless("2.20.15") as fake:
        desk = Desk(fake, tmp_path, capsys)
        fake.faults.add(
            "GET", "/download/", reply(404, '{"detail": "No file."}', "application/json"), times=None
        )
        pair = flagged(desk, letter={"data": picture}, rescan={"data": text_pdf("a letter")})
        assert any(f"Suggestion: keep #{pair.letter} " in note for note in fake.document(pair.rescan).notes)
        fake.faults.clear()
        decide(desk, pair.rescan, "dedupe:confirm", DEDUPE_ON_CONFIRM="trash")
        assert fake.trashed == []
        (note,) = [one for one in fake.document(pair.rescan).notes if one.startswith("Not done:")]
        assert f"#{pair.rescan} is born digital, and #{pair.letter} looks like a scan" in note
        decide(desk, pair.letter, "dedupe:keep", DEDUPE_ON_CONFIRM="trash")
        assert fake.trashed == [pair.rescan]
