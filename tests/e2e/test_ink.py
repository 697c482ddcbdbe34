"""Looking at pages, from end to end: a misread digit is cleared by the print, a changed one never is, and nobody sees more
than Paperless shows them."""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from dedupe_core.model import Relation
from hook.findings.findings import Finding, Findings
from tests.e2e.archive_kit import Desk, opened
from tests.e2e.review_page.page_kit import Plain, examined, served
from tests.fakes import FakePaperless
from tests.hook.ink.papers import LETTER, paper, replaced
from tests.hook.ink.test_pictures import drawing

TRASH: dict[str, Any] = {"DEDUPE_ON_CONFIRM": "trash"}
SAME_PRINT = "looked at the page: same print"


def _pair(
    desk: Desk, *, printed: tuple[str, ...] = LETTER, read: tuple[str, ...], owner: str | None = None
) -> tuple[int, int]:
    """A letter, and a second scan: what is on its paper, and what was read of it."""
    first = desk.fake.add_document("\n".join(LETTER), "Bill", owner=owner, data=paper())
    second = desk.fake.add_document(
        "\n".join(read), "Scan", owner=owner, data=paper(printed, turn=0.6, x=76, y=714)
    )
    return first, second


MISREAD = replaced("119.40", "719.40")


def _reasons(desk: Desk, *options: str, **more: Any) -> list[tuple[str, str]]:
    """Relation and reason of every finding that a backfill with these options reports."""
    desk.run("setup")
    found = [line for line in desk.backfill(*options, **more) if line["event"] == "finding"]
    return [(line["relation"], line["reason"]) for line in found]


def _stored(desk: Desk) -> list[Finding]:
    with opened(desk) as archive:
        return [finding for record in Findings(archive.index) for finding in record.findings]


def test_a_doubt_is_cleared_by_the_page(desk: Desk) -> None:
    """The text cannot say whether the amount was changed; the two pages show the same."""
    _pair(desk, read=MISREAD)
    ((relation, reason),) = _reasons(desk, "--ink")  # as it was found, by the texts
    assert relation == "rescan" and "719.40" in reason
    (finding,) = _stored(desk)
    assert finding.relation is Relation.RESCAN and finding.reason.endswith(SAME_PRINT)
    assert "look before you delete" not in finding.reason
    assert any(
        SAME_PRINT in note for number in desk.fake.documents for note in desk.fake.document(number).notes
    )


ENCLOSED = (
    "Terms of supply for the households of Port Ellen",
    "Water is delivered to the boundary of the property.",
    "Pipes behind the meter belong to the owner of the house.",
    "Leaks have to be reported to the depot within two days.",
    "Meters are read twice a year by a member of our staff.",
    "A reading by the customer is accepted once in between.",
    "Complaints are answered within ten working days.",
    "These terms replace all earlier ones from 1 January 2020.",
)


@pytest.mark.parametrize(("printed", "seen"), [("119.40", "same print"), ("719.40", "different print")])
def test_a_part_with_a_doubt_is_looked_at_too(desk: Desk, printed: str, seen: str) -> None:
    """A letter with its enclosures, and the letter alone, on which one amount reads otherwise."""
    if seen == "different print" and shutil.which("tesseract") is None:
        pytest.skip("needs a second reading")
    whole, read = LETTER + ENCLOSED, replaced("119.40", "719.40" if seen == "same print" else printed)
    desk.fake.add_document("\n".join(whole), "With terms", data=paper(whole))
    part = paper(replaced("119.40", printed), turn=0.6, x=76, y=714)
    desk.fake.add_document("\n".join(read), "Scan", data=part)
    _reasons(desk, "--ink")
    (finding,) = _stored(desk)
    assert finding.relation is Relation.CONTAINED and f"looked at the page: {seen}" in finding.reason
    assert "look before you delete" not in finding.reason


def test_what_was_seen_is_kept_and_needs_no_extra_afterwards(desk: Desk) -> None:
    """A later run neither looks again nor forgets; with DEDUPE_INK=off it is as if nobody had looked."""
    _pair(desk, read=MISREAD)
    _reasons(desk, "--ink")
    asked = len([one for one in desk.fake.requests if "/download/" in one.path])
    desk.backfill("--ink", "--again")
    assert len([one for one in desk.fake.requests if "/download/" in one.path]) == asked
    assert _stored(desk)[0].reason.endswith(SAME_PRINT)
    desk.backfill("--again", DEDUPE_INK="off")
    assert "719.40" in _stored(desk)[0].reason


@pytest.mark.parametrize(("ink", "moved"), [("auto", 1), ("off", 0)])
def test_trash_needs_no_question_where_the_print_is_the_same(desk: Desk, ink: str, moved: int) -> None:
    """Without looking it is refused."""
    _, second = _pair(desk, read=MISREAD)
    _reasons(desk)
    desk.fake.tag(second, "dedupe:confirm")
    desk.backfill("--sync", DEDUPE_INK=ink, **TRASH)
    assert len(desk.fake.trashed) == moved


@pytest.mark.parametrize(("old", "new"), [("119.40", "719.40"), ("Mr", "Ms"), ("62", "82")])
def test_a_changed_paper_is_never_moved(desk: Desk, old: str, new: str) -> None:
    """Whatever the ink says of it: it is not the same print."""
    edited = replaced(old, new)
    _, second = _pair(desk, printed=edited, read=edited)
    _reasons(desk, "--ink")
    desk.fake.tag(second, "dedupe:confirm")
    desk.backfill("--sync", **TRASH)
    assert desk.fake.trashed == []


def _photo(seed: int, turn: float = 0.0) -> bytes:
    """A page with a drawing and not a word, as a scanner sends it."""
    drawn = Image.fromarray(drawing(seed).astype("uint8"))
    packed = io.BytesIO()
    drawn.rotate(turn, fillcolor=250).save(packed, "JPEG", quality=70, dpi=(50, 50))
    return packed.getvalue()


def test_pages_without_text_that_look_the_same_are_reported(desk: Desk) -> None:
    """Another drawing is not; without looking, or if it is switched off, nothing is."""
    first = desk.fake.add_document("", "Sketch", data=_photo(1))
    again = desk.fake.add_document(" . ", "Scan", data=_photo(1, turn=0.7))
    desk.fake.add_document("", "Plan", data=_photo(2))
    assert _reasons(desk) == [] and _stored(desk) == []
    desk.backfill("--ink")
    (finding,) = _stored(desk)
    assert (finding.other, finding.relation) == (first, Relation.RESCAN)
    assert finding.reason.startswith("looks the same")
    assert "looks the same" in desk.fake.document(again).notes[0]
    assert "looks the same" in desk.run("explain", str(first), str(again))[0]
    fetched = len([one for one in desk.fake.requests if "/download/" in one.path])
    desk.backfill("--ink", "--again")
    assert len([one for one in desk.fake.requests if "/download/" in one.path]) == fetched
    desk.backfill("--again", DEDUPE_INK="off")
    assert _stored(desk) == []


def test_what_looks_the_same_is_moved_only_if_a_person_says_which_one_to_keep(desk: Desk) -> None:
    """No word can be compared, and a picture this small does not show a changed digit."""
    first, again = (desk.fake.add_document("", "Sketch", data=_photo(1, turn)) for turn in (0.0, 0.7))
    _reasons(desk, "--ink")
    desk.fake.tag(again, "dedupe:confirm")
    desk.backfill("--sync", **TRASH)
    assert desk.fake.trashed == []
    assert any("no text to compare" in note for note in desk.fake.document(again).notes)
    desk.fake.tag(again, "dedupe:confirm")
    desk.fake.tag(first, "dedupe:keep")
    desk.backfill("--sync", **TRASH)
    assert list(desk.fake.trashed) == [again]


def test_crops_are_shown_to_who_may_see_both_and_to_nobody_else(tmp_path: Path) -> None:
    """The files are in the cache when the second person asks, and still nothing of them is shown."""
    with FakePaperless() as fake:
        desk = Desk(fake, tmp_path)
        fake.add_user("anna")
        fake.add_user("bert")
        first, second = _pair(desk, read=MISREAD, owner="anna")
        examined(fake, tmp_path)
        with served(fake, tmp_path) as at:
            anna, bert = Plain(at.port), Plain(at.port)
            shown = anna.enter("anna")
            assert f"places/{first}?other={second}" in shown.text.replace("&amp;", "&")
            crops = anna.get(f"/places/{first}?other={second}")
            assert crops.status == 200 and crops.text.count("data:image/png;base64,") == 2
            assert "same print" in crops.text and "719.40" in crops.text
            assert anna.get(f"/sheet/{first}?page=0").body.startswith(b"\x89PNG")
            bert.enter("bert")
            hidden = bert.get(f"/places/{first}?other={second}")
            assert "data:image" not in hidden.text and "719.40" not in hidden.text
            assert bert.get(f"/sheet/{first}?page=0").status == 404
            assert Plain(at.port).get(f"/sheet/{first}?page=0").body[:4] != b"\x89PNG"
        kept = list((desk.index_dir / "ink").iterdir())
        assert len(kept) == 2 and all(one.stat().st_mode & 0o777 == 0o600 for one in kept)
        assert (desk.index_dir / "ink").stat().st_mode & 0o777 == 0o700


def test_the_report_has_the_crops_in_it(desk: Desk, tmp_path: Path) -> None:
    """As pictures in the file, without a button; none if pages are not looked at."""
    _pair(desk, read=MISREAD)
    _reasons(desk)
    desk.run("report", "--html", str(tmp_path / "with.html"))
    desk.run("report", "--html", str(tmp_path / "without.html"), DEDUPE_INK="off")
    crops, none = ((tmp_path / name).read_text() for name in ("with.html", "without.html"))
    pictures = [one.count('<img src="data:image/png;base64,') for one in (crops, none)]
    assert pictures == [4, 2] and "same print" in crops  # with the thumbnails of both
    assert "data-page" not in crops and "same print" not in none


def test_off_imports_nothing(tmp_path: Path) -> None:
    """Not the engine, nor what it needs: a run of the hook or a backfill without it costs what it did before."""
    program = """
import sys
from hook import cli
code = cli.main(["backfill", "--quiet"], {environ!r})
found = [name for name in sys.modules if name.startswith(("pypdfium2", "PIL", "hook.ink"))]
print(code, sorted(found))
"""
    with FakePaperless() as fake:
        desk = Desk(fake, tmp_path)
        _pair(desk, read=MISREAD)
        environ = desk.environ(DEDUPE_INK="off")
        done = subprocess.run(
            [sys.executable, "-c", program.format(environ=environ)],
            capture_output=True,
            text=True,
            check=True,
        )
    assert done.stdout.strip() == "0 []"
