"""`explain`: how two indexed documents relate and why, in words, also if they are not reported."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dedupe_core.model import Document
from dedupe_core.policy import DEFAULT as POLICY
from dedupe_core.recipe import DEFAULT as RECIPE
from hook import cli
from hook.examination.archive import Archive
from tests.core.core_kit import LETTER, NEXT_LETTER
from tests.corpus.noise import scanned

TEXTS = {
    1: LETTER,
    2: NEXT_LETTER,
    3: scanned(LETTER, "medium", 4),
    4: "Stone a kilo of plums and bake them with cinnamon",
    5: LETTER,
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("explain") / "index"
    with Archive.open(directory, RECIPE, POLICY) as archive:
        for number, text in TEXTS.items():
            archive.remember(archive.examine(Document(number, text)).fingerprint)
    return directory


def explain(*words: str | Path) -> int:
    return cli.main(["explain", *map(str, words)], {"HOME": "/home/ann"})


@pytest.mark.parametrize(
    ("other", "relation", "reported", "fact"),
    [
        (2, "sibling", "not reported", "different dates: "),
        (3, "rescan", "sure, reported", "RE202345588"),
        (4, "unrelated", "not reported", ""),
        (5, "identical", "sure, reported", ""),
    ],
)
def test_every_relation_is_explained(
    index: Path, other: int, relation: str, reported: str, fact: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The relation, how sure, whether it is reported; then the reason, which names what agrees or differs; then the evidence.
    Without --index it is the index that the hook writes."""
    assert cli.main(["explain", "1", str(other)], {"DEDUPE_INDEX_DIR": str(index)}) == 0
    first, reason, *observations = capsys.readouterr().out.splitlines()
    assert first.startswith(f"#1 and #{other}: {relation}, ")
    assert first.endswith(reported)
    assert fact in reason and len(reason.split()) >= 3
    assert observations


def test_counts_have_no_decimals(index: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Shares have three, below each other."""
    assert explain("1", "2", "--index", index) == 0
    shown = dict(line.strip().split(maxsplit=1) for line in capsys.readouterr().out.splitlines()[2:])
    assert (shown["dates_agree"], shown["dates_differ"]) == ("0", "4")
    assert shown["resemblance"].startswith("0.") and len(shown["resemblance"]) == len("0.603")


def test_json_is_the_line_of_scan(index: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The order makes no difference to relation and flag."""
    for one, two in ((1, 3), (3, 1)):
        assert explain(str(one), str(two), "--index", index, "--json") == 0
        found = json.loads(capsys.readouterr().out)
        assert (found["schema"], found["subject"], found["other"]) == (1, one, two)
        assert (found["relation"], found["flagged"]) == ("rescan", True)
