"""A service that is killed while somebody decides on the review page: what the page has answered for is in Paperless."""

from __future__ import annotations

import http.client
import random
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from hook import cli
from tests.e2e.archive_kit import Desk
from tests.e2e.review_page.page_kit import Archive, Plain, served
from tests.e2e.review_page.test_review_page import decided, keys
from tests.e2e.serve_kit import BesideFake, until
from tests.fakes import After, Before, Drop, FakePaperless

CONFIRM = {"dedupe:confirm", "dedupe:confirmed"}


def entered(at: BesideFake, fake: FakePaperless) -> Plain:
    """By token: passwords can be tried five times a minute."""
    person = Plain(at.port)
    person.post("/login", {"token": fake.token})
    person.get()
    return person


def is_carried_out(fake: FakePaperless, archive: Archive) -> bool:
    tags = fake.document(archive.rescan).tags
    return "dedupe:confirmed" in tags and "dedupe:confirm" not in tags


def test_what_the_page_has_answered_for_is_in_paperless(
    fake: FakePaperless, tmp_path: Path, archive: Archive
) -> None:
    """Killed right after the answer: the tag is there, and the service carries it out when it is up again."""
    with served(fake, tmp_path) as at:
        person = entered(at, fake)
        assert person.decide("same", keys(archive)[1]).status == 303
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
        person = entered(at, fake)
        for action in (After(at.kill),) if is_set else (Before(at.kill), Drop()):
            fake.faults.add("POST", "/bulk_edit/", action)
        with pytest.raises((OSError, http.client.HTTPException)):
            person.decide("same", keys(archive)[1])
        until(lambda: fake.connections == 0)
        assert bool(fake.document(archive.rescan).tags & CONFIRM) == is_set
        at.start()
        if is_set:
            until(lambda: is_carried_out(fake, archive))
        else:
            assert keys(archive)[1] in entered(at, fake).get().cards
    assert bool(decided(fake, tmp_path)) == is_set


@pytest.mark.parametrize("moment", [Before, After])
def test_killed_while_it_is_carried_out(
    fake: FakePaperless, tmp_path: Path, archive: Archive, moment: type[Before | After]
) -> None:
    """In the middle of the worker's own writes: the next start ends it."""
    with served(fake, tmp_path) as at:
        killed = fake.faults.add("POST", "/bulk_edit/", moment(at.kill), times=1, skip=1)
        with suppress(OSError, http.client.HTTPException):
            entered(at, fake).decide("same", keys(archive)[1])
        until(lambda: killed.hits > 0 and fake.connections == 0)
        at.start()
        until(lambda: is_carried_out(fake, archive))
    assert len(decided(fake, tmp_path)) == 1


@pytest.mark.stress
def test_a_decision_survives_a_kill_at_any_moment(
    fake: FakePaperless, tmp_path: Path, archive: Archive
) -> None:
    """Whatever the page has answered "done" for is in Paperless; after a restart it is carried out. A kill before the
    answer leaves either the tag or nothing."""
    chance, key = random.Random(4), keys(archive)[1]
    with served(fake, tmp_path) as at:
        for _ in range(10):
            person = entered(at, fake)
            assert key in person.get().cards
            answers: list[int] = []

            def send(person: Plain = person, answers: list[int] = answers) -> None:
                with suppress(OSError, http.client.HTTPException):
                    answers.append(person.decide("same", key).status)

            sending = threading.Thread(target=send)
            sending.start()
            sending.join(chance.uniform(0.0, 0.12))
            at.kill()
            sending.join()
            until(lambda: fake.connections == 0)  # what the killed service has sent is answered
            tags = fake.document(archive.rescan).tags
            if answers == [303]:
                assert tags & CONFIRM
            at.start()
            if tags & CONFIRM:
                until(lambda: is_carried_out(fake, archive))
                take_back(at, fake, tmp_path, archive)
            else:
                assert "dedupe:rescan" in tags


def take_back(at: BesideFake, fake: FakePaperless, place: Path, archive: Archive) -> None:
    """For the next round, as `paperless-dedupe undo` does it."""
    at.settle()
    assert cli.main(["undo", str(archive.rescan)], Desk(fake, place).environ()) == 0
    assert "dedupe:rescan" in fake.document(archive.rescan).tags
