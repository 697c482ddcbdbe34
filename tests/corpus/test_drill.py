"""The edit drill (scripts/evaluation/edits.py): every edit in every language, at the rates it says."""

from __future__ import annotations

from typing import Any

import pytest

from dedupe_core.model import Document
from scripts.archives import stored
from scripts.corpus.render import ToolMissing, read
from scripts.corpus.template import Place, Template, load
from scripts.evaluation.edits import COPIES, COPY_RATES, EDIT_RATES, EDITS, HELD_OUT, Case, cases, outcome

TEXTS = load(HELD_OUT)


@pytest.mark.parametrize("template", TEXTS, ids=lambda template: template.name)
def test_every_kind_of_edit_is_made_once_and_read_at_every_rate(template: Template) -> None:
    """And an edit changes the words of the paper."""
    original, found = cases(template, Place(1, 0), 1)
    assert {case.edit for case in found} == {*EDITS, "copy"}
    for case in found:
        if case.edit != "copy" and not case.rate:
            assert case.text.split() != original.split(), case.edit
    assert {case.rate for case in found if case.edit != "copy"} == set(EDIT_RATES)
    copies = [case for case in found if case.edit == "copy"]
    assert len(copies) == COPIES * len(COPY_RATES)
    assert all(case.text != original for case in copies)


def test_an_outcome_is_what_a_person_is_told() -> None:
    """The same text is `same`; a text that has nothing to do with it is not reported."""
    original, _ = cases(TEXTS[0], Place(1, 0), 1)
    other, _ = cases(TEXTS[-1], Place(1, 0), 1)
    with stored([Document(1, original)]) as archive:
        assert outcome(archive, Case(1, "copy", 0.0, "de", original), 2) == "same"
        assert outcome(archive, Case(1, "copy", 0.0, "de", other), 3) == "not reported"


class Page:
    def save(self, file: Any, kind: str) -> None:
        file.write(b"not an image")


def test_a_missing_tesseract_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asks for rendered pages without it is told what to install."""
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ToolMissing, match="tesseract-ocr"):
        read(Page(), "en", 150)
