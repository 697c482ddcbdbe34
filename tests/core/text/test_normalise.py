"""Normalising: what carries no meaning is folded, everything else stays, and no text is too long."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dedupe_core.text.normalise import (
    KEPT_CHARS,
    KEPT_HEAD_CHARS,
    WHOLE_CHARS,
    WINDOW_CHARS,
    WINDOWS,
    bounded,
    content_hash,
    kept,
    normalise,
)

# Characters that fold into several, out of order, or back again; no NUL beside a page break (see below).
FICKLE = st.text(
    st.sampled_from("aA-\n\r\t \f\x0b\x1c\x85\u2028\xad\u200b\u200d\ufeffİıßẞςΣſﬁÅ\u0345\u0301\u0323\u0308ᾳᾼǰΐ각ᄀ\u1161\u11a8①Ⅳ½ª—‐¬ÀÞ\u3000\u0344\uff9e\ud800")
)  # fmt: skip


@given(st.text() | FICKLE)
@example("e" + "\u0323\u0301" * 100)
@example("\u0344" * 60)
def test_normalising_is_idempotent(content: str) -> None:
    """What is normalised stays as it is: the index may be asked with its own texts."""
    once = normalise(content.replace("\0", " "))  # which is a space like any other: see below
    assert normalise(once) == once


@given(st.text(st.characters(exclude_categories=["Cs"])) | FICKLE)
def test_composed_and_decomposed_texts_are_one(content: str) -> None:
    """macOS writes NFD, everybody else NFC."""
    assert normalise(unicodedata.normalize("NFC", content)) == normalise(
        unicodedata.normalize("NFD", content)
    )


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("STRASSE", "strasse"),
        ("Straße", "strasse"),
        ("ﬁnale Auﬂage", "finale auflage"),
        ("１２３　ＡＢＣ", "123 abc"),
        ("  a \t b\r\n\r\nc\u00a0d ", "a b c d"),
        ("Über\u00adweisung", "überweisung"),
        ("Rechnungs-\nbetrag", "rechnungsbetrag"),
        ("Rechnungs- \r\n   betrag", "rechnungsbetrag"),
        ("Rechnungs\u2010\nbetrag", "rechnungsbetrag"),
        ("Meier-\nSchulz", "meier- schulz"),
        ("Müller-\nÖtzi", "müller- ötzi"),
        ("RE-2024-\n0815", "re-2024- 0815"),
        ("one\fTwo", "one \f two"),
        ("a\0b", "a b"),
        ("a\0\fb", "a \f b"),
        ("发票号码 12345", "发票号码 12345"),
        ("", ""),
        (" \n\t", ""),
    ],
)
def test_what_is_folded(content: str, text: str) -> None:
    """Case, ligatures, width, line ends, soft hyphens and hyphenation go; names, numbers and page breaks stay."""
    assert normalise(content) == text


def test_piled_marks_are_lowered() -> None:
    """Sorting a pile of marks takes quadratic time: no letter carries more than some, rows of dots stay whole."""
    assert len(normalise("e" + "\u0323\u0301" * 5000)) < 20
    assert normalise("Seite" + "·" * 100 + "7") == "seite" + "·" * 100 + "7"


@pytest.mark.parametrize("place", [0.0, 0.31, 0.66, 1.0])
def test_a_very_long_text_is_read_in_windows_over_all_of_it(place: float) -> None:
    """Windows lie evenly from the first to the last character: late differences are seen too."""
    content = "".join(chr(0x4E00 + i) * 5000 for i in range(WHOLE_CHARS * 3 // 5000))
    read = bounded(content)
    assert len(read) == WINDOWS * WINDOW_CHARS + WINDOWS - 1
    start = int((len(content) - WINDOW_CHARS) * round(place * (WINDOWS - 1)) / (WINDOWS - 1))
    assert content[start : start + WINDOW_CHARS] in read


@given(st.integers(0, 3 * WHOLE_CHARS - 1))
def test_very_long_texts_that_differ_anywhere_are_never_identical(place: int) -> None:
    """The windows may miss the one other character; the digest of the whole does not."""
    one = "lorem ipsum " * (WHOLE_CHARS // 4)
    other = one[:place] + ("#" if one[place] != "#" else "+") + one[place + 1 :]
    text = "the same windows"
    assert content_hash(one, text) != content_hash(other, text)


@given(st.text(), st.text())
def test_equal_hashes_mean_equal_texts(one: str, other: str) -> None:
    """The exact tier: the same normalised text and nothing else; empty text has no hash."""
    hashes = [content_hash(content, normalise(content)) for content in (one, other)]
    texts = [normalise(content) for content in (one, other)]
    if texts[0] == texts[1]:
        assert hashes[0] == hashes[1]
    elif any(text.strip() for text in texts):
        assert hashes[0] != hashes[1]


@pytest.mark.parametrize("content", ["", " ", "\f", "\n\f\n", "\0"])
def test_empty_text_has_no_hash(content: str) -> None:
    """Two pages without text are not the same text."""
    assert content_hash(content, normalise(content)) == b""


def test_page_breaks_do_not_make_another_text() -> None:
    assert content_hash("a\fb", normalise("a\fb")) == content_hash("a b", normalise("a b"))


def test_the_index_keeps_head_and_tail_of_a_long_text() -> None:
    """What stands on the first and on the last pages is compared word by word."""
    short, long = "x" * KEPT_CHARS, "h" * 100_000 + "t" * 100_000
    assert kept(short) == short
    assert len(kept(long)) == KEPT_CHARS + 1
    assert kept(long).startswith("h" * KEPT_HEAD_CHARS + "\nt")


def test_folding_does_not_outgrow_the_bound() -> None:
    """Ligatures of whole phrases (U+FDFA) make a text longer: 1 MB of them takes 9 s."""
    assert len(normalise("\ufdfa" * 100_000)) <= WHOLE_CHARS
