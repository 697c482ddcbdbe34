"""An index that has lost decisions reads them back from the copy in Paperless, and never overwrites it with less."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from typing import Any

import pytest

from dedupe_core.model import Relation
from hook.findings.decisions import NAMESPACE, Decision, Kind
from hook.index.ids import number_key
from hook.review.kept.kept_decisions import KEY, MOST, MOST_UNDONE, Copy
from hook.settings.address import Address
from tests.e2e.archive_kit import Desk, opened
from tests.e2e.review_kit import FIELD, Flagged, decide, decisions, flagged, ours, sync
from tests.hook.index.shared.conftest import address, redis_port

__all__ = ["address", "redis_port"]

NOT_DUPLICATE = "dedupe:not-duplicate"
READ_BACK = "1 decision that Paperless keeps were missing in the index and have been read back"


def dismissed(desk: Desk) -> Flagged:
    pair = flagged(desk)
    decide(desk, pair.rescan, NOT_DUPLICATE)
    assert [(one.a, one.b) for one in decisions(desk)] == [(pair.letter, pair.rescan)]
    return pair


def kept(desk: Desk) -> dict[str, Any]:
    """The copy in Paperless."""
    found: dict[str, Any] = desk.fake.state.custom_fields[desk.fake.custom_field_id(FIELD)].extra_data[KEY]
    return found


def lose_row(desk: Desk) -> None:
    with opened(desk) as archive:
        names = archive.index.namespace(NAMESPACE)
        with archive.batch():
            for key, _ in list(names.items()):
                assert names.delete(key)


def flip_byte(desk: Desk) -> None:
    """In the value of the decision, wherever the store has it; then the repair that `check` advises."""
    flipped = 0
    for file in desk.index_dir.iterdir():
        if file.is_file() and b'"kind":"dismissed"' in (data := file.read_bytes()):
            file.write_bytes(data.replace(b'"kind":"dismissed"', b'"kind":"dismisses"'))
            flipped += 1
    assert flipped
    assert "check --repair" in desk.run("check", "--full", code=1)[0]
    desk.run("check", "--repair", code=0)


@pytest.mark.parametrize("lose", [lose_row, flip_byte])
@pytest.mark.parametrize("command", [["--sync", "--full"], ["--again"]])
def test_a_lost_decision_is_read_back(desk: Desk, lose: Callable[[Desk], None], command: list[str]) -> None:
    """`check` says so before, the run says so and reads it, the copy stays, and the pair is not tagged again."""
    pair = dismissed(desk)
    before, copy = decisions(desk), kept(desk)["decisions"]
    lose(desk)
    assert decisions(desk) == []
    out, _ = desk.run("check", code=0)
    assert "the index has lost 1 decision that Paperless keeps" in out
    assert "Run `paperless-dedupe backfill --sync`: it reads them back." in out
    _, err = desk.run("backfill", *command)
    assert READ_BACK in err
    (found,) = decisions(desk)
    assert (found.pair, found.kind, found.decided_at) == (
        before[0].pair,
        Kind.DISMISSED,
        before[0].decided_at,
    )
    assert kept(desk)["decisions"] == copy
    assert ours(desk.fake.document(pair.rescan)) == (set(), [], [])
    assert "has lost" not in desk.run("check", code=0)[0]
    assert READ_BACK not in sync(desk)


def imported(desk: Desk, lines: str) -> None:
    (desk.place / "decisions.jsonl").write_text(lines)
    desk.run("decisions", "import", str(desk.place / "decisions.jsonl"))


def test_of_two_decisions_only_the_lost_one_is_read_back(desk: Desk) -> None:
    pair = dismissed(desk)
    other = Decision(2, 9, Kind.CONFIRMED, Relation.RESCAN, 0.9, decided_at="2026-01-01T00:00:00+00:00")
    imported(desk, json.dumps(other.to_json()) + "\n")
    sync(desk)
    assert len(kept(desk)["decisions"]) == 2
    with opened(desk) as archive:
        archive.index.namespace(NAMESPACE).delete(number_key(pair.letter) + number_key(pair.rescan))
    assert READ_BACK in sync(desk)
    assert sorted(one.pair for one in decisions(desk)) == [(pair.letter, pair.rescan), (2, 9)]


def test_a_lost_decision_is_read_back_on_redis(desk: Desk, address: Address, redis_port: int) -> None:
    """The whole namespace was deleted on the server, the journal and the marks of what was undone are still there."""
    redis = pytest.importorskip(
        "redis", reason="the extra `redis` is not installed: the shared index was not tested"
    )
    at = {"DEDUPE_INDEX_URL": str(address)}
    pair = flagged_at(desk, at)
    decide(desk, pair.rescan, NOT_DUPLICATE, **at)
    copy = kept(desk)["decisions"]
    assert len(copy) == 1
    with redis.Redis(port=redis_port) as server:
        found = [key for key in server.scan_iter("*:n:decisions*") if b"undone" not in key]
        assert found and server.delete(*found)
    assert "has lost 1 decision" in desk.run("check", code=0, **at)[0]
    _, err = desk.run("backfill", "--again", code=0, **at)
    assert READ_BACK in err
    assert kept(desk)["decisions"] == copy
    assert ours(desk.fake.document(pair.rescan)) == (set(), [], [])
    assert "has lost" not in desk.run("check", code=0, **at)[0]


def flagged_at(desk: Desk, at: dict[str, str]) -> Flagged:
    class There(Desk):
        def environ(self, **more: str) -> dict[str, str]:
            return super().environ(**{**at, **more})

    return flagged(There(desk.fake, desk.place, desk.capsys))


def test_a_pair_that_was_reported_meanwhile_loses_its_marks(desk: Desk) -> None:
    """Without its decision it was found again by a run that could not ask for the copy."""
    pair = dismissed(desk)
    copy = dict(kept(desk))
    lose_row(desk)
    desk.fake.state.custom_fields[desk.fake.custom_field_id(FIELD)].extra_data = {}
    desk.run("backfill", "--again")
    assert ours(desk.fake.document(pair.rescan))[0]
    desk.fake.state.custom_fields[desk.fake.custom_field_id(FIELD)].extra_data = {KEY: copy}
    sync(desk)
    assert ours(desk.fake.document(pair.rescan)) == (set(), [], [])


# What was undone


def test_an_undone_decision_does_not_come_back_with_an_old_backup(desk: Desk) -> None:
    """It leaves the copy, with a mark; the backup of the index still has it."""
    pair = dismissed(desk)
    saved = desk.place / "saved"
    shutil.copytree(desk.index_dir, saved)
    desk.run("undo", str(pair.rescan))
    (mark,) = kept(desk)["undone"]
    assert mark.startswith(f"{pair.letter} {pair.rescan} 20")
    assert READ_BACK not in sync(desk)
    shutil.rmtree(desk.index_dir)
    shutil.copytree(saved, desk.index_dir)
    assert len(decisions(desk)) == 1
    sync(desk)
    assert decisions(desk) == kept(desk)["decisions"] == []


def test_what_is_decided_again_after_an_undo_stays(desk: Desk) -> None:
    pair = dismissed(desk)
    desk.run("undo", str(pair.rescan))
    decide(desk, pair.rescan, NOT_DUPLICATE)
    sync(desk)
    assert len(decisions(desk)) == len(kept(desk)["decisions"]) == 1
    assert kept(desk)["undone"] == []
    lose_row(desk)
    assert READ_BACK in sync(desk)
    assert len(decisions(desk)) == 1


def test_an_imported_decision_is_not_taken_for_undone(desk: Desk) -> None:
    """Exported, undone, imported: the person wants it back."""
    pair = dismissed(desk)
    out, _ = desk.run("decisions", "export")
    desk.run("undo", str(pair.rescan))
    imported(desk, out)
    sync(desk)
    sync(desk)
    assert [one.pair for one in decisions(desk)] == [(pair.letter, pair.rescan)]
    assert len(kept(desk)["decisions"]) == 1


def test_undo_of_a_merge_whose_decision_was_lost_is_not_reverted(desk: Desk) -> None:
    """The journal knows the operation; the copy still has its decision."""
    pair = flagged(desk)
    decide(desk, pair.rescan, "dedupe:confirm", DEDUPE_ON_CONFIRM="trash")
    assert len(desk.fake.trashed) == len(kept(desk)["decisions"]) == 1
    lose_row(desk)
    desk.run("undo", str(pair.rescan))
    sync(desk)
    assert decisions(desk) == []
    assert kept(desk)["decisions"] == []
    assert desk.fake.trashed == []


# The copy itself


def decision(number: int, at: str) -> Decision:
    return Decision(number, number + 1, Kind.DISMISSED, Relation.RESCAN, 0.9, decided_at=at)


def test_the_copy_has_a_bound_and_keeps_the_newest() -> None:
    many = {(n, n + 1): decision(n, f"2026-01-01T{n:09}") for n in range(MOST + 5)}
    undone = {(n, n + 1): f"2026-02-01T{n:09}" for n in range(MOST_UNDONE + 5)}
    written = Copy(3, many, undone).extra()
    read = Copy.read(written)
    assert (read.number, len(read.decisions), len(read.undone)) == (3, MOST, MOST_UNDONE)
    assert (4, 5) not in read.decisions and (5, 6) in read.decisions
    assert (4, 5) not in read.undone and (5, 6) in read.undone
    assert read.extra() == written


@pytest.mark.parametrize(
    "extra",
    [
        {},
        {KEY: None},
        {KEY: []},
        {KEY: {"number": "x" * 99, "decisions": 5, "undone": {"a": 1}}},
        {
            KEY: {
                "decisions": [None, 3, "1 2", "a b c d e f g", "2 1 dismissed rescan 0.9 -"],
                "undone": [None, "1", "a b c"],
            }
        },
    ],
)
def test_what_people_wrote_into_it_is_left_out(extra: dict[str, Any]) -> None:
    assert Copy.read(extra) == Copy()
