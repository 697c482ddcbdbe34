"""A corrected paper under its old number, a web page printed again, and what only looks like one of them."""

from __future__ import annotations

import pytest

from dedupe_core.model import Relation
from tests.core.core_kit import verdict_on

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
