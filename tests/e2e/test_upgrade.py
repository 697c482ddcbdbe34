"""An index of an earlier version under this one: the hook waits, a backfill builds it again, nothing is lost."""

from __future__ import annotations

import json

import pytest

from dedupe_core.model import Relation
from hook.findings.decisions import Decision, Decisions, Kind
from hook.findings.findings import Findings
from tests.e2e.archive_kit import Desk, fill, opened, result
from tests.e2e.hook_kit import Hooked
from tests.hook.index.index_kit import store_of


def make_earlier(desk: Desk) -> None:
    """The state row of format 1; its table of keys was in rows that this version does not know."""
    with opened(desk) as archive:
        store = store_of(archive.index)
        with store.transaction():
            store.set("state", (1).to_bytes(2, "little") + bytes(21) + b"a recipe")
            store.set(-1, b"a page of format 1")
            store.sql("DROP TABLE posting")


@pytest.mark.parametrize("arguments", [(), ("--sync",)])
def test_a_backfill_builds_it_again_and_keeps_findings_and_decisions(
    desk: Desk, arguments: tuple[str, ...]
) -> None:
    """Also the periodic sync of the service: nobody has to know. Paperless shows the same afterwards."""
    fill(desk.fake, 6, rescans=2)
    desk.backfill()
    decision = Decision(3, 4, Kind.DISMISSED, Relation.SIBLING, 0.5)
    with opened(desk) as archive:
        Decisions(archive.index).put([decision])
        findings = list(Findings(archive.index))
    before = result(desk)
    make_earlier(desk)
    desk.fake.forget_requests()
    out, err = desk.run("backfill", "--json", *arguments)
    assert "has format 1" in err
    assert json.loads(out.splitlines()[-1])["complete"]
    assert result(desk) == before
    assert {write.path for write in desk.fake.writes} <= {
        "/api/custom_fields/1/"
    }  # the copy of the decisions
    with opened(desk) as archive:
        assert decision in list(Decisions(archive.index))
        assert list(Findings(archive.index)) == findings
        assert archive.index.check().sound


def test_a_document_that_arrives_before_is_examined_afterwards(hooked: Hooked) -> None:
    """The hook keeps its event and says why."""
    fill(hooked.fake, 4, rescans=1)
    hooked.run("backfill")
    make_earlier(hooked)
    assert "paperless-dedupe backfill" in hooked.hook(1).err
    assert hooked.waiting == [1]
    hooked.run("backfill")
    hooked.hook(2)
    assert hooked.waiting == []
