"""`setup`: what it creates, that a second run creates nothing, and what it leaves to the user."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pydantic import SecretStr

from hook.commands.setup import Step, report, set_up
from hook.index.index import Index
from hook.paperless.client import Paperless
from hook.paperless.http import ApiTransport
from hook.paperless.labels import Labels
from hook.settings.model import Settings
from tests.fakes import FakePaperless


@pytest.fixture(params=["2.20.15", "3.0.5"])
def version(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def run(fake: FakePaperless, place: Path, *, token: str | None = None, **values: object) -> list[Step]:
    settings = Settings(index_dir=place, **values)  # any setting by name
    index = Index.open(place, "r", keys_of=lambda record: np.empty(0, np.uint64))
    with index, Paperless(ApiTransport(fake.url, SecretStr(token or fake.token))) as client:
        return list(set_up(client, settings, Labels(client, settings, index)))


def created(steps: list[Step]) -> list[str]:
    return [step.name for step in steps if step.created]


def test_everything_is_created_once(fake: FakePaperless, tmp_path: Path) -> None:
    """Tags below one parent, the link field, the saved view; the second run writes nothing. A relation that sets no tag has
    none."""
    steps = run(fake, tmp_path, on_revision="note")
    assert all(step.created for step in steps)
    assert {"dedupe:review", "dedupe:rescan", "dedupe:identical", "dedupe:skip"} <= set(fake.tag_names)
    assert "dedupe:revision" not in fake.tag_names
    fake.forget_requests()
    again = run(fake, tmp_path, on_revision="note")
    assert created(again) == []
    assert [step.name for step in again] == [step.name for step in steps]
    assert fake.writes == []


def test_tags_of_findings_are_nested_and_decisions_are_not(fake: FakePaperless, tmp_path: Path) -> None:
    """Paperless adds the parent along with a tag: `dedupe:skip` must not add `dedupe:review`."""
    run(fake, tmp_path)
    tags = {tag.name: tag for tag in fake.state.tags.values()}
    review = tags["dedupe:review"].id
    assert tags["dedupe:rescan"].parent == tags["dedupe:identical"].parent == review
    assert tags["dedupe:skip"].parent is tags["dedupe:maybe"].parent is None
    assert {tag.owner for tag in tags.values()} == {None}
    assert {tag.matching_algorithm for tag in tags.values()} == {0}


def test_the_view_shows_the_review_tag_to_all_users(fake: FakePaperless, tmp_path: Path) -> None:
    """On dashboard and sidebar, with a column for the link."""
    run(fake, tmp_path)
    with Paperless(ApiTransport(fake.url, SecretStr(fake.token))) as client:
        (view,) = client.saved_views()
    assert view.name == "Suspected duplicates"
    if fake.state.version.startswith("3"):
        assert view.raw["owner"] is None  # 2.20 makes it the token's user's, whatever is asked for
    assert view.raw["show_on_dashboard"] is view.raw["show_in_sidebar"] is True
    (rule,) = view.raw["filter_rules"]
    assert (rule["rule_type"], rule["value"]) == (6, str(fake.tag_id("dedupe:review")))
    field = fake.custom_field_id("Similar documents")
    assert f"custom_field_{field}" in view.raw["display_fields"]


def test_a_view_of_a_deleted_tag_is_replaced_and_named(fake: FakePaperless, tmp_path: Path) -> None:
    """The tag was deleted and created again: the old view is empty, and only the user may delete it."""
    run(fake, tmp_path)
    fake.delete_tag("dedupe:review")
    steps = run(fake, tmp_path)
    (view,) = [step for step in steps if step.kind == "saved view"]
    assert view.created
    assert "delete it" in view.advice
    assert created(run(fake, tmp_path)) == []


def test_an_existing_tag_is_used(fake: FakePaperless, tmp_path: Path) -> None:
    """Also if the user created it elsewhere: it is not moved, but the output says where it should be."""
    fake.add_tag("dedupe:rescan")
    steps = {step.name: step for step in run(fake, tmp_path)}
    assert not steps["dedupe:rescan"].created
    assert "below dedupe:review" in steps["dedupe:rescan"].advice
    assert fake.tag_names.count("dedupe:rescan") == 1


def test_a_field_of_another_type_is_left_alone(fake: FakePaperless, tmp_path: Path) -> None:
    fake.add_custom_field("Similar documents", "string")
    steps = {step.name: step for step in run(fake, tmp_path)}
    field = steps['"Similar documents"']
    assert not field.created
    assert "DEDUPE_LINK_FIELD" in field.advice
    assert steps['"Suspected duplicates"'].created


@pytest.mark.parametrize(
    ("version", "advice"), [("2.20.15", "belongs to admin"), ("3.0.5", "pinned for admin")]
)
def test_the_output_tells_created_from_existing(tmp_path: Path, version: str, advice: str) -> None:
    """And that a view is the user's own in Paperless 2. File versions have a tag only where there are any."""
    with FakePaperless(version) as fake:
        fake.add_tag("dedupe:skip")
        lines = list(report(run(fake, tmp_path)))
        assert lines[0].startswith("created: tags dedupe:review, dedupe:identical, ")
        assert ("dedupe:make-version" in lines[0]) == (version == "3.0.5")
        assert "exists: tag dedupe:skip" in lines
        assert 'created: saved view "Suspected duplicates"' in lines
        assert advice in lines[-1]
        assert not [line for line in report(run(fake, tmp_path)) if line.startswith("created")]
