"""The ledger of differences: what a scanner did, what moved or was lost, and what says something else."""

from __future__ import annotations

import pytest
from hypothesis import given

from dedupe_core.compare.differences import differences
from dedupe_core.compare.ledger import Difference, Ledger
from dedupe_core.compare.ledger_measures import ledger_measures
from dedupe_core.compare.places import FAIR_RATE, Kind
from dedupe_core.compare.printed import read_printed
from dedupe_core.text.words import WordKind
from tests.core.core_kit import LETTER, PAIRS
from tests.corpus.noise import scanned

LEASE = """Mietvertrag zwischen Frau Ilse Brandt und Herrn Jonas Keller
Die Miete beträgt 880,00 Euro im Monat und ist am dritten Werktag fällig.
Die Kündigungsfrist beträgt drei Monate zum Ende eines Kalendermonats.
Haustiere dürfen in der Wohnung gehalten werden, wenn der Vermieter zustimmt.
Der Keller gehört zur Wohnung und wird gemeinsam mit ihr übergeben."""


def ledger(one: str, other: str) -> Ledger:
    return differences(read_printed(one), read_printed(other))


def only(one: str, other: str) -> tuple[Difference, tuple[str, str]]:
    found = ledger(one, other)
    (difference,) = found.differences
    return difference, found.sides(difference)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Kündigungsfrist", "Kundigungsfrlst"),
        ("Haustiere", "Haus tiere"),
        ("der Keller", "derKeller"),
        ("880,00", "88O,00"),
    ],
)
def test_what_a_scanner_does_is_noise(old: str, new: str) -> None:
    """Misread characters, split and joined words, a letter for a digit."""
    found = ledger(LEASE, LEASE.replace(old, new))
    assert {one.kind for one in found.differences} <= {Kind.NOISE}


NOTICE = """To the resident of Flat {flat}, 117 Bell Lane

Our fitter comes to every flat in the block and replaces the meter with the number {meter} at {time}
o'clock on the first working day of the month. Please clear the space below the windows before that day.
Tell us at {link} whether somebody will be at home, or leave the key with Mrs {name} in the ground floor.
We are sorry for the noise and the dust, and thank you for your patience in the meantime."""
RESIDENT = {"flat": "6", "meter": "72MZ0940608", "time": "9:06", "link": "www.fitters.example/S6JG9T", "name": "Irma Kaiser"}  # fmt: skip


@pytest.mark.parametrize(
    ("field", "other"),
    [
        ("flat", "13"),
        ("meter", "48XR4598053"),
        ("time", "6:09"),
        ("link", "www.fitters.example/G3TL5P"),
        ("name", "Bodo Wulff"),
    ],
)
def test_another_flat_serial_number_time_address_or_name_is_certain(field: str, other: str) -> None:
    """One letter of many: between equal words, and little else is misread."""
    scan = (
        NOTICE.format(**{**RESIDENT, field: other})
        .replace("windows", "wlndows")
        .replace("patience", "patlence")
    )
    found = ledger(NOTICE.format(**RESIDENT), scan)
    (difference,) = (one for one in found.differences if one.kind is not Kind.NOISE)
    left, right = found.sides(difference)
    assert (difference.kind, left.strip(","), right.strip(",")) == (Kind.FIELD, RESIDENT[field], other)
    assert difference.certain or field == "link"


@pytest.mark.parametrize(
    ("field", "misread"),
    [("flat", "8"), ("flat", "16"), ("meter", "72MZ09406O8"), ("meter", "72MZ094O6O9"), ("link", "www.fitters.example/S6JG9I")],
)  # fmt: skip
def test_a_misread_number_or_address_is_not_certain(field: str, misread: str) -> None:
    """A digit that scanners confuse, or one that was glued on."""
    found = ledger(NOTICE.format(**RESIDENT), NOTICE.format(**{**RESIDENT, field: misread}))
    assert not any(one.certain and not one.slip for one in found.differences)


def test_in_a_badly_read_text_another_short_number_is_not_certain() -> None:
    scan = scanned(NOTICE.format(**RESIDENT), "heavy", 3).replace("Flat 6", "Flat 13")
    found = ledger(NOTICE.format(**RESIDENT), scan)
    assert found.error_rate > FAIR_RATE
    (flat,) = (one for one in found.differences if "13" in found.sides(one)[1])
    assert not flat.certain


@pytest.mark.parametrize(
    ("old", "new", "word_kind"),
    [("880,00", "975,30", WordKind.LONG_NUMBER), ("Keller\n", "Sommer\n", WordKind.NAME)],
)
def test_a_replaced_field_is_named_with_both_sides(old: str, new: str, word_kind: WordKind) -> None:
    difference, sides = only(LEASE, LEASE.replace(old, new))
    assert (difference.kind, difference.word_kind, difference.certain) == (Kind.FIELD, word_kind, True)
    assert sides == (old.strip(), new.strip())


def test_an_address_read_in_three_pieces_is_noise() -> None:
    """Only spaces differ, whatever its letters and digits are taken for."""
    address = "www.isola-online.co.uk/trip/4qc6xyz5"
    one, other = (
        f"{LEASE}\nMore on {found} until Friday." for found in (address, address.replace("/", " /"))
    )
    assert {found.kind for found in ledger(one, other).differences} == {Kind.NOISE}


def test_an_inserted_negation_is_prose() -> None:
    difference, sides = only(LEASE, LEASE.replace("dürfen in", "dürfen nicht in"))
    assert (difference.kind, difference.certain) == (Kind.PROSE, True)
    assert sides == ("", "nicht")


def test_another_number_word_is_prose() -> None:
    difference, sides = only(LEASE, LEASE.replace("drei Monate", "sechs Monate"))
    assert (difference.kind, difference.certain, difference.number_word) == (Kind.PROSE, True, True)
    assert sides == ("drei", "sechs")


def test_a_removed_sentence_is_certain() -> None:
    lines = LEASE.split("\n")
    found = ledger(LEASE, "\n".join(lines[:3] + lines[4:]))
    (difference,) = found.differences
    assert difference.certain
    assert len(difference.left_only) >= 8


def test_lines_in_another_order_have_moved() -> None:
    """Columns read in another order say the same."""
    lines = LEASE.split("\n")
    found = ledger(LEASE, "\n".join([*lines[:1], *lines[2:4], lines[1], lines[4]]))
    assert {one.kind for one in found.differences} == {Kind.MOVED}


def test_a_stamp_below_the_letter_is_an_edge() -> None:
    found = ledger(LEASE, f"{LEASE}\nEINGEGANGEN 12. MRZ. ~//r")
    assert {one.kind for one in found.differences} == {Kind.EDGE}


def test_one_edit_is_more_surprising_in_a_clean_pair() -> None:
    edited = LEASE.replace("880,00", "970,00")
    clean, noisy = ledger(LEASE, edited), ledger(LEASE, scanned(edited, "medium", 3))
    assert noisy.error_rate > clean.error_rate
    nats = [max((difference.nats for difference in each.differences), default=0) for each in (clean, noisy)]
    assert nats[0] > nats[1]


def test_the_error_rate_is_that_of_the_words() -> None:
    """Changed numbers are content, not noise: they do not make a clean pair look badly read."""
    assert ledger(LETTER, LETTER.replace("88,15", "91,15")).error_rate == ledger(LETTER, LETTER).error_rate


@given(PAIRS)
def test_the_ledger_accounts_for_every_word(pair: tuple[str, str]) -> None:
    """A word is equal and in order, or in exactly one difference; sides that are equal are not listed."""
    found = ledger(*pair)
    places = [one.span for one in found.differences]
    assert all(
        places[n].b <= places[n + 1].a and places[n].d <= places[n + 1].c for n in range(len(places) - 1)
    )
    listed = sum(span.b - span.a for span in places)
    assert found.equal + listed == len(found.left)
    assert all(found.sides(one)[0] != found.sides(one)[1] for one in found.differences)
    assert all(isinstance(value, float) for value in ledger_measures(found).values())


ACCOUNT, OTHER_ACCOUNT = "DE89 3704 0044 0532 0130 00", "DE75 5121 0800 1245 1261 99"
TRANSFER = f"""Please transfer the rent of the garage on the first working day of each month
to our account {ACCOUNT} at the savings bank, and write the number of the garage
beside your name so that we find your payment. The lease began on 27-01-2022 and ends with
three months of notice to the end of a quarter. The key of the gate is kept by the caretaker."""


def test_another_account_is_certain() -> None:
    """Also where scanners take each of its digits for that of the other."""
    for other in (OTHER_ACCOUNT, "DE67 3704 0044 0532 0130 08"):
        found = ledger(TRANSFER, TRANSFER.replace(ACCOUNT, other))
        assert any(one.kind is Kind.FIELD and one.certain for one in found.differences), other


def test_a_time_and_a_longer_time_are_two_numbers() -> None:
    found, _ = only(NOTICE.format(**RESIDENT), NOTICE.format(**RESIDENT | {"time": "17:49"}))
    assert found.word_kind is WordKind.NUMBER


@pytest.mark.parametrize(("other", "is_sure"), [("48XR4598053", True), ("0940", False)])
def test_a_torn_number_is_no_other_number(other: str, is_sure: bool) -> None:
    """What is left of it is in the other one."""
    found = ledger(NOTICE.format(**RESIDENT), NOTICE.format(**RESIDENT | {"meter": other}))
    assert any(one.certain for one in found.differences) is is_sure


@pytest.mark.parametrize(
    ("link", "is_sure"), [("www.fitters.example/G3TL5P", True), ("www.fitters.example/S6JG91", False)]
)
def test_another_page_of_the_same_server_is_certain(link: str, is_sure: bool) -> None:
    """A code behind the last slash is somebody's own; a letter of it may be misread."""
    found = ledger(NOTICE.format(**RESIDENT), NOTICE.format(**RESIDENT | {"link": link}))
    assert any(one.certain for one in found.differences) is is_sure
    badly = NOTICE.format(**RESIDENT | {"link": link}).replace("e", "c").replace("n", "u")
    assert not any(
        one.certain and link in found.sides(one)
        for one in ledger(NOTICE.format(**RESIDENT), badly).differences
    )
