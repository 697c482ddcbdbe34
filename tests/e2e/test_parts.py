"""Parts through the real hook: threads, bundles, a form in a manual; and no flood of notes."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.core.compare.parts_kit import pages, prose
from tests.e2e.hook_kit import Hooked
from tests.live.texts import Texts

MAILS = 12


def consume(hooked: Hooked, content: str, title: str) -> int:
    number = hooked.fake.add_document(content, title)
    ran = hooked.hook(number)
    assert ran.code == 0, ran.err
    return number


def mail(number: int, texts: Texts) -> str:
    """What one writes into a mail, over the quoted one."""
    day = f"{number + 3:02}.03.2025"
    return (
        f"From: Ann Sorvik <ann@example.org>\nSent: {day} {8 + number}:1{number % 10}\nSubject: The fence along the railway\n\n"
        f"{texts.letter()}\n{prose(300 + number, 40)}\n"
    )


def quoted(text: str) -> str:
    return "\n".join(f"> {line}" for line in text.splitlines())


@pytest.fixture
def thread(hooked: Hooked, texts: Texts) -> list[int]:
    """Twelve mails, each with the last one quoted below it."""
    numbers, last = [], ""
    for number in range(MAILS):
        last = mail(number, texts) + (f"\n---- the last mail ----\n{quoted(last)}" if last else "")
        numbers.append(consume(hooked, last, f"mail {number}"))
    return numbers


def test_each_mail_of_a_thread_is_part_of_the_next(hooked: Hooked, thread: list[int]) -> None:
    """Every mail but the first has one note: the strongest few findings, the last mail among them, and how many more."""
    assert hooked.fake.document(thread[0]).notes == ()
    for last, number in pairwise(thread):
        seen = hooked.fake.document(number)
        assert len(seen.notes) == 1
        assert "dedupe:contained" in seen.tags
        assert last in seen.custom_fields["Similar documents"]
        assert f" is part of #{number}, " in seen.notes[0]
    note = hooked.fake.document(thread[7]).notes[0]
    assert note.count("Looks like #") == 3
    assert note.endswith("\nand 4 more")


def test_a_quarterly_bundle_holds_its_three_invoices(hooked: Hooked, texts: Texts) -> None:
    """The invoices are siblings and say nothing; the bundle says which pages they are."""
    invoices = [texts.invoice(month) + prose(20 + month, 60) for month in (1, 2, 3)]
    singles = [consume(hooked, text, f"invoice {number}") for number, text in enumerate(invoices)]
    bundle = consume(hooked, pages(prose(1, 120), *invoices), "first quarter")
    assert all(hooked.fake.document(number).notes == () for number in singles)
    seen = hooked.fake.document(bundle)
    assert {tag for tag in seen.tags if tag.startswith("dedupe:")} == {"dedupe:review", "dedupe:contained"}
    assert len(seen.notes) == 1
    for page, number in enumerate(singles, 2):
        assert f"#{number} is page {page} of #{bundle}" in seen.notes[0]


def test_a_form_in_a_manual_of_300_pages(hooked: Hooked, texts: Texts) -> None:
    """The index keeps the text of 20 pages; the sampled passages know the others, too. Whichever comes first."""
    form, later = (texts.letter() + prose(seed, 150) for seed in (5, 6))
    manual = [prose(1000 + number, 330) for number in range(300)]
    manual[149], manual[3] = form, later
    number = consume(hooked, form, "form")
    whole = consume(hooked, pages(*manual), "manual")
    (note,) = hooked.fake.document(whole).notes
    assert " - contained, " in note
    assert f"#{number} is " in note and f" of #{whole}" in note
    part = consume(hooked, texts.scanned_again(later), "another form")
    (note,) = hooked.fake.document(part).notes
    assert f"#{part} is page 4 of #{whole}" in note


def test_editions_of_terms_say_which_is_newer_and_what_changed(hooked: Hooked) -> None:
    """Of three; the note on the newest names itself, and no word of the text."""
    sections = [prose(700 + number, 90) for number in range(8)]
    editions = [
        ("Terms of use, as of 01.03.2022", sections[:6]),
        ("Terms of use, as of 01.03.2023", sections[:7]),
        ("Terms of use, as of 01.03.2024", sections),
    ]
    numbers = [consume(hooked, "\n\n".join([head, *text]), head) for head, text in editions]
    (note,) = hooked.fake.document(numbers[-1]).notes
    assert " - revision, " in note
    assert f"#{numbers[-1]} is newer" in note
    assert "section added (90 words)" in note
