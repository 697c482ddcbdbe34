"""Translations by facts: another language, few words in common, the same dates, amounts, references and numbers."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from dedupe_core.compare.view import Neighbourhood
from dedupe_core.explain.words import reason
from dedupe_core.judge.judge import judge
from dedupe_core.judge.translated import as_translation, facts_of
from dedupe_core.model import Relation, Verdict
from dedupe_core.policy import DEFAULT as POLICY
from tests.core.core_kit import PAIRS, verdict_on, view_of
from tests.corpus.papers import COURSE_DE, COURSE_EN

BLANKS = {
    "iso": "12.03.2024",
    "day": "8.",
    "fee": "84,50",
    "number": "KR-20417",
    "phone": "0341 552 7781",
    "time": "18:30",
    "name": "Miriam Falk",
}


def course(template: str, **changed: str) -> str:
    return template.format(**(BLANKS | changed))


GERMAN, ENGLISH = course(COURSE_DE), course(COURSE_EN, iso="12 March 2024", day="8", fee="84.50")


def observed(verdict: Verdict) -> dict[str, str]:
    return {one.name: one.words for one in verdict.evidence}


def test_a_translation_is_found_and_named() -> None:
    """The same facts in another language: the reason counts them, the evidence has both languages."""
    verdict = verdict_on(GERMAN, ENGLISH)
    assert (verdict.relation, verdict.flagged) == (Relation.TRANSLATED, True)
    assert reason(verdict.statements) == (
        "German version of #2: 2 dates agree; 1 amount agrees; 1 reference agrees; 4 other numbers agree"
    )
    assert (observed(verdict)["language"], observed(verdict)["other_language"]) == ("German", "English")


def test_a_contradiction_needs_more_agreement() -> None:
    """Three quarters of the facts agree, but each side has a reference of its own: another enrolment of that day."""
    other = course(COURSE_EN, iso="12 March 2024", day="8", fee="84.50", number="KR-77310", time="09:15")
    assert verdict_on(GERMAN, other).relation is not Relation.TRANSLATED
    assert verdict_on(GERMAN, other.replace("09:15", "18:30")).relation is not Relation.TRANSLATED


def test_a_lost_fact_is_forgiven() -> None:
    """A bad scan lost the amount and the telephone: what is left agrees, and nothing contradicts."""
    scan = ENGLISH.replace("84.50", "S").replace("0341 552 7781", "---")
    assert verdict_on(GERMAN, scan).relation is Relation.TRANSLATED


def test_a_bad_scan_is_still_a_translation() -> None:
    """A date, the reference and the telephone are misread, each in one place; the fee is torn apart."""
    scan = (
        ENGLISH.replace("12 March", "72 Maroh")
        .replace("20417", "20477")
        .replace("7781", "7731")
        .replace("84.50", "84. 50")
    )
    assert verdict_on(GERMAN, scan).relation is Relation.TRANSLATED


def test_a_misread_reference_is_forgiven() -> None:
    """A slip of the scanner is not a contradiction."""
    assert verdict_on(GERMAN, ENGLISH.replace("KR-20417", "KR-204l7")).relation is Relation.TRANSLATED
    assert verdict_on(GERMAN, ENGLISH.replace("KR-20417", "KR-20477")).relation is Relation.TRANSLATED


@pytest.mark.parametrize("written", ["03/12/2024", "12.03.24"])
def test_notations_that_leave_something_open(written: str) -> None:
    """03/12 may be the third of December, and 24 any century: the date is the same one."""
    verdict = verdict_on(GERMAN, course(COURSE_EN, iso=written, day="8", fee="84.50"))
    assert verdict.relation is Relation.TRANSLATED
    assert "2 dates" in reason(verdict.statements)


def test_one_language_is_no_translation() -> None:
    """However many facts agree: a letter rewritten in its own language is not a translation."""
    rewritten = (
        f"Miriam Falk hat am 12.03.2024 den Kurs KR-20417 gebucht. Er beginnt am 08.04.2024 um 18:30 und kostet 84,50 €. "
        f"Wer Fragen hat, erreicht uns unter 0341 552 7781 in 04109 Leipzig. {'Wir freuen uns auf Sie und Ihre Fragen. ' * 2}"
    )
    assert verdict_on(GERMAN, rewritten).relation is not Relation.TRANSLATED


def test_three_facts_are_too_few() -> None:
    """Manuals of one release share a date and a version; more facts in common are needed."""
    german = "Diese Seite ist vom 12.03.2024 und beschreibt die Datei mit den Gruppen. Sie kostet 6,03 € und ist von uns."
    english = "This page is from 12.03.2024 and describes the users that are in the system. It costs 6.03 € for you."
    assert as_translation(view_of(german), view_of(english, 2), Neighbourhood([])) is None


def test_letterhead_weighs_less_than_what_only_the_pair_has() -> None:
    """With ten letters of the sender around it, what they all have counts less beside a number that differs."""
    letters = [
        course(COURSE_DE, iso=f"{day}.05.2023", day="3.", number=f"KR-1{day}88", time="10:45")
        for day in range(11, 21)
    ]
    subject, same = view_of(GERMAN), view_of(ENGLISH.replace("18:30", "half past six"), 2)
    family = [view_of(text, number) for number, text in enumerate(letters, 10)]
    alone = as_translation(subject, same, Neighbourhood([same]))
    among = as_translation(subject, same, Neighbourhood([same, *family]))
    assert alone is not None
    assert among is not None
    assert among.of_more < alone.of_more


def test_a_second_copy_does_not_speak_against_it() -> None:
    """With four copies of the letter in the archive, what is misread on one weighs no more than what is right."""
    misread = GERMAN.replace("18:30", "18:38").replace("04109", "04189").replace("7781", "7787")
    subject, other = view_of(ENGLISH), view_of(misread, 2)
    copies = [view_of(GERMAN, number) for number in range(10, 14)]
    assert as_translation(subject, other, Neighbourhood([other, *copies])) is not None


def test_a_number_is_counted_once() -> None:
    """`12.03.2024` is a date and not also the number 12032024; a year is no fact at all."""
    kinds = [
        kind for kind, _ in facts_of(view_of("Rechnung RE-2024-4711 vom 12.03.2024 über 1.234,56 € für 2024"))
    ]
    assert sorted(kinds) == ["amounts", "dates", "references"]


def test_it_is_judged_without_a_close_look() -> None:
    """A translation is settled before the trees are asked, and is in the verdicts once."""
    others = [
        view_of(GERMAN, 2),
        view_of(course(COURSE_DE, iso="02.05.2023", day="5.", number="KR-19201"), 3),
    ]
    verdicts = judge(view_of(ENGLISH), others, POLICY, everything=True)
    assert [verdict.relation for verdict in verdicts if verdict.other == 2] == [Relation.TRANSLATED]


def test_the_threshold_applies() -> None:
    """Below DEDUPE_FLAG_THRESHOLD nothing is reported as a translation."""
    assert (
        verdict_on(GERMAN, ENGLISH, policy=replace(POLICY, flag_threshold=0.995)).relation
        is not Relation.TRANSLATED
    )


@given(PAIRS)
def test_any_pair_is_symmetric(pair: tuple[str, str]) -> None:
    """Whatever the texts are: both ways a translation, or both ways not."""
    one, other = view_of(pair[0], 1), view_of(pair[1], 2)
    here, there = (
        as_translation(one, other, Neighbourhood([other])),
        as_translation(other, one, Neighbourhood([one])),
    )
    assert (here is None) == (there is None)
    if here and there:
        assert (here.of_fewer, here.of_more, here.languages) == (
            there.of_fewer,
            there.of_more,
            there.languages[::-1],
        )
