"""Older editions of an edited document can carry a tag, so that a saved view shows the latest only."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hook.review.resolve import Resolver
from tests.fakes import FakePaperless
from tests.hook.findings.writing_kit import Desk, applied
from tests.hook.findings.writing_kit import desk as opened

TAG = "dedupe:superseded"
FIRST, SECOND, THIRD = "terms a b c d e f", "terms a b c d e f g", "terms a b c d e f g h"


@pytest.fixture
def fake() -> Iterator[FakePaperless]:
    with FakePaperless() as running:
        yield running


@pytest.fixture
def desk(fake: FakePaperless, tmp_path: Path) -> Iterator[Desk]:
    with opened(fake, tmp_path / "index", mark_superseded=True) as ready:
        yield ready


def add(fake: FakePaperless, *editions: tuple[str, str]) -> list[int]:
    """Documents with these texts and dates."""
    return [fake.add_document(text, f"edition {n}", created=day) for n, (text, day) in enumerate(editions)]


def three(fake: FakePaperless) -> list[int]:
    return add(fake, (FIRST, "2021-01-01"), (SECOND, "2022-01-01"), (THIRD, "2023-01-01"))


def run(desk: Desk, *numbers: int) -> None:
    """As the hook does it. The calls for one document are limited, so tags on others may need a second run."""
    for number in numbers:
        if desk.run(number).kept:
            assert not desk.run(number).kept


def superseded(fake: FakePaperless) -> set[int]:
    return {number for number in fake.documents if TAG in fake.document(number).tags}


def test_all_but_the_latest_are_tagged(desk: Desk) -> None:
    """And not as something to review: the tag is not below dedupe:review."""
    first, second, third = three(desk.fake)
    run(desk, first, second, third)
    assert superseded(desk.fake) == {first, second}
    assert desk.fake.document(first).tags == {TAG}


def test_an_older_edition_that_comes_in_later_is_tagged_itself(desk: Desk) -> None:
    new, old = add(desk.fake, (SECOND, "2022-01-01"), (FIRST, "2021-01-01"))
    run(desk, new, old)
    assert superseded(desk.fake) == {old}


@pytest.mark.parametrize("together", [True, False])
def test_an_edition_that_resembles_only_the_first_one(desk: Desk, together: bool) -> None:
    """The chain decides: the second is older than the third although the two were never reported as a pair."""
    base = "terms a b c d e f g h"
    second, third = f"{base} 1 2 3 4 5 6", f"{base} 7 8 9 x y z"
    numbers = add(desk.fake, (base, "2021-01-01"), (second, "2022-01-01"), (third, "2023-01-01"))
    if together:
        applied(desk, *numbers)
    else:
        run(desk, *numbers)
    assert superseded(desk.fake) == set(numbers[:2])


def test_switched_off_the_tags_are_removed(fake: FakePaperless, tmp_path: Path) -> None:
    """Those that we wrote; a tag that the user set stays."""
    with opened(fake, tmp_path / "index", mark_superseded=True) as desk:
        numbers = three(fake)
        run(desk, *numbers)
        own = fake.add_document("letter", "mine")
        desk.session.client.modify_tags([own], add=[desk.session.labels.known().tags[TAG]])
    with opened(fake, tmp_path / "index") as desk:
        run(desk, *numbers)
    assert superseded(fake) == {own}


def test_the_tag_goes_with_the_finding(desk: Desk) -> None:
    """Another text, so no revision any more."""
    first, second = add(desk.fake, (FIRST, "2021-01-01"), (SECOND, "2022-01-01"))
    run(desk, first, second)
    assert superseded(desk.fake) == {first}
    desk.fake.edit(second, content="something else")
    run(desk, second)
    assert superseded(desk.fake) == set()


@pytest.mark.parametrize(("decision", "left"), [("dismiss", False), ("confirm", True)])
def test_after_a_decision(desk: Desk, decision: str, left: bool) -> None:
    """Dismissed: it is removed. Confirmed: the older edition is superseded for good."""
    first, second = add(desk.fake, (FIRST, "2021-01-01"), (SECOND, "2022-01-01"))
    run(desk, first, second)
    resolver = Resolver(desk.session, desk.lines.append)
    head = desk.session.client.document(second)
    getattr(resolver, decision)(head, resolver.pairs(second))
    assert superseded(desk.fake) == ({first} if left else set())
    run(desk, first, second)
    assert superseded(desk.fake) == ({first} if left else set())


def test_one_dismissed_pair_of_a_chain(desk: Desk) -> None:
    """The third is no edition of the others; the first and the second still are."""
    first, second, third = three(desk.fake)
    run(desk, first, second, third)
    resolver = Resolver(desk.session, desk.lines.append)
    resolver.dismiss(desk.session.client.document(third), resolver.pairs(third))
    assert superseded(desk.fake) == {first}
