"""`scan`: a file of documents in, one JSON line a pair out; bad input is named by its line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from dedupe_core.policy import DEFAULT as POLICY
from dedupe_core.recipe import DEFAULT as RECIPE
from hook import cli
from hook.examination.archive import Archive
from scripts.corpus.generate import TEMPLATES, corpus
from scripts.corpus.template import load
from tests.core.core_kit import LETTER, NEXT_LETTER
from tests.corpus import make
from tests.corpus.noise import scanned
from tests.programs import python

RESCAN = scanned(LETTER, "medium", 4)
THREE = [{"id": 1, "content": LETTER}, {"id": 2, "content": NEXT_LETTER}, {"id": 3, "content": RESCAN}]


def scan(*words: str | Path) -> int:
    """It makes its own index, so it runs where there is neither a home nor a setting."""
    return cli.main(["scan", *map(str, words)], {})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write(tmp_path / "docs.jsonl", THREE)


def write(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def pairs(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def test_each_pair_is_one_json_line(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The contract: schema, both ids, relation, confidence, flagged, evidence; the summary goes to stderr."""
    assert scan(file) == 0
    shown = capsys.readouterr()
    (pair,) = pairs(shown.out)
    assert (pair["schema"], pair["subject"], pair["other"]) == (1, 3, 1)
    assert (pair["relation"], pair["flagged"]) == ("rescan", True)
    assert 0.6 < pair["confidence"] < 1
    assert {"name", "value", "words"} == pair["evidence"][0].keys()
    assert shown.err == "3 documents examined, 1 pair to review\n"
    assert scan(file, "--json") == 0
    summary = json.loads(capsys.readouterr().err)
    assert summary == {"schema": 1, "summary": {"documents": 3, "pairs": 1, "flagged": 1}}


def test_a_doubt_is_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A digit that was changed or misread: both sides, what it is, and the word it begins at in either text."""
    again = LETTER.replace("101,27", "101,21")
    rows = [{"id": 1, "content": LETTER}, {"id": 2, "content": again}]
    assert scan(write(tmp_path / "docs.jsonl", rows), "--json", "--all") == 0
    (found,) = pairs(capsys.readouterr().out)
    at = again.split().index("101,21")
    (doubt,) = [one for one in found["doubts"] if one["kind"] == "number"]
    assert (doubt["left"], doubt["right"]) == ("101,21", "101,27")
    assert [again.split()[at], LETTER.split()[at]] == [doubt["left"], doubt["right"]]
    assert 'one number reads "101,21" here and "101,27" there: look before you delete' in found["reason"]


def test_all_prints_what_nobody_is_told_of(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Siblings too, marked as such."""
    assert scan(file, "--all") == 0
    found = {
        (pair["subject"], pair["other"]): (pair["relation"], pair["flagged"])
        for pair in pairs(capsys.readouterr().out)
    }
    assert found == {(2, 1): ("sibling", False), (3, 1): ("rescan", True), (3, 2): ("sibling", False)}


def test_a_policy_file_is_used(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By option or by environment; the option first."""
    strict, usual = tmp_path / "strict.toml", tmp_path / "usual.toml"
    strict.write_text("[policy]\nflag_threshold = 0.999\n")
    usual.write_text("[policy]\nflag_threshold = 0.6\n")
    environ = {"DEDUPE_POLICY_FILE": str(strict)}
    for words, env, count in (
        (["--policy", str(strict)], {}, 0),
        (["--policy", str(usual)], environ, 1),
        ([], environ, 0),
    ):
        assert cli.main(["scan", str(file), *words], {"HOME": "/home/ann", **env}) == 0
        assert len(pairs(capsys.readouterr().out)) == count


def test_a_recipe_of_the_policy_file(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An index of another recipe is refused."""
    path, index = tmp_path / "mine.toml", tmp_path / "index"
    path.write_text('[recipe]\nshingle = "words"\nsize = 2\n[classical]\nthreshold = 0.3\n')
    assert scan(file, "--index", index, "--policy", path) == 0
    assert "threshold of 0.30" in pairs(capsys.readouterr().out)[0]["reason"]
    assert scan(file, "--index", index) == 4
    said = capsys.readouterr().err
    assert "was built with recipe t1-w2-192" in said
    assert "rebuild with `paperless-dedupe backfill --rebuild`" in said
    path.unlink()
    assert scan(file, "--policy", path) == 2


def test_an_index_is_kept_and_used_again(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A second file is judged against the first one's documents, whatever the ids; a second run of the first finds the same."""
    index = tmp_path / "index"
    assert scan(file, "--index", index) == 0
    first = capsys.readouterr().out
    later = write(tmp_path / "later.jsonl", [{"id": 0, "content": scanned(NEXT_LETTER, "light", 4)}])
    assert scan(later, "--index", index) == 0
    assert [(pair["subject"], pair["other"]) for pair in pairs(capsys.readouterr().out)] == [(0, 2)]
    assert scan(file, "--index", index) == 0
    again = {frozenset((pair["subject"], pair["other"])) for pair in pairs(capsys.readouterr().out)}
    assert {frozenset((pair["subject"], pair["other"])) for pair in pairs(first)} <= again


def test_without_an_index_nothing_is_left_behind(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The temporary index goes with the run."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert scan(file) == 0
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("docs.jsonl", "--recipe", "clasical"), "no recipe is called 'clasical'; there are default, classical, classical-5\n"),
        (("none.jsonl",), "none.jsonl: No such file or directory: use a file of JSON lines\n"),
    ],
)  # fmt: skip
def test_what_is_not_there_is_named(
    file: Path, words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert scan(file.with_name(words[0]), *words[1:]) == 2
    shown = capsys.readouterr()
    assert (shown.out, shown.err.endswith(said)) == ("", True)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "line 2: not JSON"),
        ("[" * 100_000, "line 2: "),
        ('{"id": 2, "content": "x"', "line 2: not JSON"),
        ("[1, 2]", "line 2: not an object: each line must be one JSON object"),
        ("null", "line 2: not an object: each line must be one JSON object"),
        ('{"content": "x"}', 'line 2: "id" must be a whole number'),
        ('{"id": -1, "content": "x"}', 'line 2: "id" must be a whole number'),
        ('{"id": 4294967296, "content": "x"}', 'line 2: "id" must be a whole number'),
        ('{"id": true, "content": "x"}', 'line 2: "id" must be a whole number'),
        ('{"id": 1.5, "content": "x"}', 'line 2: "id" must be a whole number'),
        ('{"id": "x1", "content": "x"}', 'line 2: "id" must be a whole number'),
        ('{"id": 2}', 'line 2: "content" must be the text'),
        ('{"id": 2, "content": null}', 'line 2: "content" must be the text'),
    ],
)
def test_a_bad_line_is_named(
    line: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line on stderr with file and line number; exit code 2; no traceback."""
    path = tmp_path / "docs.jsonl"
    path.write_text(json.dumps(THREE[0]) + f"\n{line}\n", encoding="utf-8")
    assert scan(path) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith(f"paperless-dedupe: {path}, {said}")
    assert shown.err.count("\n") == 1


def test_a_bad_line_makes_no_half_done_batch(tmp_path: Path) -> None:
    """The documents of a batch that holds a bad line are not indexed; those of earlier batches are."""
    path, index = tmp_path / "docs.jsonl", tmp_path / "index"
    rows = [{"id": number, "content": f"document number {number} of many"} for number in range(250)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows) + "oops\n", encoding="utf-8")
    assert scan(path, "--index", index, "--jobs", "1") == 2
    with Archive.open(index, RECIPE, POLICY, create=False) as archive:
        assert len(archive.index) == 50  # a small batch comes first
        assert archive.index.check().sound


def test_odd_but_good_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Empty lines, ids as text, unknown and wrongly typed extras, and broken UTF-8 are no reason to stop."""
    path = tmp_path / "docs.jsonl"
    extras: dict[str, Any] = {"title": None, "owner": "me", "tags": [1], "checksum": 5, "created": {}}
    odd = {"id": "7", "content": LETTER, **extras}
    path.write_bytes(
        json.dumps(odd).encode() + b"\n\n  \n" + b'{"id": 8, "content": "caf\xe9 \xff broken bytes here"}\n'
    )
    assert scan(path) == 0
    assert capsys.readouterr().err == "2 documents examined, 0 pairs to review\n"


def test_lone_surrogates_go_in_and_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """JSON may hold them; the output is still JSON."""
    text = "\\ud800 Bon 4711 vom 01.02.2024 \\udfff an Kasse 5"
    path = tmp_path / "docs.jsonl"
    path.write_text("".join(f'{{"id": {n}, "content": "{text}"}}\n' for n in (1, 2)), encoding="ascii")
    assert scan(path, "--all") == 0
    assert [pair["relation"] for pair in pairs(capsys.readouterr().out)] == ["identical"]


def test_the_output_is_the_same_in_every_process() -> None:
    """Nothing depends on the order of a set: byte for byte the same under another hash seed. `-` is standard input."""
    lines = "".join(json.dumps(row) + "\n" for row in make.documents(make.corpus()))
    words = ("-m", "hook.cli", "scan", "-", "--all", "--jobs", "1")
    one, other = (python(*words, environ={"PYTHONHASHSEED": seed}, stdin=lines) for seed in ("1", "2"))
    assert one.returncode == other.returncode == 0
    assert one.stdout == other.stdout != ""


# Below the chance that a first look leaves, the full comparison would report pairs that a plain scan has ruled out.
@pytest.mark.parametrize(("seed", "threshold"), [(2, 0.6), (1, 0.005)])
def test_all_reports_the_same_pairs(
    seed: int, threshold: float, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """--all prints more pairs, and reports none that a plain scan leaves out, nor with another relation or confidence."""
    rows, _ = corpus(load(TEMPLATES), 100, seed)
    file = write(tmp_path / "docs.jsonl", [{"id": row["id"], "content": row["content"]} for row in rows])
    policy = tmp_path / "policy.toml"
    policy.write_text(f"[policy]\nflag_threshold = {threshold}\n")
    shown = []
    for options in ([], ["--all"]):
        assert scan(file, "--policy", policy, "--jobs", "1", *options) == 0
        shown.append(pairs(capsys.readouterr().out))
    plain, everything = shown
    assert _in_order(pair for pair in everything if pair["flagged"]) == _in_order(plain)
    assert len(everything) >= len(plain) > 20


def _in_order(found: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(found, key=lambda pair: (pair["subject"], pair["other"]))
