"""Small edits in a text that was read well: another digit, name or number word, a negation, a moved clause."""

from __future__ import annotations

import pytest

from dedupe_core.judge.edits import has_other_sentence, is_called_corrected, is_meant_otherwise, is_renumbered
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


@pytest.mark.parametrize(
    ("first", "second", "is_same"),
    [
        ("DE89 3704 0044 0532 0130 00", "DE89 3704 0044 0582 0130 00", True),
        ("DE89 3704 0044 0532 0130 00", "DE67 3704 0044 0532 0130 08", False),
    ],
    ids=["misread", "another"],
)
def test_check_digits_tell_an_edit_from_a_misread_account(first: str, second: str, is_same: bool) -> None:
    """Even where nothing else was misread: nobody writes an account that does not exist."""
    texts = [LEASE.format(rent="360.00", account=account, rest="") for account in (first, second)]
    assert (verdict_on(*texts).relation is Relation.RESCAN) is is_same


PLAIN = LEASE.format(rent="360.00", account="70231846", rest="")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Lease of", "Corrected lease of"),
        ("between Mrs", "(correction) between Mrs"),
        ("The tenant keeps", "This page replaces the first one. The tenant keeps"),
    ],
    ids=["title", "word", "sentence"],
)
def test_a_paper_that_says_that_it_is_a_correction_is_one(old: str, new: str) -> None:
    """Whatever else is equal, and whatever else was misread."""
    other = PLAIN.replace("Boats longer", "Boals 1onger")
    for one in (PLAIN, other):
        assert verdict_on(one, PLAIN.replace(old, new)).relation is Relation.REVISION


def test_two_corrections_are_as_alike_as_two_other_papers() -> None:
    """The word is on both."""
    corrected = PLAIN.replace("Lease of", "Corrected lease of")
    assert (
        verdict_on(corrected, corrected.replace("Boats longer", "Boals 1onger")).relation is Relation.RESCAN
    )


DOGS = PLAIN.replace("The landlord may enter", "\nDogs are kept on a lead.\nThe landlord may enter")


def test_a_sentence_on_a_line_of_its_own_is_an_edit_where_nothing_was_misread() -> None:
    """No scanner loses a line and reads all other letters right."""
    for texts in ((PLAIN, DOGS), (DOGS, PLAIN)):
        verdict = verdict_on(*texts)
        assert verdict.relation is Relation.REVISION
        assert "6 words" in verdict.reason


@pytest.mark.parametrize("line", ["Received 14 May", "Dogs kept lead", "~ ,, 1| eae _ rn. oe.", "ok."])
def test_a_stamp_or_a_stain_is_no_sentence(line: str) -> None:
    """Marks that somebody put on one copy: a sentence ends with a full stop and is made of words."""
    found = evidence_on(PLAIN, PLAIN.replace("The landlord may enter", f"\n{line}\nThe landlord may enter"))
    assert not has_other_sentence(found.ledger)


def test_a_badly_read_copy_may_lack_a_sentence() -> None:
    misread = PLAIN.replace("Boats longer", "Boals 1onger").replace("quarter", "quarler")
    assert not has_other_sentence(evidence_on(misread, DOGS).ledger)


def test_a_short_text_may_lack_a_sentence() -> None:
    short = "The landlord may enter the boathouse after giving notice of three days."
    longer = short.replace("after giving", "\nDogs are kept on a lead.\nafter giving")
    assert not has_other_sentence(evidence_on(short, longer).ledger)


RULES = """Hausordnung der Wohnanlage am Mühlbach, gültig für alle Mieterinnen und Mieter.
Im Treppenhaus darf ein Fahrrad abgestellt werden, wenn die Tür frei bleibt. Die Kellertür wird ab zehn Uhr abends abgeschlossen.
Wäsche wird im Trockenraum aufgehängt und am nächsten Tag abgenommen. Der Müll wird getrennt und in die Tonnen am Hof gebracht.
Kinder spielen im Hof bis acht Uhr abends. Der Schlüssel zum Dachboden liegt beim Hausmeister und wird gegen Unterschrift ausgegeben.
Wer länger als zwei Wochen verreist, gibt dem Hausmeister Bescheid."""


def test_a_letter_that_makes_a_negation_is_an_edit() -> None:
    """`ein` and `kein`: one letter, and the opposite."""
    for text in (RULES, RULES.replace("Mühlbach", "Muhlbach")):
        verdict = verdict_on(text, RULES.replace("darf ein Fahrrad", "darf kein Fahrrad"))
        assert verdict.relation is Relation.REVISION
        assert "kein" in verdict.reason


def test_a_letter_that_makes_no_negation_is_noise() -> None:
    """`Hof` and `of`, and where more is misread, a letter more of `ein`."""
    assert not is_meant_otherwise(evidence_on(RULES, RULES.replace("im Hof", "im of")).ledger)
    misread = (
        RULES.replace("Schlüssel", "Sch1üsse1").replace("Dachboden", "Dachbodeu").replace("zwei", "zwoi")
    )
    misread = misread.replace("Trockenraum", "Trockenraurn").replace("Hausmeister", "Hausrneister")
    assert not is_meant_otherwise(evidence_on(misread, RULES.replace("ein Fahrrad", "kein Fahrrad")).ledger)


def test_a_number_word_is_another_one_also_where_pages_changed_places() -> None:
    """The word that is in its place now is elsewhere in the other text, too."""
    pages = RULES.split("\n")
    other = [*pages[2:], *pages[:2]]
    text = "\n".join([*pages, "Das Haus hat acht Stockwerke und einen Garten."])
    changed = "\n".join([*other, "Das Haus hat zehn Stockwerke und einen Garten."])
    assert is_meant_otherwise(evidence_on(text, changed).ledger)


@pytest.mark.parametrize("mark", ["Rev. 2", "Version 3", "(Revision 2)", "2. Fassung 4"])
def test_a_paper_that_says_which_edition_it_is_is_one(mark: str) -> None:
    """If the other does not say so."""
    assert verdict_on(PLAIN, PLAIN.replace("Mill Pond,", f"Mill Pond, {mark},")).relation is Relation.REVISION


@pytest.mark.parametrize("mark", ["Copy", "2 of 2", "version", "page 2"])
def test_other_marks_make_no_edition(mark: str) -> None:
    found = evidence_on(PLAIN, PLAIN.replace("Mill Pond,", f"Mill Pond, {mark},"))
    assert not is_called_corrected(found.ledger)


def test_several_other_numbers_in_a_text_that_is_equal_to_the_letter_are_an_edit() -> None:
    """A price and the total: scanners confuse these digits, but not two of them and no letter."""
    other = PLAIN.replace("360.00", "380.00").replace("70231846", "70281846")
    assert verdict_on(PLAIN, other).relation is not Relation.RESCAN


def test_the_same_number_word_beside_another_word_is_no_other_number() -> None:
    """Two places with "drei" in them differ, and in neither did it become another number."""
    text = RULES.replace("zwei Wochen", "drei Wochen drei Tage")
    other = RULES.replace("zwei Wochen", "drei Nächte drei Monde")
    assert not is_meant_otherwise(evidence_on(text, other).ledger)
    assert is_meant_otherwise(evidence_on(text, text.replace("drei Wochen", "vier Wochen")).ledger)
