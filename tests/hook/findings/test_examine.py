"""The use case of one document: which finding it carries, whom it may name, and what a kill leaves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook.findings.examine import carries
from hook.findings.findings import Findings, Record
from hook.findings.plan import may_show
from hook.paperless.http import Answer, ApiTransport
from hook.session import Session
from hook.settings.types import Scope
from tests.fakes import After, FakePaperless
from tests.hook.findings.writing_kit import LETTER, RESCAN, THIRD, UNLIKE, Desk, desk

FIELD = "Similar documents"
FLAGGED = {"dedupe:review", "dedupe:rescan"}


@pytest.fixture
def fake() -> Iterator[FakePaperless]:
    with FakePaperless() as server:
        server.add_user("ann")
        server.add_user("bob")
        yield server


owners = st.sampled_from([None, 1, 2])


@given(st.sampled_from(Scope), st.permutations([5, 6]), owners, owners)
def test_one_document_of_a_pair_carries_the_finding(
    scope: Scope, numbers: list[int], owner: int | None, other_owner: int | None
) -> None:
    """Exactly one, and one that may show the other; none if neither may. The newer one if both may."""
    one, two = (numbers[0], owner), (numbers[1], other_owner)
    here, there = carries(scope, one, two), carries(scope, two, one)
    allowed = may_show(scope, owner, other_owner), may_show(scope, other_owner, owner)
    assert (here or there) == any(allowed)
    assert not (here and there)
    assert not here or allowed[0]
    assert not there or allowed[1]
    if all(allowed):
        assert here == (numbers[0] > numbers[1])


def test_an_unowned_document_like_somebodys(fake: FakePaperless, at: Desk) -> None:
    """Everybody sees the new one, so it must not name Ann's: Ann's older one carries the finding."""
    anns, new = fake.add_document(LETTER, owner="ann"), fake.add_document(RESCAN)
    outcome = at.run(anns, new)
    assert outcome.findings == ()
    assert outcome.reexamine == (anns,)
    at.run(anns)
    assert fake.document(anns).tags == FLAGGED
    assert f"#{new}" in fake.document(anns).notes[0]
    assert fake.document(new).notes == ()
    assert fake.document(new).tags == frozenset()
    assert at.run(new).reexamine == ()


def test_a_skipped_document_is_indexed_but_never_flagged(fake: FakePaperless, at: Desk) -> None:
    """`dedupe:skip` on either of two documents: nothing is said; taken off, it is."""
    old, new = fake.add_document(LETTER), fake.add_document(RESCAN, tags=["dedupe:skip"])
    outcome = at.run(old, new)
    assert outcome.line == f"#{new}: has the tag dedupe:skip, not marked"
    third = fake.add_document(THIRD)
    at.run(third)
    assert fake.document(third).custom_fields == {FIELD: [old]}
    fake.untag(new, "dedupe:skip")
    at.run(new)
    assert fake.document(new).tags == FLAGGED


def test_a_document_that_is_gone(fake: FakePaperless, at: Desk) -> None:
    """No error: a line, and those that named it are looked at again."""
    old, new = fake.add_document(LETTER), fake.add_document(RESCAN)
    at.run(old, new)
    fake.trash(old)
    outcome = at.run(old)
    assert outcome.line.startswith(f"#{old}: not found")
    assert outcome.reexamine == (new,)
    at.run(new)
    assert fake.document(new).tags == frozenset()
    assert fake.document(new).notes == ()


def test_two_that_are_gone_do_not_ask_for_each_other(fake: FakePaperless, at: Desk) -> None:
    """One that is known to be gone is not looked for again because the other one goes too."""
    old, new = fake.add_document(LETTER), fake.add_document(RESCAN)
    at.run(old, new)
    fake.trash(old)
    fake.trash(new)
    assert at.run(new).reexamine == ()
    assert at.run(old).reexamine == ()


def test_what_is_news(fake: FakePaperless, at: Desk) -> None:
    """A new text or another finding; not that somebody has told us of the document once more."""
    old, new = fake.add_document(LETTER), fake.add_document(RESCAN)
    assert at.run(old).is_news
    assert at.run(new).is_news
    assert not at.run(old).is_news
    assert not at.run(new).is_news
    fake.edit(old, content=UNLIKE)
    assert at.run(old).is_news
    assert at.run(new).is_news
    assert not at.run(new).is_news


def test_an_exact_copy_without_text(fake: FakePaperless, at: Desk) -> None:
    """Paperless 3 knows that the files are the same, even where there are no words to compare."""
    old, new = fake.add_document("", "Photo", data=b"jpeg"), fake.add_document("", data=b"jpeg")
    outcome = at.run(old, new)
    assert outcome.line == f"#{new} is identical to #{old}, 100% sure: same file, byte for byte"
    assert fake.document(new).tags == {"dedupe:review", "dedupe:identical"}


def test_the_text_shows_nowhere(fake: FakePaperless, at: Desk) -> None:
    """Values of an examination can be logged: they hold no text of a document."""
    old, new = fake.add_document(LETTER), fake.add_document(RESCAN)
    at.run(old)
    assert "Mill Road" not in repr(at.look(new))


# Kills: the process ends at any moment, the next run completes what was begun


class Killed(BaseException):
    """What no `except Exception` stops; afterwards nothing works any more, as in a process that is gone."""


@dataclass
class Life:
    ticks: int

    def spend(self) -> None:
        self.ticks -= 1
        if self.ticks < 0:
            raise Killed


FOREVER = 10**9
LIFE = Life(FOREVER)


class MortalTransport(ApiTransport):
    """Can be killed before a request leaves, and after Paperless has acted on it."""

    def call(self, *args: Any, **options: Any) -> Answer:
        LIFE.spend()
        answer = super().call(*args, **options)
        LIFE.spend()
        return answer


class MortalFindings(Findings):
    def put(self, records: Iterable[Record]) -> None:
        LIFE.spend()
        super().put(records)
        LIFE.spend()


class MortalSession(Session):
    @cached_property
    def findings(self) -> Findings:
        return MortalFindings(self.archive.index)


def life(ticks: int, directory: Path) -> tuple[bool, list[tuple[Any, ...]]]:
    """True if the hook was killed; and what people see after the next run, which leaves nothing to do."""
    mortal: dict[str, Any] = {"wire_type": MortalTransport, "session_type": MortalSession}
    with FakePaperless() as fake:
        *others, last = (
            fake.add_document(text, "Letter", notes=["mine"]) for text in (LETTER, RESCAN, THIRD)
        )
        with desk(fake, directory, tag_other="true", **mortal) as at:
            for number in others:
                at.look(number)
            LIFE.ticks, was_killed = ticks, False
            try:
                at.run(last)
            except Killed:
                was_killed = True
            finally:
                LIFE.ticks = FOREVER
        with desk(fake, directory, tag_other="true") as at:
            at.run(last)
            at.writes()
            at.run(last)
            assert at.writes() == []
        shown = [(seen.tags, seen.notes, seen.custom_fields) for seen in map(fake.document, fake.documents)]
        return was_killed, shown


def test_killed_at_any_moment_the_next_run_completes_it(tmp_path: Path) -> None:
    """One note, the tags, the links: the same as if nothing had happened, wherever the kill struck."""
    was_killed, expected = life(FOREVER, tmp_path / "calm")
    assert not was_killed
    assert [len(notes) for _, notes, _ in expected] == [1, 1, 2]
    ticks, was_killed = 0, True
    while was_killed:
        was_killed, shown = life(ticks, tmp_path / str(ticks))
        assert shown == expected, ticks
        ticks += 1
    assert ticks > 20


def test_the_link_field_deleted_meanwhile_is_made_again(fake: FakePaperless, at: Desk) -> None:
    """The same for the custom field."""
    at.run(fake.add_document(LETTER), fake.add_document(RESCAN))
    new = fake.add_document(THIRD)
    fake.faults.add(
        "GET", f"documents/{new}/\\?fields=id,custom", After(lambda: fake.delete_custom_field(FIELD))
    )
    outcome = at.run(new)
    assert outcome.kept == ""
    assert len(fake.document(new).custom_fields[FIELD]) == 2
