"""The corpus of our own: what the product must find in it, and what it must leave alone."""

from __future__ import annotations

import io
from collections import Counter
from pathlib import Path

import pytest

from dedupe_core.model import Document
from dedupe_core.policy import DEFAULT as POLICY
from dedupe_core.recipe import DEFAULT as RECIPE
from hook.commands.scan import scan
from hook.examination.archive import Archive
from scripts.evaluation.accuracy import Row, Score, lines_of, score
from tests.corpus import make

DOCS, PAIRS = make.documents(make.corpus()), make.pairs(make.corpus())


def scanned(directory: Path, docs: list[Row]) -> Score:
    documents = (Document(doc["id"], doc["content"], doc["title"]) for doc in docs)
    out = io.StringIO()
    with Archive.open(directory, RECIPE, POLICY) as archive:
        scan(archive, documents, out)
    return score(docs, PAIRS, lines_of(out.getvalue()))


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Score:
    return scanned(tmp_path_factory.mktemp("corpus") / "index", DOCS)


def wrong(result: Score) -> str:
    """Each wrong verdict by name, for whoever reads a failure."""
    return "\n".join(["", *result.errors])


def test_it_holds_every_kind_of_pair() -> None:
    """Duplicates under every noise, siblings, versions and parts, in three languages."""
    assert {doc["lang"] for doc in DOCS} >= {"de", "en", "fr"}
    assert {"duplicate", "template_sibling", "version", "contained", "translated"} == {
        pair["label"] for pair in PAIRS
    }
    noises = Counter(pair["noise"] for pair in PAIRS if pair["label"] == "duplicate")
    assert min(noises[noise] for noise in make.NOISES) >= 2


def test_duplicates_are_found(result: Score) -> None:
    """Nine in ten; every one that was read well, every ticket and every equal text."""
    assert result.recall["all"].value >= 0.9, wrong(result)
    for name in ("exact text", "light", "short"):
        assert result.recall[name].value == 1, wrong(result)
    assert result.linked.value >= 0.95, wrong(result)


def test_siblings_are_left_alone(result: Score) -> None:
    """At most one of the siblings is told of, and nothing that is unrelated, read or unread."""
    assert result.sibling_alarms.part <= 1, wrong(result)
    assert result.unrelated_alarms == 0, wrong(result)
    assert result.precision.value >= 0.95, wrong(result)


def test_parts_are_found_and_named(result: Score) -> None:
    """An annex in its bundle, a mail in its reply. The mail is half of the reply: it may be called the same paper."""
    assert result.found["contained"].value == 1, wrong(result)
    assert result.named["contained"].value >= 0.6, wrong(result)


def test_translations_are_found_and_named(result: Score) -> None:
    """Each two of four languages; letters to other people are siblings, whatever their language."""
    assert result.found["translated"].value == 1, wrong(result)
    assert result.named["translated"].value == 1, wrong(result)


@pytest.mark.parametrize("order", ["reversed", "sorted"])
def test_the_order_of_arrival_matters_little(order: str, tmp_path: Path) -> None:
    docs = DOCS[::-1] if order == "reversed" else sorted(DOCS, key=lambda doc: doc["title"])
    found = scanned(tmp_path / "index", docs)
    assert found.recall["all"].value >= 0.85, wrong(found)
    assert found.sibling_alarms.part <= 2, wrong(found)
    assert found.unrelated_alarms == 0, wrong(found)


def told(subject: int, other: int, relation: str, *, flagged: bool = True) -> Row:
    return {"subject": subject, "other": other, "relation": relation, "flagged": flagged}


def test_how_verdicts_are_counted() -> None:
    """Found is told as identical or rescan; linked is told as anything; the rest is a false alarm or missed."""
    docs = [{"id": number, "kind": "short" if number > 8 else "letter"} for number in range(1, 11)]
    pairs = [
        {"a": 1, "b": 2, "label": "duplicate", "sub": "rescan", "noise": "light"},
        {"a": 2, "b": 3, "label": "duplicate", "sub": "rescan", "noise": "heavy"},
        {"a": 9, "b": 10, "label": "duplicate", "sub": "exact_text", "noise": "digital"},
        {"a": 1, "b": 4, "label": "template_sibling"},
        {"a": 5, "b": 6, "label": "version"},
        {"a": 6, "b": 7, "label": "contained"},
    ]
    verdicts = [
        told(2, 1, "rescan"), told(3, 2, "revision"), told(10, 9, "identical", flagged=False),
        told(4, 1, "rescan"), told(6, 5, "revision"), told(7, 6, "rescan"), told(8, 7, "contained"),
    ]  # fmt: skip
    found = score(docs, pairs, verdicts)
    assert str(found.recall["all"]) == "0.333 (1/3)"
    assert [str(found.recall[name]) for name in ("light", "heavy", "short")] == [
        "1.000 (1/1)",
        "0.000 (0/1)",
        "0.000 (0/1)",
    ]
    assert str(found.linked) == "0.600 (3/5)"
    assert (str(found.found["version"]), str(found.named["contained"])) == ("1.000 (1/1)", "0.000 (0/1)")
    assert (found.sibling_alarms.part, found.unrelated_alarms) == (1, 1)
    assert str(found.precision) == "0.667 (4/6)"
    assert len(found.errors) == 5
    assert "template_sibling, but rescan: #1 / #4" in found.errors
