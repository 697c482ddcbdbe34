"""What a person gets who scans, rescans, files a series of bills and uploads the same file twice."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from hook.paperless.values import RawDocument
from tests.live.servers import Server, Shown
from tests.live.texts import Texts

pytestmark = pytest.mark.live
NOTHING = Shown(frozenset(), (), ())


def marked(server: Server, subject: int, other: int, relation: str) -> None:
    """The subject is tagged, noted and linked, and the link can be followed from both ends."""
    shown = server.shown(subject)
    assert shown.tags == {"dedupe:review", f"dedupe:{relation}"}
    (note,) = shown.notes
    assert f"#{other} " in note
    assert other in shown.links
    assert subject in server.shown(other).links


def picture(server: Server, ids: list[int]) -> list[tuple[Shown, RawDocument]]:
    """All there is to see of these documents but `modified`, which Paperless sets some time after a write."""
    return [(server.shown(number), replace(server.document(number), modified="")) for number in ids]


def test_scan_rescan_sibling_and_exact_copy(real: Server, texts: Texts) -> None:
    """The rescan and the exact copy are marked, the next bill of a series is not; twice is once."""
    letter = texts.letter()
    first = real.consume(letter, "letter")
    rescan = real.consume(texts.scanned_again(letter), "letter scanned again")
    january = real.consume(texts.invoice(1), "bill for January")
    february = real.consume(texts.invoice(2), "bill for February")

    marked(real, rescan, first, "rescan")
    assert real.shown(january) == real.shown(february) == NOTHING
    assert not real.shown(first).tags
    assert not real.shown(first).notes

    everything = [first, rescan, january, february]
    everything += exact_copy(real, letter, first)
    before = picture(real, everything)
    for document_id in everything:
        real.run_hook(document_id)
    assert picture(real, everything) == before


def exact_copy(server: Server, letter: str, first: int) -> list[int]:
    """Paperless 3 takes the same bytes again, 2.20 refuses them: there, another file of the same text."""
    name = "letter from e-mail"
    task = server.settled(server.send(letter, name), letter, name)
    if task.status == "success":
        assert server.client.server_info().has_file_versions
        assert task.document is not None
        copy = task.document
    else:
        assert "duplicate" in task.result
        copy = server.consume(letter, name, comment="\n")
    assert "dedupe:identical" in server.shown(copy).tags
    assert first in server.shown(copy).links
    return [copy]


def test_letters_and_their_scans_at_once(real: Server, texts: Texts) -> None:
    """Whichever of two comes first: the one with the higher number is marked, both link to each other."""
    letters = [texts.letter() for _ in range(4)]
    files = [(name, text) for n, letter in enumerate(letters) for name, text in both(n, letter, texts)]
    tasks = [real.send(text, name) for name, text in files]
    numbers = [real.consumed(task, text, name) for task, (name, text) in zip(tasks, files, strict=True)]
    for pair in zip(numbers[::2], numbers[1::2], strict=True):
        marked(real, max(pair), min(pair), "rescan")
        assert not real.shown(min(pair)).tags
    queued = json.loads(real.run("queue", "--json"))
    assert not {row["document"] for row in (*queued["waiting"], *queued["dead"])} & set(numbers)


def both(number: int, letter: str, texts: Texts) -> list[tuple[str, str]]:
    return [(f"paper {number}", letter), (f"paper {number}, scan", texts.scanned_again(letter))]


def test_backfill_after_the_hook_changes_nothing(real: Server, texts: Texts) -> None:
    """What the hook has said is not said again."""
    letter = texts.letter()
    ids = [real.consume(letter, "letter"), real.consume(texts.scanned_again(letter), "scan")]
    before = picture(real, ids)
    real.run("backfill")
    real.run("backfill", "--sync", "--full")
    assert picture(real, ids) == before


def test_setup_and_check(real: Server) -> None:
    """A second `setup` finds everything there, and `check` has nothing to complain about."""
    real.run("setup")
    assert "created" not in real.run("setup")
    names = [view.name for view in real.client.saved_views()]
    assert names.count("Suspected duplicates") == 1
    assert "Broken" not in real.run("check")
