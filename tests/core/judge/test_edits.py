"""Small edits in a text that was read well: another digit, name or number word, a negation, a moved clause."""

from __future__ import annotations

import pytest

from dedupe_core.judge.edits import is_meant_otherwise, is_renumbered
from dedupe_core.model import Relation
from tests.core.core_kit import evidence_on, verdict_on

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


def test_a_name_that_became_a_similar_one_is_named() -> None:
    """Half of its letters differ, so it may be misread; but nothing else was."""
    text = LEASE.format(rent="360.00", account="70231846", rest="")
    verdict = verdict_on(text, text.replace("Denby", "Darby"))
    assert verdict.relation is Relation.REVISION
    assert '"Denby." / "Darby."' in verdict.reason


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


@pytest.mark.parametrize(
    ("rent", "account"), [("340.00", "70231846"), ("360.00", "70231546")], ids=["rent", "account"]
)
def test_a_digit_that_scanners_do_not_confuse_is_an_edit_beside_misread_letters(
    rent: str, account: str
) -> None:
    """No scanner reads a 4 for a 6, or a 5 for an 8 of this form, between words that it read well."""
    rest = "Both sides have read and signed it on 3 May 2024."
    first = LEASE.format(rent="360.00", account="70231846", rest=rest)
    second = LEASE.format(rent=rent, account=account, rest=rest.replace("sides have", "sldes havc"))
    ledger = evidence_on(first, second).ledger
    assert is_renumbered(ledger) is (not any(one.slip for one in ledger.differences))
    assert (
        is_renumbered(
            evidence_on(first, second.replace("working", "vvorkhig").replace("tenant", "tcnaht")).ledger
        )
        is False
    )


def test_a_moved_clause_is_an_edit() -> None:
    text = LEASE.format(rent="360.00", account="70231846", rest="Dogs are welcome.")
    clause = "Boats longer than seven metres need the written consent of the landlord. "
    moved = text.replace(clause, "").replace("The tenant keeps", f"{clause}The tenant keeps")
    verdict = verdict_on(text, moved)
    assert (verdict.relation, verdict.flagged) == (Relation.REVISION, True), verdict.reason
    assert "a passage moved" in verdict.reason
