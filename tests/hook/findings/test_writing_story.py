"""People and our runs at work on the same documents, in random order: nothing is lost, and it settles."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fakes import FakePaperless
from tests.hook.findings.writing_kit import LETTER, RESCAN, THIRD, UNLIKE, Desk, applied, desk

TEXTS = (LETTER, RESCAN, THIRD, UNLIKE)
FIELD = "Similar documents"
OURS = "Looks like"


class Story:
    """What people did is remembered here, to be compared with what is there in the end."""

    def __init__(self, fake: FakePaperless, at: Desk, seed: int) -> None:
        self.fake, self.at, self.chance = fake, at, random.Random(seed)
        self.numbers = [fake.add_document(self.chance.choice(TEXTS), f"No. {n}") for n in range(6)]
        self.tags: dict[int, set[str]] = {number: set() for number in self.numbers}
        self.notes: dict[int, list[str]] = {number: [] for number in self.numbers}
        self.trashed: set[int] = set()
        names = [name for name in vars(Story) if name.startswith(("we_", "a_person_", "it_", "our_"))]
        self.acts: list[Callable[[int], None]] = [getattr(self, name) for name in names]

    def go_on(self, steps: int) -> None:
        for _ in range(steps):
            self.chance.choice(self.acts)(self.chance.choice(self.numbers))

    def settle(self) -> None:
        """As hooks and syncs do in time: who is pointed to, or is not done with, is examined again."""
        due = set(self.numbers)
        for _ in range(6):
            outcomes = [self.at.run(number) for number in sorted(due)]
            due = {other for outcome in outcomes for other in outcome.reexamine}
            due |= {outcome.document_id for outcome in outcomes if outcome.kept}
        assert not due

    # Acts, by the beginning of their names

    def we_run(self, number: int) -> None:
        self.at.run(number)

    def we_run_on_many(self, number: int) -> None:
        applied(self.at, *self.chance.sample(self.numbers, 3))

    def a_person_tags(self, number: int) -> None:
        tag = self.chance.choice(["urgent", "tax"])
        self.tags[number].add(tag)
        self.fake.tag(number, tag)

    def a_person_writes_a_note(self, number: int) -> None:
        text = f"note {self.chance.random()}"
        self.notes[number].append(text)
        with self.fake.state.lock:
            document = self.fake.state.documents[number]
            self.fake.state.add_note(document, text, self.fake.state.users[2])

    def a_person_removes_our_tags(self, number: int) -> None:
        if "dedupe:review" in self.fake.tag_names:
            self.fake.untag(number, "dedupe:review")

    def a_person_removes_our_note(self, number: int) -> None:
        row = self.fake.state.documents[number]
        row.notes = [note for note in row.notes if not note.text.startswith(OURS)]

    def a_person_unlinks(self, number: int) -> None:
        for row in self.fake.state.documents.values():
            row.custom_fields = {field: [] for field in row.custom_fields}

    def a_person_renames_it(self, number: int) -> None:
        self.fake.edit(number, title=f"Title {self.chance.randint(1, 3)}")

    def it_is_read_again(self, number: int) -> None:
        self.fake.reprocess(number, self.chance.choice(TEXTS))

    def it_goes_to_the_trash_and_back(self, number: int) -> None:
        self.trashed.add(number)
        self.fake.trash(number)
        others = [other for other in self.numbers if other != number]
        self.at.run(self.chance.choice(others))
        self.fake.restore(number)

    def our_tag_is_deleted(self, number: int) -> None:
        ours = [name for name in self.fake.tag_names if name.startswith("dedupe:")]
        if ours:
            self.fake.delete_tag(self.chance.choice(ours))

    def our_field_is_deleted(self, number: int) -> None:
        if any(field.name == FIELD for field in self.fake.state.custom_fields.values()):
            self.fake.delete_custom_field(FIELD)

    def it_is_skipped_or_not(self, number: int) -> None:
        if "dedupe:skip" in self.fake.document(number).tags:
            self.fake.untag(number, "dedupe:skip")
        else:
            self.fake.tag(number, "dedupe:skip")


@pytest.mark.parametrize("seed", range(10))
def test_people_and_we_at_once(seed: int, tmp_path: Path) -> None:
    """Tags and notes of people are all there, one note of ours at most, and a last run writes nothing."""
    with (
        FakePaperless("3.0.5" if seed % 2 else "2.20.15") as fake,
        desk(fake, tmp_path, tag_other="true" if seed % 3 == 0 else "false") as at,
    ):
        story = Story(fake, at, seed)
        story.go_on(40)
        story.settle()
        for number in story.numbers:
            seen = fake.document(number)
            ours = [note for note in seen.notes if note.startswith(OURS)]
            theirs = [note for note in seen.notes if not note.startswith(OURS)]
            assert theirs == story.notes[number]
            assert story.tags[number] <= seen.tags
            assert len(ours) <= 1
            record = at.session.findings.get(number)
            assert bool(ours) <= bool(record.findings)
            if "dedupe:skip" in seen.tags:
                assert not record.findings
            # A document in the trash is out of reach: it keeps a link that is taken back meanwhile.
            links = [] if number in story.trashed else seen.custom_fields.get(FIELD, [])
            assert all(number in fake.document(other).custom_fields[FIELD] for other in links)
        fake.forget_requests()
        for number in story.numbers:
            at.run(number)
        assert fake.writes == []
