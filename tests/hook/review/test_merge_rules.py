"""Which document is kept when a finding is confirmed, and which decisions are refused."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from dedupe_core.fingerprint.fingerprint import fingerprint
from dedupe_core.model import Document, Relation
from dedupe_core.recipe import DEFAULT as RECIPE
from hook.findings.findings import Finding, Record
from hook.paperless.values import RawDocument
from hook.review.journal import Do, ImpossibleError
from hook.review.merge_rules import (
    choose_kept,
    newer_of,
    refuse_changed,
    refuse_owners,
    text_hash,
)
from hook.review.planner import default_of
from hook.session import Session
from hook.settings.model import Settings
from hook.settings.types import RELATIONS
from tests.fakes import FakePaperless

TEXT = "a letter about the roof of the house and the garden"
ONE, TWO = RawDocument(1, content=TEXT, added="2025"), RawDocument(2, content=TEXT, added="2024")
FOUND = Finding(2, Relation.RESCAN, 0.9, (), other_hash=text_hash(TWO))
RECORD = Record(1, (FOUND,), text_hash(ONE))


@pytest.fixture
def keep(session: Session, fake: FakePaperless) -> int:
    """The tag `dedupe:keep`, in Paperless."""
    return fake.add_tag("dedupe:keep")


def kept(
    session: Session,
    finding: Finding = FOUND,
    one: RawDocument = ONE,
    two: RawDocument = TWO,
    prefer: int | None = None,
) -> tuple[int, int]:
    keeper, loser, _ = choose_kept(session, finding, one, two, prefer=prefer)
    return keeper.id, loser.id


def suggesting(keeper: int | None, relation: Relation = Relation.RESCAN) -> Finding:
    return Finding(2, relation, 0.9, (), keeper=keeper)


def test_the_suggestion_of_our_note_is_kept_unless_there_is_a_preference(session: Session) -> None:
    """As for `replace`, which prefers the newer one."""
    for number, other in ((1, 2), (2, 1)):
        assert kept(session, suggesting(number)) == (number, other)
        assert kept(session, suggesting(other), prefer=number) == (number, other)


@pytest.mark.parametrize("number", [1, 2])
def test_the_users_own_tag_overrides_everything(session: Session, keep: int, number: int) -> None:
    other = 3 - number
    one, two = (replace(each, tags=(keep,)) if each.id == number else each for each in (ONE, TWO))
    assert kept(session, suggesting(other), one, two, prefer=other) == (number, other)


def test_both_marked_to_be_kept_is_refused(session: Session, keep: int) -> None:
    with pytest.raises(ImpossibleError, match="both have dedupe:keep: remove it from one of them"):
        kept(session, suggesting(1), replace(ONE, tags=(keep,)), replace(TWO, tags=(keep,)))


@pytest.mark.parametrize("keeper", [None, 77])
def test_without_a_usable_suggestion_the_rule_decides(session: Session, keeper: int | None) -> None:
    """An old finding has none, or names a document that is not one of the two."""
    assert kept(session, suggesting(keeper)) == (2, 1)
    better = RawDocument(1, content=TEXT, added="2025", archive_serial_number=4)
    assert kept(session, suggesting(keeper), better) == (1, 2)


def test_the_rule_knows_the_texts_of_the_index(session: Session) -> None:
    """The better reading is kept, though it was added later."""
    for number, text in ((1, TEXT), (2, "a Ietter ab0ut tne rocf of the h0use and thc gardcn")):
        session.archive.remember(fingerprint(Document(number, text), RECIPE))
    assert kept(session, suggesting(None)) == (1, 2)


def test_the_newer_document_by_the_dates_of_paperless(session: Session) -> None:
    """Where the index does not know both of them; of two that were added at once, the one with the higher id."""
    assert newer_of(session, ONE, TWO) == newer_of(session, TWO, ONE) == 1
    at_once = RawDocument(2, added="2025")
    assert newer_of(session, ONE, at_once) == newer_of(session, at_once, ONE) == 2


def test_the_newer_document_by_the_dates_printed_on_them(session: Session) -> None:
    for number, text in ((1, "terms of use as of 01.03.2022"), (2, "terms of use as of 01.03.2024")):
        found = fingerprint(Document(number, f"{text}, for all customers of the water works"), RECIPE)
        session.archive.remember(found)
    assert newer_of(session, ONE, TWO) == newer_of(session, TWO, ONE) == 2


def test_only_copies_may_be_moved_to_the_trash() -> None:
    """An edited document replaces nothing."""
    settings = Settings(index_dir=Path("/nowhere"), on_confirm="trash")
    movable = {relation for relation in RELATIONS if default_of(relation, settings) is Do.TRASH}
    assert movable == {Relation.IDENTICAL, Relation.RESCAN, Relation.CONTAINED}


def test_texts_are_compared_as_the_index_does() -> None:
    """Line breaks and runs of spaces carry no meaning; a word does."""
    assert text_hash(RawDocument(1, content="one  two\n")) == text_hash(RawDocument(1, content="one\ntwo"))
    assert text_hash(RawDocument(1, content="water")) != text_hash(RawDocument(1, content="waters"))


@pytest.mark.parametrize("number", [1, 2])
def test_a_text_that_has_changed_since_is_refused(number: int) -> None:
    """On either side; the message names the document. The texts that were compared are not."""
    refuse_changed(RECORD, FOUND, ONE, TWO)
    one, two = (replace(each, content="new") if each.id == number else each for each in (ONE, TWO))
    with pytest.raises(ImpossibleError, match=f"^the text of #{number} has changed since: it is examined"):
        refuse_changed(RECORD, FOUND, one, two)


LOSES_ACCESS = "^#1 belongs to a user, and #2 does not .* lose access: .* or keep #2$"
LOSES_PRIVACY = (
    "^#2 belongs to a user, and everybody would see its metadata on #1: set the tag on #2 if you want"
)


@pytest.mark.parametrize(
    ("owner", "other", "decided_on", "words"),
    [
        *((None, None, 1, ""), (None, None, 2, ""), (3, 3, 1, ""), (3, 3, 2, ""), (None, 3, 2, "")),
        *((3, None, 2, LOSES_ACCESS), (3, 4, 2, LOSES_ACCESS), (None, 3, 1, LOSES_PRIVACY)),
    ],
)
def test_nobody_loses_access_or_privacy(
    owner: int | None, other: int | None, decided_on: int, words: str
) -> None:
    """Allowed: the same owner, or a document that its owner gives away by a tag on it. Else it is said what to do."""
    refusal = pytest.raises(ImpossibleError, match=words) if words else nullcontext()
    with refusal as refused:
        refuse_owners(RawDocument(1, owner=owner), RawDocument(2, owner=other), {decided_on})
    assert bool(refused) is bool(words)
