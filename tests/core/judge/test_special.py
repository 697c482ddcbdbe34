"""A corrected paper under its old number, a web page printed again, and what only looks like one of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from dedupe_core.compare.agreement import Agreement
from dedupe_core.judge.special import is_corrected
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


OLD_BILL = CORRECTED.format(head="Invoice", work="3,276.00", total="3,888.40")
NEW_BILL = CORRECTED.format(head="Corrected invoice", work="2,886.00", total="3,498.40")
LIST = "Sand, slabs, drain pipes, a spirit level, two barrows, edging, mortar, sealing, waste, parking, travel, storage, tools\n"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (OLD_BILL, NEW_BILL.replace("Corrected invoice", "Invoice")),
        (OLD_BILL, NEW_BILL.replace("2026-0417", "2026-0533")),
        (OLD_BILL, NEW_BILL.replace("08.06.2026", "19.07.2026")),
        (OLD_BILL, CORRECTED.format(head="Corrected invoice", work="3,276.00", total="3,888.40")),
        (f"{OLD_BILL}To Mr Paul Denby, for the house in Mill Lane", f"{NEW_BILL}To Mrs Ada Finch, for the house in Mill Lane"),
        (OLD_BILL + 3 * LIST, NEW_BILL + " ".join(reversed((3 * LIST).split()))),
    ],
    ids=["no word", "other number", "other date", "same amounts", "other customer", "other order"],
)  # fmt: skip
def test_what_is_no_correction(first: str, second: str) -> None:
    assert is_corrected(evidence_on(OLD_BILL, NEW_BILL))
    assert not is_corrected(evidence_on(first, second))


def agreement(kind: str, shared: str, only_a: str, only_b: str) -> Agreement[Any]:
    return Agreement(kind, frozenset(shared), frozenset(only_a), frozenset(only_b), {}, {})


@pytest.mark.parametrize("kind", ["references", "dates"])
@pytest.mark.parametrize(
    ("facts", "is_same"),
    [
        (("x", "", ""), True),
        (("x", "a", ""), True),
        (("x", "", "b"), True),
        (("x", "a", "b"), False),
        (("", "", ""), False),
        (("", "a", ""), False),
    ],
)
def test_a_correction_has_the_number_and_the_day_of_the_first(
    kind: str, facts: tuple[str, str, str], is_same: bool
) -> None:
    """What only one of them has may be a lost line; what each has alone is another number."""
    changes: dict[str, Any] = {kind: agreement(kind, *facts)}
    assert is_corrected(replace(evidence_on(OLD_BILL, NEW_BILL), **changes)) is is_same


@pytest.mark.parametrize(
    "but", [{"coverage_high": 0.5}, {"in_order": 0.5}, {"certain_names": 1.0}, {"certain_contacts": 1.0}]
)
def test_a_correction_says_the_same_of_the_same_people(but: dict[str, float]) -> None:
    found = evidence_on(OLD_BILL, NEW_BILL)
    assert not is_corrected(replace(found, measures={**found.measures, **but}))


@pytest.mark.parametrize("facts", [("x", "a", ""), ("x", "", "b"), ("x", "", "")])
def test_a_correction_has_other_amounts(facts: tuple[str, str, str]) -> None:
    assert not is_corrected(replace(evidence_on(OLD_BILL, NEW_BILL), amounts=agreement("amounts", *facts)))


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
