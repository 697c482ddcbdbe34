"""`find`: what overlaps a document, from the command line; the index alone is asked."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from dedupe_core.model import Document
from dedupe_core.policy import DEFAULT as POLICY
from dedupe_core.recipe import DEFAULT as RECIPE
from hook import cli
from hook.examination.archive import Archive
from hook.examination.overlap import Question
from tests.core.compare.parts_kit import pages, prose
from tests.corpus.noise import scanned

PAGES = [prose(seed, 220) for seed in range(6)]
TEXTS = {
    1: PAGES[2],
    2: pages(*PAGES),
    3: scanned(PAGES[2], "light", 5),
    4: prose(50, 220),
    5: f"{PAGES[2][:700]} {prose(51, 110)}",
    6: PAGES[2],
}
OWNERS = {6: 9}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("find") / "index"
    with Archive.open(directory, RECIPE, POLICY) as archive:
        for number, text in TEXTS.items():
            document = Document(number, text, title=f"paper {number}", owner=OWNERS.get(number))
            archive.remember(archive.examine(document).fingerprint)
    return directory


@pytest.fixture
def find(index: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    def run(*words: str, code: int = 0) -> tuple[dict[int, dict[str, Any]], dict[str, Any], str]:
        environ = {"HOME": "/home/ann", "DEDUPE_URL": "http://paper.example/less"}
        ended = cli.main(["find", *words, "--index", str(index), "--json"], environ)
        shown = capsys.readouterr()
        assert ended == code, shown.err
        lines = [json.loads(line) for line in shown.out.splitlines()]
        summary = lines.pop()["summary"] if lines else {}
        return {line["id"]: line for line in lines}, summary, shown.err

    return run


def test_what_overlaps_is_found_with_its_shares_relation_title_and_link(find: Any) -> None:
    found, summary, _ = find("1")
    assert set(found) == {2, 3, 5}
    assert (found[2]["title"], found[2]["url"]) == ("paper 2", "http://paper.example/less/documents/2")
    assert found[2]["contained"] > 0.95
    assert found[2]["contains"] == pytest.approx(1 / 6, abs=0.05)
    assert found[2]["relation"] == "contained"
    assert found[3]["relation"] == "rescan"
    assert 0.3 < found[5]["contained"] < 0.5
    assert summary["found"] == 3


def test_documents_of_other_owners_stay_hidden(find: Any) -> None:
    """As everywhere: what may not be shown beside a document is not told of."""
    assert 6 not in find("1")[0]
    assert {1, 2, 3, 5} <= set(find("6")[0])


def test_the_three_narrower_questions(find: Any) -> None:
    assert set(find("3", "--contained-in")[0]) >= {2}
    assert 2 not in find("3", "--contains")[0]
    assert set(find("2", "--contains")[0]) == {1, 3, 5}
    assert set(find("2")[0]) == set()  # a sixth of it is less than 20%
    assert set(find("1", "--similar", "--overlap", "50")[0]) == {3}


def test_a_text_that_is_not_in_paperless(find: Any, tmp_path: Path) -> None:
    file = tmp_path / "new.txt"
    file.write_text(scanned(PAGES[4], "light", 8))
    found, summary, _ = find("--text", str(file))
    assert set(found) == {2}
    assert summary["document"] is None
    assert found[2]["reason"].startswith("the text is page 5 of #2: ")


def test_a_text_from_standard_input(find: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(PAGES[0].encode())))
    assert set(find("--text", "-")[0]) == {2}


def test_people_get_a_paragraph_each(index: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["find", "1", "--index", str(index), "--limit", "1"]
    assert cli.main(words, {"HOME": "/home/ann"}) == 0
    shown = capsys.readouterr()
    assert shown.out.count("/documents/") == 1
    assert shown.err.startswith("3 documents found (the first 1 shown)")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["99"], 1, "not in the index"),
        (["eleven"], 2, "not a document id"),
        (["99999999999"], 2, "not a document id"),
        (["4294967295"], 2, "4294967294"),
        (["1", "--overlap", "0"], 2, "from 1 to 100"),
        ([], 2, "either a document id or --text"),
        (["1", "--text", "x"], 2, "either a document id or --text"),
        (["--text", "/nowhere/x"], 2, "No such file"),
    ],
)
def test_what_cannot_be_asked_is_said_in_one_line(find: Any, words: list[str], code: int, said: str) -> None:
    _, _, err = find(*words, code=code)
    assert said in err and len(err.splitlines()) == 1


def test_a_picture_is_no_text(find: Any, tmp_path: Path) -> None:
    (tmp_path / "scan.pdf").write_bytes(b"%PDF\x00\x01\x02")
    assert "not plain text" in find("--text", str(tmp_path / "scan.pdf"), code=2)[2]


def test_frequent_passages_do_not_hide_older_documents(tmp_path: Path) -> None:
    """The index keeps 64 documents for a key; general terms stand on more. Then every document is looked at."""
    terms = prose(7, 150)
    with Archive.open(tmp_path / "index", RECIPE, POLICY) as archive:
        with archive.batch():
            for number in range(150):
                document = Document(number + 1, f"{prose(100 + number, 60)}\n{terms}")
                archive.remember(
                    archive.examine(document).fingerprint if number % 50 == 0 else _print(document)
                )
        given_one = archive.fingerprint_of(150)
        assert given_one is not None
        assert len(archive.overlapping(given_one, Question(0.2))) == 149


def _print(document: Document) -> Any:
    from dedupe_core.fingerprint.fingerprint import fingerprint

    return fingerprint(document, RECIPE)
