"""German: every text of the page, every reason and every tag has a German form, and a change of language loses nothing."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

from dedupe_core.model import Relation
from hook.findings.findings import Finding
from hook.findings.wording import note_text
from hook.language.german import TEXTS
from hook.language.names import LINK_FIELDS, TAGS, names_in, other_names
from hook.language.reasons import german_part, in_german, parts_of
from hook.language.translate import stored, translator
from hook.settings.model import load_settings
from tests.core.core_kit import verdict_on

ROOT = Path(__file__).parents[3]
PAGE = [*(ROOT / "hook" / "review_page").rglob("*.py")]
NOTES = [*(ROOT / "hook" / "review").rglob("*.py"), *(ROOT / "hook" / "findings").rglob("*.py")]
CORPUS = ROOT / "tests" / "corpus"


SAYING = ("say", "_say", "Phrase", "ImpossibleError")


def said(files: list[Path]) -> set[str]:
    """The texts that these modules pass to `say` and the like: written there, or as a constant of the module."""
    found = set[str]()
    for file in files:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        constants = {
            target.id: node.value
            for node in tree.body
            if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None
            for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
            if isinstance(target, ast.Name)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and _name(node.func) in SAYING:
                for one in node.args[:1]:
                    assert not isinstance(one, ast.JoinedStr), (
                        f"{file.name}:{node.lineno}: cannot be translated"
                    )
                    found |= _texts(one, constants)
    return found


def _name(node: ast.expr) -> str:
    return str(getattr(node, "id", getattr(node, "attr", "")))


def _texts(node: ast.expr | None, constants: dict[str, ast.expr]) -> set[str]:
    if isinstance(node, ast.Constant):
        return {str(node.value)}
    if isinstance(node, ast.Name) and node.id in constants:
        return _texts(constants[node.id], {})
    if isinstance(node, ast.Subscript):
        return _texts(node.value, constants)
    if isinstance(node, ast.Dict):
        return {text for value in node.values for text in _texts(value, {})}
    return set()


def test_every_text_of_the_page_has_a_german_one() -> None:
    assert len(said(PAGE)) > 80
    assert said(PAGE) - TEXTS.keys() == set()


def test_every_text_of_the_notes_has_a_german_one() -> None:
    """Of findings, merges and refusals; a new one needs a German form in hook/language/german.py."""
    assert len(said(NOTES)) > 40
    assert said(NOTES) - TEXTS.keys() == set()


def test_what_could_not_be_undone_is_stored_in_english_and_shown_in_german() -> None:
    say = translator("de")
    assert (
        stored("ASN 17 could not be returned to #3", say) == "die ASN 17 konnte #3 nicht zurückgegeben werden"
    )
    assert stored("Paperless refused: 12 {x}", say) == "Paperless refused: 12 {x}"
    undone = (ROOT / "hook" / "review" / "metadata.py").read_text() + (
        ROOT / "hook" / "review" / "steps.py"
    ).read_text()
    for written in re.findall(r'return f"([^"]+)"', undone):
        template = re.sub(r"{[^}]+}", "{a}", written, count=1)
        assert re.sub(r"{(?!a})[^}]+}", "{b}", template) in TEXTS, written


def test_why_a_document_is_to_be_kept_has_a_german_form() -> None:
    keeper = (ROOT / "hook" / "findings" / "keeper.py").read_text()
    reasons = re.findall(r', "([a-z][\w ]+)"\),|return "([a-z][\w ]+)"|or "([a-z][\w ]+)"', keeper)
    found = {text for match in reasons for text in match if text}
    assert len(found) >= 8
    assert found - TEXTS.keys() == set()


def test_a_german_text_has_the_same_values() -> None:
    for english, german in TEXTS.items():
        assert set(re.findall(r"{\w+}", english)) == set(re.findall(r"{\w+}", german)), english


def test_a_text_without_a_german_one_stays_english() -> None:
    assert translator("de")("no such text {n}", n=1) == "no such text 1"
    assert translator("de")("{n} in the queue", n=2) == "2 in der Warteschlange"


@pytest.mark.parametrize(
    ("english", "german"),
    [
        (
            'same paper again: one number reads "75,72" here and "15,12" there: look before you delete (and 2 more)',
            'dasselbe Papier noch einmal: eine Zahl lautet hier "75,72" und dort "15,12": vor dem Löschen ansehen (und 2 weitere)',
        ),
        ('"nicht" is only there: look before you delete', '"nicht" steht nur dort: vor dem Löschen ansehen'),
        ("same paper again: date 2025-05-03 agrees; 5 OCR differences",
         "dasselbe Papier noch einmal: Datum 2025-05-03 stimmt überein; 5 OCR-Abweichungen"),
        ('same document, edited: a section added (13 words); "60" became "72"; different dates: A / B and 2 more',
         'dasselbe Dokument, überarbeitet: ein Abschnitt hinzugefügt (13 Wörter); "60" wurde zu "72"; '
         'verschiedene Daten: A / B und 2 weitere'),
        ("#12 is pages 3\u20134 of #90: 94% of #12 appears in #90, which is 11% of it",
         "#12 ist Seiten 3\u20134 von #90: 94% von #12 stehen in #90, das sind 11% davon"),
        ('"added; removed" became "agrees"', '"added; removed" wurde zu "agrees"'),
    ],
)  # fmt: skip
def test_a_reason_in_german(english: str, german: str) -> None:
    assert in_german(english) == german


def test_every_reason_of_the_corpus_has_a_german_form() -> None:
    """A new wording of the core needs a German one in hook/language/reasons.py."""
    texts = {}
    for line in (CORPUS / "documents.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        texts[row["id"]] = row["content"]
    missing = set()
    for line in (CORPUS / "pairs.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        verdict = verdict_on(texts[row["a"]], texts[row["b"]])
        missing |= {part for part in parts_of(verdict.reason) if german_part(part) is None}
    assert missing == set()


def test_a_note_in_german() -> None:
    settings = load_settings({"HOME": "/x", "DEDUPE_LANGUAGE": "de"})
    finding = Finding(
        7,
        Relation.RESCAN,
        0.97,
        "same paper again: 3 OCR differences",
        keeper=7,
        keeper_reason="has an ASN, better readable text",
    )
    note = note_text(9, {7: "Brief"}, [finding] * 4, settings.note_template, {7}, settings.language)
    assert note is not None
    assert note.splitlines()[0] == (
        'Ähnelt #7 "Brief" - neuer Scan, 97% sicher: dasselbe Papier noch einmal: 3 OCR-Abweichungen. '
        "Vorschlag: #7 behalten (hat eine ASN, besser lesbarer Text)"
    )
    assert note.splitlines()[-1] == "und 1 weitere"


def test_english_names_are_the_defaults_of_the_settings() -> None:
    english = load_settings({"HOME": "/x"})
    assert {name: getattr(english, name) for name in TAGS["en"]} == TAGS["en"]
    assert english.link_field == LINK_FIELDS[0]


def test_german_names_differ_and_a_name_that_is_set_stays() -> None:
    german = load_settings({"HOME": "/x", "DEDUPE_LANGUAGE": "de", "DEDUPE_TAG_SKIP": "mine"})
    assert german.tag_skip == "mine"
    assert (german.tag_review, german.link_field) == ("dedupe:prüfen", "Ähnliche Dokumente")
    assert names_in("de").keys() >= TAGS["en"].keys()


def test_a_name_in_the_other_language() -> None:
    assert other_names("dedupe:prüfen") == ["dedupe:review"]
    assert other_names("Similar documents") == ["Ähnliche Dokumente"]
    assert other_names("mine") == []
