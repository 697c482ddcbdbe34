"""A corrected paper under its old number, another edition under the same title, a web page printed again, and what only looks like one of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from dedupe_core.compare.agreement import Agreement
from dedupe_core.judge.special import is_corrected, is_new_edition
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


RULES = """Rules of the {club}
{edition}
1. Name. The club has its seat in Ely and is entered in the register of associations there.
2. Members. Anybody who can swim may become a member; the committee decides on a written application.
3. Fees. The fee is paid in {fees}, and whoever joins during the year pays the share that is left of it.
4. Committee. The committee is elected for {term} years and has {seats}. It stays in office until the next election.
5. End. If the club is dissolved, its boats and its money go to the town, which uses them for the young people of Ely.
"""
OLD = {"club": "Ely Rowing Club", "edition": "Version of 4 March 2019", "fees": "January", "term": "two", "seats": "a chair, a treasurer and a boatman"}  # fmt: skip
NEW = {**OLD, "edition": "Version of 17 November 2023", "fees": "two parts, in January and in July", "term": "four", "seats": "five members, who choose a chair among them"}  # fmt: skip
OTHERS = [
    RULES.format(**{**NEW, "club": f"{town} Rowing Club", "edition": f"Version of {day} May 2021"})
    for day, town in enumerate(("Soham", "March", "Wisbech", "Chatteris"), start=3)
]


def test_another_edition_under_the_same_title_is_a_revision() -> None:
    """Among the rules of other clubs, which have the same clauses."""
    verdict = verdict_on(RULES.format(**OLD), RULES.format(**NEW), *OTHERS)
    assert (verdict.relation, verdict.flagged) == (Relation.REVISION, True), verdict.reason


NO_NEW_EDITION = {
    "another club": {"club": "Bourne Rowing Club"},
    "another section": {"club": "Ely Rowing Club Juniors"},
    "no edition": {"edition": "Adopted by all members"},
    "the same edition": {"edition": OLD["edition"]},
}


@pytest.mark.parametrize("other", NO_NEW_EDITION.values(), ids=NO_NEW_EDITION)
def test_another_edition_needs_the_title_and_the_edition(other: dict[str, str]) -> None:
    old, new = RULES.format(**OLD), RULES.format(**{**NEW, **other})
    assert not is_new_edition(evidence_on(old, new, *OTHERS))
    assert not is_new_edition(evidence_on(new, old, *OTHERS))


def test_the_title_of_another_edition_may_be_misread() -> None:
    """A letter in five of a word."""
    scan = RULES.format(**{**NEW, "club": "Ely Rowihg C1ub"})
    assert is_new_edition(evidence_on(RULES.format(**OLD), scan, *OTHERS))


@pytest.mark.parametrize(
    "but",
    [{"coverage_high": 0.5}, {"in_order": 0.3}, {"references_conflict": 1.0}, {"certain_contacts": 1.0}],
)
def test_another_edition_is_mostly_the_same_text_with_the_same_numbers(but: dict[str, float]) -> None:
    found = evidence_on(RULES.format(**OLD), RULES.format(**NEW), *OTHERS)
    assert is_new_edition(found)
    assert not is_new_edition(replace(found, measures={**found.measures, **but}))
