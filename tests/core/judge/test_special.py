"""A corrected paper under its old number, a web page printed again, and what only looks like one of them."""

from __future__ import annotations

import pytest

from dedupe_core.judge.special import is_meant_otherwise
from dedupe_core.model import Relation
from tests.core.core_kit import evidence_on, verdict_on

BILL = """{head}

Dear Mrs Harmening,

for berth 14 at the north pier we charge you the monthly fee of 96.30 EUR. Please transfer the amount within 14 days to
our account. Electricity and water are included. If you have questions, please ask the harbour master, who is in the
office from eight to twelve on working days. Visitors may moor for one night if they register there first.

Yours sincerely
The committee
"""


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("www.club.example  Invoice HC-2026-0117  Date 03.02.2026", "www.club.example  Invoice HC-2026-0288  Date 03.03.2026"),
        ("https://club.example  Date 03.02.2026", "https://club.example  Date 03.03.2026"),
        ("https://club.example  Invoice HC-2026-0117  03.02.2026 18:41", "https://club.example  Invoice HC-2026-0288  03.03.2026 09:07"),
    ],
    ids=["letterhead", "address and date", "printed, other number"],
)  # fmt: skip
def test_next_months_bill_is_not_a_reprint(first: str, second: str) -> None:
    """The same fee each month; only the line with the address differs. Another date or number is another paper."""
    verdict = verdict_on(BILL.format(head=first), BILL.format(head=second))
    assert not verdict.flagged, verdict.reason


def test_a_page_that_a_browser_printed_twice_is_a_rescan() -> None:
    heads = (
        "03/02/2026, 18:41  Berths  https://club.example/berths",
        "21/06/2026, 09:07  Berths  https://club.example/berths",
    )
    verdict = verdict_on(*(BILL.format(head=head) for head in heads))
    assert (verdict.relation, verdict.flagged) == (Relation.RESCAN, True)


CORRECTED = """{head} no. 2026-0417          Date 08.06.2026

Paving of the drive, 42 square metres        {work} EUR
Delivery of gravel and kerbs                   612.40 EUR
Total                                        {total} EUR

Please transfer the amount within 14 days to our account at the savings bank. Thank you for your order.
"""


def test_a_correction_needs_the_word_and_the_same_number() -> None:
    """With both it is a revision; under another number it is another paper."""
    first = CORRECTED.format(head="Invoice", work="3,276.00", total="3,888.40")
    second = CORRECTED.format(head="Corrected invoice", work="2,886.00", total="3,498.40")
    assert verdict_on(first, second).relation is Relation.REVISION
    assert not verdict_on(first, second.replace("2026-0417", "2026-0533").replace("08.06.", "19.07.")).flagged


LEASE = """Lease of the boathouse at Mill Pond, between Mrs Harriet Osgood and Mr Paul Denby.

The tenant pays the rent of {rent} pounds on the first working day of each month to account {account}. The tenant keeps
the slipway clear and repairs damage to the doors at his own expense. The landlord may enter the boathouse after giving
notice of at least three working days. Boats longer than seven metres need the written consent of the landlord. Either
side may end this lease with notice of six months to the end of a quarter. {rest}
"""


@pytest.mark.parametrize(
    ("first", "second"),
    [(("360.00", "70231846"), ("380.00", "70231846")), (("360.00", "70231846"), ("360.00", "70281846"))],
    ids=["rent", "account"],
)
def test_one_other_digit_in_a_text_that_is_equal_to_the_letter_is_an_edit(
    first: tuple[str, str], second: tuple[str, str]
) -> None:
    """Scanners confuse these digits, but none that misread a digit reads seventy words without an error."""
    texts = [LEASE.format(rent=rent, account=account, rest="") for rent, account in (first, second)]
    verdict = verdict_on(*texts)
    assert verdict.relation not in (Relation.RESCAN, Relation.IDENTICAL), verdict.reason
    assert not verdict.flagged or "became" in verdict.reason


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Mrs Harriet Osgood", "Mr Walter Finch"),
        ("six months", "nine months"),
        ("may enter", "may not enter"),
    ],
    ids=["name", "number word", "not"],
)
def test_one_other_word_in_a_text_that_is_equal_to_the_letter_is_an_edit(old: str, new: str) -> None:
    text = LEASE.format(rent="360.00", account="70231846", rest="")
    verdict = verdict_on(text, text.replace(old, new))
    assert verdict.relation not in (Relation.RESCAN, Relation.IDENTICAL), verdict.reason


def test_a_misread_word_is_no_edit_even_if_nothing_else_was_misread() -> None:
    text = LEASE.format(rent="360.00", account="70231846", rest="")
    verdict = verdict_on(text, text.replace("boathouse after", "boathonsc after"))
    assert (verdict.relation, verdict.flagged) == (Relation.RESCAN, True), verdict.reason


def test_no_as_in_number_is_not_a_negation() -> None:
    """A line with an invoice number that one reading lost."""
    text = LEASE.format(rent="360.00", account="70231846", rest="Lease no. 428\nSigned in two copies.")
    ledger = evidence_on(text, text.replace("Lease no. 428\n", "")).ledger
    assert any(one.negation for one in ledger.differences)
    assert not is_meant_otherwise(ledger)


def test_a_digit_that_was_misread_beside_letters_is_noise() -> None:
    first = LEASE.format(
        rent="360.00", account="70231846", rest="Both sides have read and signed it on 3 May 2024."
    )
    second = LEASE.format(
        rent="380.00", account="70231846", rest="Both sldes havc read and signed it on 3 May 2024."
    )
    verdict = verdict_on(first, second)
    assert (verdict.relation, verdict.flagged) == (Relation.RESCAN, True), verdict.reason


def test_a_moved_clause_is_an_edit() -> None:
    text = LEASE.format(rent="360.00", account="70231846", rest="Dogs are welcome.")
    clause = "Boats longer than seven metres need the written consent of the landlord. "
    moved = text.replace(clause, "").replace("The tenant keeps", f"{clause}The tenant keeps")
    verdict = verdict_on(text, moved)
    assert (verdict.relation, verdict.flagged) == (Relation.REVISION, True), verdict.reason
    assert "a passage moved" in verdict.reason


FORM = """Rowing club Ely, application for membership

Name:{name}
Street:{street}
Telephone:{phone}
Date of birth:{born}

I have read the rules of the club and pay the fee of 60.00 pounds a year. Boats are used at my own risk. The membership
ends with notice of three months to the end of the year.
"""
BLANK = {"name": "", "street": "", "phone": "", "born": ""}
FILLED = {"name": " Paul Denby", "street": " Mill Lane 4", "phone": " 01353 440", "born": " 3 May 1984"}


def test_a_form_that_was_filled_in_is_not_the_blank_one() -> None:
    verdict = verdict_on(FORM.format(**BLANK), FORM.format(**FILLED))
    assert not verdict.flagged, verdict.reason


def test_a_filled_form_of_which_one_reading_lost_a_line_is_a_rescan() -> None:
    """One field is a lost line, three are a blank form."""
    verdict = verdict_on(FORM.format(**FILLED), FORM.format(**{**FILLED, "street": ""}))
    assert (verdict.relation, verdict.flagged) == (Relation.RESCAN, True), verdict.reason
