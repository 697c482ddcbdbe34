"""A service that is killed while somebody decides on the review page: what the page has answered for is in Paperless.

tests/e2e/review/test_review_kills.py kills whoever carries it out, at each write.
"""

from __future__ import annotations

import http.client
from pathlib import Path

import pytest

from tests.e2e.review_page.page_kit import Archive, by_token, served
from tests.e2e.review_page.test_review_page import decided
from tests.e2e.serve_kit import until
from tests.fakes import After, Before, Drop, FakePaperless

CONFIRM = {"dedupe:confirm", "dedupe:confirmed"}


def is_carried_out(fake: FakePaperless, archive: Archive) -> bool:
    tags = fake.document(archive.rescan).tags
    return "dedupe:confirmed" in tags and "dedupe:confirm" not in tags


def test_what_the_page_has_answered_for_is_in_paperless(
    fake: FakePaperless, tmp_path: Path, archive: Archive
) -> None:
    """Killed right after the answer: the tag is there, and the service carries it out when it is up again."""
    with served(fake, tmp_path) as at:
        person = by_token(at)
        assert person.decide("same", archive.scanned).status == 303
        at.kill()
        assert fake.document(archive.rescan).tags & CONFIRM
        at.start()
        until(lambda: is_carried_out(fake, archive))
    assert decided(fake, tmp_path).keys() == {(archive.letter, archive.rescan)}


@pytest.mark.parametrize("is_set", [True, False])
def test_killed_before_the_answer_there_is_the_tag_or_nothing(
    fake: FakePaperless, tmp_path: Path, archive: Archive, is_set: bool
) -> None:
    """Killed while Paperless sets the tag, or before it does: the decision is carried out, or the finding still waits."""
    with served(fake, tmp_path) as at:
        person = by_token(at)
        for action in (After(at.kill),) if is_set else (Before(at.kill), Drop()):
            fake.faults.add("POST", "/bulk_edit/", action)
        with pytest.raises((OSError, http.client.HTTPException)):
            person.decide("same", archive.scanned)
        until(lambda: fake.connections == 0)
        assert bool(fake.document(archive.rescan).tags & CONFIRM) == is_set
        at.start()
        if is_set:
            until(lambda: is_carried_out(fake, archive))
        else:
            assert archive.scanned in by_token(at).get().cards
    assert bool(decided(fake, tmp_path)) == is_set
