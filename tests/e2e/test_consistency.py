"""A finding is explained as it was made, stays as a person has seen it, and a change of it is logged with its cause."""

from __future__ import annotations

import json
from dataclasses import replace

from dedupe_core.model import Relation
from hook.findings.findings import Findings
from tests.e2e.archive_kit import Desk, opened
from tests.e2e.review_kit import Flagged, flagged
from tests.live.texts import Texts


def seen_as_part(desk: Desk, **more: str) -> Flagged:
    """Among other neighbours, the rescan was taken for a part."""
    pair = flagged(desk)
    with opened(desk) as archive:
        findings = Findings(archive.index)
        record = findings.get(pair.rescan)
        (finding,) = record.findings
        findings.put([replace(record, findings=(replace(finding, relation=Relation.CONTAINED),), **more)])  # type: ignore[arg-type]
    return pair


def relation(desk: Desk, pair: Flagged) -> Relation:
    with opened(desk) as archive:
        (finding,) = Findings(archive.index).get(pair.rescan).findings
        return finding.relation


def again(desk: Desk) -> list[str]:
    """The lines on findings that have changed."""
    out, _ = desk.run("backfill", "--again", code=0, DEDUPE_LOG_LEVEL="INFO")
    return [line for line in out.splitlines() if ": was " in line]


def test_explain_says_how_the_finding_was_made_then_how_it_is_judged_today(desk: Desk) -> None:
    """In either order, as `pending` and the note have it."""
    pair = seen_as_part(desk)
    for words in ((pair.rescan, pair.letter), (pair.letter, pair.rescan)):
        first, _, today, *_ = desk.run("explain", *map(str, words))[0].splitlines()
        assert f"#{words[0]} and #{words[1]}: contained, " in first
        assert first.endswith("reported")
        assert today.startswith("Judged today: rescan, ")
        assert "It differs because documents around it, owners or settings have changed" in today
    found = json.loads(desk.run("explain", str(pair.rescan), str(pair.letter), "--json")[0])
    assert (found["relation"], found["stored"]["relation"]) == ("rescan", "contained")
    listed = json.loads(desk.run("pending", "--json")[0])
    assert listed["relation"] == "contained"


def test_another_neighbourhood_does_not_change_what_a_person_has_seen(desk: Desk) -> None:
    """The same texts, the same judge: also if all is examined again with another scope."""
    pair = seen_as_part(desk)
    desk.fake.add_document(Texts(77).letter(), "Newcomer")
    assert again(desk) == []
    assert relation(desk, pair) is Relation.CONTAINED


def test_another_judge_changes_it_and_the_log_says_so(desk: Desk) -> None:
    pair = seen_as_part(desk, judge="an older one")
    (line,) = again(desk)
    assert relation(desk, pair) is Relation.RESCAN
    assert f"#{pair.rescan} and #{pair.letter}: was contained, " in line
    assert line.endswith("sure now: paperless-dedupe judges by other rules now")
