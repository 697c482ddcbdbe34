"""Creates the tags, the link field and the saved view that show findings in Paperless, and the workflows on request."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hook.commands.terminal import fitted
from hook.language.names import VIEW_NAME
from hook.language.translate import in_every_language, translator
from hook.log import plain
from hook.paperless.client import Paperless
from hook.paperless.labels import Labels
from hook.paperless.values import HAS_ALL_TAGS, SavedView, ServerInfo
from hook.paperless.webhooks import ensure, events_url
from hook.session import opened, settings_of
from hook.settings.model import Settings
from hook.settings.types import RELATIONS, Mark, text_of


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that setup creates unless it exists; `advice` if the user has something to do about it."""

    kind: str
    name: str
    created: bool
    advice: str = ""


def run(args: argparse.Namespace) -> int:
    settings = settings_of(args.environ)
    # A wrong address is reported before anything is created.
    target = None if args.webhooks is None else events_url(args.webhooks)
    with opened(settings) as session:
        steps = list(set_up(session.client, settings, session.labels))
        workflows = ensure(session.client, target, text_of(settings.secret)) if target else ()
        for name, created, changed in workflows:
            advice = f"it now posts to {target}" if changed else ""
            steps.append(Step("workflow", f'"{name}"', created, advice))
    for line in report(steps):
        print(fitted(plain(line)))
    return 0


def report(steps: Iterable[Step]) -> Iterator[str]:
    """A line for each kind of thing that was created or existed before; then what the user has to do."""
    steps = list(steps)
    for word, created in (("created", True), ("exists", False)):
        for kind in dict.fromkeys(step.kind for step in steps):
            names = [step.name for step in steps if (step.kind, step.created) == (kind, created)]
            if names:
                yield f"{word}: {kind}{'s' if len(names) > 1 else ''} {', '.join(names)}"
    yield from (f"{step.kind} {step.name}: {step.advice}" for step in steps if step.advice)


def set_up(client: Paperless, settings: Settings, labels: Labels) -> Iterator[Step]:
    """Yields each step when it is done."""
    server = client.server_info()
    yield from _tags(wanted_tags(settings, server), settings, labels)
    labels.claim()
    yield _link_field(settings, labels)
    yield _view(client, settings, labels, server)


def wanted_tags(settings: Settings, server: ServerInfo) -> list[str]:
    """The parent, the tags of those relations that set one, and the tags by which users decide."""
    relations = [
        settings.tag_for(relation) for relation in RELATIONS if Mark.TAG in settings.marks_for(relation)
    ]
    decisions = [settings.tag_skip, settings.tag_not_duplicate, settings.tag_confirm, settings.tag_keep]
    if server.has_file_versions:
        decisions.append(settings.tag_make_version)
    maybe = [settings.tag_maybe] if settings.sure_threshold > 0 else []
    return [settings.tag_review, *relations, *maybe, *decisions, settings.tag_confirmed]


def _tags(names: list[str], settings: Settings, labels: Labels) -> Iterator[Step]:
    before = labels.known()
    ids = labels.ensure(names)
    nested = {settings.tag_for(relation) for relation in RELATIONS}
    for name in names:
        stray = name in nested and ids[name] not in labels.known().below_review
        advice = (
            f"it is not below {settings.tag_review}: move it there, so that one filter shows all of them."
        )
        yield Step("tag", name, name not in before.tags, advice if stray else "")


def _link_field(settings: Settings, labels: Labels) -> Step:
    before = labels.known().link_field
    kind, name = "custom field", f'"{settings.link_field}"'
    if labels.ensure_field() is None:
        return Step(kind, name, created=False, advice=labels.known().problem)
    return Step(kind, name, created=before is None)


def _view(client: Paperless, settings: Settings, labels: Labels, server: ServerInfo) -> Step:
    tag = labels.known().tags[settings.tag_review]
    title = translator(settings.language)(VIEW_NAME)
    kind, name = "saved view", f'"{title}"'
    namesakes = [view for view in client.saved_views() if view.name in in_every_language(VIEW_NAME)]
    if any(view.filters_on(tag) for view in namesakes):
        return Step(kind, name, created=False)
    client.create_saved_view(view_payload(title, tag, labels.known().link_field))
    return Step(kind, name, created=True, advice=_advice(namesakes, server))


def _advice(namesakes: list[SavedView], server: ServerInfo) -> str:
    if namesakes:
        numbers = ", ".join(f"#{view.id}" for view in namesakes)
        return f"an older view with this name ({numbers}) shows another tag: delete it if you do not need it"
    if server.has_file_versions:
        return f"it is pinned for {server.username}; other users can pin it under Settings > Saved views"
    return f"it belongs to {server.username}: Paperless 2 shows a view only to its owner"


def view_payload(title: str, tag: int, link_field: int | None) -> Mapping[str, Any]:
    """For all users (owner null, which 2.20 ignores): each user sees only the documents they may see."""
    columns = ["title", "created", "added", "tag", "correspondent"]
    if link_field is not None:
        columns.append(f"custom_field_{link_field}")
    return {
        "name": title,
        "show_on_dashboard": True,
        "show_in_sidebar": True,
        "sort_field": "added",
        "sort_reverse": True,
        "filter_rules": [{"rule_type": HAS_ALL_TAGS, "value": str(tag)}],
        "display_mode": "table",
        "display_fields": columns,
        "owner": None,
    }
