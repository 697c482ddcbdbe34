"""What scripts/corpus/fit/noise.py measures: confusions of characters, word errors and how unevenly they fall."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from scripts.corpus.fit.noise import main, misread, text_of, worst_fifth
from scripts.corpus.noise import TABLE

TEXT = "the tenant pays the rent for the shed in advance and keeps the fence in order every year"


def corpus(directory: Path) -> list[str]:
    """Twenty papers and a scan of each, which reads `e` as `c` in every tenth word and `rn` never right."""
    rng, docs, pairs = random.Random(1), [], []
    for number in range(20):
        words = [rng.choice(TEXT.split()) for _ in range(60)] + ["modern"]
        read = [word.replace("e", "c") if at % 10 == 0 else word for at, word in enumerate(words[:-1])] + [
            "modem"
        ]
        docs += [
            {"id": 2 * number, "content": " ".join(words), "noise": "digital"},
            {"id": 2 * number + 1, "content": " ".join(read), "noise": "heavy"},
        ]
        pairs.append({"a": 2 * number + 1, "b": 2 * number, "label": "duplicate", "sub": "digital_vs_scan"})
    paths = [directory / "docs.jsonl", directory / "pairs.jsonl"]
    for path, rows in zip(paths, (docs, pairs), strict=True):
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return [str(path) for path in paths]


def test_confusions_are_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Which character was read as which, which pair as one; how many words were misread."""
    assert main(corpus(tmp_path)) == 0
    table = json.loads(capsys.readouterr().out)
    assert table["characters"]["e"]["to"] == {"c": 1.0}
    assert table["characters"]["rn"]["to"] == {"m": 1.0}
    assert set(table["characters"]) == {"e", "rn"}
    heavy = table["levels"]["heavy"]
    assert heavy["documents"] == 20
    assert 0.03 < heavy["word_error"][3] < 0.13


def test_adjacent_edits_are_one_confusion() -> None:
    """`rn` read as `m` is one, an inserted character belongs to the one before it, at the start to the one after."""
    assert list(misread("modern", "modem")) == [("rn", "m")]
    assert list(misread("total", "tot.al")) == [("t", "t.")]
    assert list(misread("Dear", "'Dear")) == [("D", "'D")]


def test_the_worst_fifth_says_how_unevenly_errors_fall() -> None:
    """Even errors put a fifth there, one bad line all."""
    assert worst_fifth([(10, 1)] * 10) == pytest.approx(0.2)
    assert worst_fifth([(10, 5)] + [(10, 0)] * 9) == 1.0


def test_the_table_of_the_repository_is_what_the_script_writes() -> None:
    """One level or character a line, in the form that the script gives it."""
    path = Path(__file__).parents[2] / "scripts" / "corpus" / "noise_table.json"
    pairs = sum(level["documents"] for level in TABLE["levels"].values())
    assert path.read_text(encoding="utf-8").rstrip("\n") == text_of(TABLE | {"pairs": pairs})


def test_files_come_in_pairs(capsys: pytest.CaptureFixture[str]) -> None:
    """Documents without their pairs are refused, with the usage."""
    assert main(["docs.jsonl"]) == 2
    assert "PAIRS.jsonl" in capsys.readouterr().err
