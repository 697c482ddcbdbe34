"""`setup`: what it creates, that a second run creates nothing, and what it leaves to the user."""

from __future__ import annotations

import pytest

from hook.commands.setup import Step, report, set_up
from hook.session import opened, settings_of
from tests.e2e.archive_kit import Desk


@pytest.fixture(params=["2.20.15", "3.0.5"])
def version(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def run(desk: Desk, **more: str) -> list[Step]:
    with opened(settings_of(desk.environ(**more))) as session:
        return list(set_up(session.client, session.settings, session.labels))


def created(steps: list[Step]) -> list[str]:
    return [step.name for step in steps if step.created]


def test_everything_is_created_once(desk: Desk) -> None:
    """Tags below one parent, the link field, the saved view; the second run writes nothing. A relation that sets no tag has
    none."""
    steps = run(desk, DEDUPE_ON_REVISION="note")
    assert all(step.created for step in steps)
    names = set(desk.fake.tag_names)
    assert {"dedupe:review", "dedupe:rescan", "dedupe:identical", "dedupe:skip"} <= names
    assert "dedupe:revision" not in names
    desk.fake.forget_requests()
    again = run(desk, DEDUPE_ON_REVISION="note")
    assert created(again) == []
    assert [step.name for step in again] == [step.name for step in steps]
    assert desk.fake.writes == []


def test_tags_of_findings_are_nested_and_decisions_are_not(desk: Desk) -> None:
    """Paperless adds the parent along with a tag: `dedupe:skip` must not add `dedupe:review`."""
    run(desk)
    tags = {tag.name: tag for tag in desk.fake.state.tags.values()}
    review = tags["dedupe:review"].id
    assert tags["dedupe:rescan"].parent == tags["dedupe:identical"].parent == review
    assert tags["dedupe:skip"].parent is tags["dedupe:maybe"].parent is None
    assert {tag.owner for tag in tags.values()} == {None}
    assert {tag.matching_algorithm for tag in tags.values()} == {0}


def test_the_view_shows_the_review_tag_to_all_users(desk: Desk) -> None:
    """On dashboard and sidebar, with a column for the link."""
    run(desk)
    (view,) = desk.fake.state.saved_views.values()
    assert (view.name, view.owner) == ("Suspected duplicates", None)
    assert view.values["show_on_dashboard"] is view.values["show_in_sidebar"] is True
    (rule,) = view.values["filter_rules"]
    assert (rule["rule_type"], rule["value"]) == (6, str(desk.fake.tag_id("dedupe:review")))
    field = desk.fake.custom_field_id("Similar documents")
    assert f"custom_field_{field}" in view.values["display_fields"]


def test_a_view_of_a_deleted_tag_is_replaced_and_named(desk: Desk) -> None:
    """The tag was deleted and created again: the old view is empty, and only the user may delete it."""
    run(desk)
    desk.fake.delete_tag("dedupe:review")
    (view,) = [step for step in run(desk) if step.kind == "saved view"]
    assert view.created
    assert "delete it" in view.advice
    assert created(run(desk)) == []


def test_an_existing_tag_is_used(desk: Desk) -> None:
    """Also if the user created it elsewhere: it is not moved, but the output says where it should be."""
    desk.fake.add_tag("dedupe:rescan")
    steps = {step.name: step for step in run(desk)}
    assert not steps["dedupe:rescan"].created
    assert "below dedupe:review" in steps["dedupe:rescan"].advice
    assert desk.fake.tag_names.count("dedupe:rescan") == 1


def test_a_field_of_another_type_is_left_alone(desk: Desk) -> None:
    desk.fake.add_custom_field("Similar documents", "string")
    steps = {step.name: step for step in run(desk)}
    field = steps['"Similar documents"']
    assert not field.created
    assert "DEDUPE_LINK_FIELD" in field.advice
    assert steps['"Suspected duplicates"'].created


@pytest.mark.parametrize(
    ("version", "advice"), [("2.20.15", "belongs to admin"), ("3.0.5", "pinned for admin")]
)
def test_the_output_tells_created_from_existing(desk: Desk, version: str, advice: str) -> None:
    """And that a view is the user's own in Paperless 2. File versions have a tag only where there are any."""
    desk.fake.add_tag("dedupe:skip")
    lines = list(report(run(desk)))
    assert lines[0].startswith("created: tags dedupe:review, dedupe:identical, ")
    assert ("dedupe:make-version" in lines[0]) == (version == "3.0.5")
    assert "exists: tag dedupe:skip" in lines
    assert 'created: saved view "Suspected duplicates"' in lines
    assert advice in lines[-1]
    assert not [line for line in report(run(desk)) if line.startswith("created")]
