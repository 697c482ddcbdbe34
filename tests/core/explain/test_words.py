"""The words of every statement, their tone, and how they make a reason."""

from __future__ import annotations

import pytest

from dedupe_core.explain.words import Tone, brief, reason, tone
from dedupe_core.model import Field, Statement
from dedupe_core.model import StatementKind as Kind
from dedupe_core.text.language import _FUNCTION_WORDS
from hook.language.translate import languages, translator

DOUBT = Statement(Kind.DOUBT, Field.NUMBER, ("75,72", "15,12"), place=(3, 4))
MISSING = Statement(Kind.DOUBT, Field.WORD, ("", "nicht"))
PART = Statement(Kind.PART, counts=(94, 11), documents=(12, 90), place=(3, 4))
SAID = [
    (Statement(Kind.AGREES, Field.DATE, ("2025-05-03",), (1,)), "date 2025-05-03 agrees", "1 date agrees"),
    (Statement(Kind.AGREES, Field.AMOUNT, ("1.00", "2.00"), (2,)), "amounts 1.00, 2.00 agree", "2 amounts agree"),
    (Statement(Kind.AGREES, Field.REFERENCE, ("A", "B"), (5,)), "5 references agree (A, B, …)", "5 references agree"),
    (Statement(Kind.AGREES, Field.NUMBER, (), (1,)), "1 other number agrees", "1 other number agrees"),
    (Statement(Kind.DIFFERS, Field.DATE, ("A", "B"), (1,)), "different dates: A / B", "different dates"),
    (Statement(Kind.DIFFERS, Field.NAME, ("A", "B"), (3,)), 'different names or words: "A" / "B" and 2 more', "different names or words"),
    (Statement(Kind.CHANGED, Field.NUMBER, ("60", "72")), '"60" became "72"', "a number changed"),
    (Statement(Kind.CHANGED, Field.WORD, ("x" * 50, "y")), f'"{"x" * 40}…" became "y"', "a word changed"),
    (Statement(Kind.ADDED, "", ("not",), (1,)), '"not" added', "1 word added"),
    (Statement(Kind.REMOVED, "", (), (7,)), "7 words removed", "7 words removed"),
    (Statement(Kind.SECTION_ADDED, counts=(1, 13)), "a section added (13 words)", "a section added (13 words)"),
    (Statement(Kind.DIFFERENT_PRINT, sides=("A", "B")), 'looked at the page: different print: "A" here and "B" there', "looked at the page: different print"),
    (PART, "#12 is pages 3–4 of #90: 94% of #12 appears in #90, which is 11% of it", None),
    (Statement(Kind.PART, counts=(94, 0, 40), documents=(-1, 9)), "the text is part of #9, about 40% into it: 94% of the text appears in #9, which is under 1% of it", None),
    (Statement(Kind.PART, counts=(94, 5, 0), documents=(1, 9)), "#1 is part of #9, at its beginning: 94% of #1 appears in #9, which is 5% of it", None),
    (DOUBT, 'one number reads "75,72" here and "15,12" there: look before you delete', "1 doubt: look before you delete"),
    (MISSING, '"nicht" is only there: look before you delete', "1 doubt: look before you delete"),
    (Statement(Kind.TRANSLATION, "German", documents=(2,)), "German version of #2", None),
    (Statement(Kind.SAME_MEANING, counts=(83,)), "same meaning (cosine 0.83)", None),
    (Statement(Kind.SIMILARITY, counts=(87, 85)), "similarity 0.87 against a threshold of 0.85", None),
    (Statement(Kind.EQUAL_WORDS, counts=(80,)), "80% of the words equal", None),
]  # fmt: skip


@pytest.mark.parametrize(("statement", "words", "without_content"), SAID)
def test_a_statement_in_words(statement: Statement, words: str, without_content: str | None) -> None:
    """And without any content of the documents, for the log."""
    assert reason([statement]) == words
    assert brief([statement]) == (words if without_content is None else without_content)


def test_a_reason_begins_with_how_the_two_relate_and_counts_its_doubts() -> None:
    agrees = SAID[0][0]
    assert reason([Statement(Kind.NEWER, documents=(9,)), Statement(Kind.EDITED), agrees, agrees]) == (
        "#9 is newer; same document, edited: date 2025-05-03 agrees; date 2025-05-03 agrees"
    )
    assert reason([PART, agrees]).endswith("of it; date 2025-05-03 agrees")
    assert reason([Statement(Kind.SAME_PAPER), DOUBT, MISSING]) == (
        'same paper again: one number reads "75,72" here and "15,12" there: look before you delete (and 1 more)'
    )
    assert brief([Statement(Kind.SAME_PAPER), DOUBT, MISSING]) == (
        "same paper again: 2 doubts: look before you delete"
    )


def test_the_tone_follows_from_the_kind() -> None:
    assert {tone(Statement(kind)) for kind in (Kind.AGREES, Kind.SAME_TEXT, Kind.SAME_PRINT)} == {Tone.AGREES}
    assert {tone(Statement(kind)) for kind in (Kind.DIFFERS, Kind.ADDED, Kind.DOUBT)} == {Tone.DIFFERS}
    assert tone(Statement(Kind.SAME_PAPER)) is Tone.NEUTRAL


@pytest.mark.parametrize("kind", Kind)
def test_every_kind_has_words(kind: Kind) -> None:
    """Also without sides."""
    assert reason([Statement(kind, Field.NUMBER, (), (1, 2), (1, 1), (1, 2))])


@pytest.mark.parametrize("language", languages()[1:])
def test_every_language_of_a_text_has_a_name_in_a_catalogue(language: str) -> None:
    for name in _FUNCTION_WORDS:
        assert translator(language)(name) != name
