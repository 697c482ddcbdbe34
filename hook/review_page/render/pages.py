"""The pages around the cards: frame, log-in, overview with counters and filters, bulk question, tuning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from dedupe_core.model import Relation
from hook.language.translate import Translate
from hook.review_page.overview import Asked, Overview, Status
from hook.review_page.render.cards import LABELS, Look, card_html
from hook.review_page.render.html import Child, Html, joined, tag
from hook.settings.types import RELATIONS

LEAST: Final = (0.99, 0.95, 0.9, 0.8)
MOST_CORRESPONDENTS: Final = 500


@dataclass(frozen=True, slots=True)
class Frame:
    """What all pages have. `assets` are the addresses of style sheet and script."""

    say: Translate
    language: str
    style: str
    script: str
    username: str = ""
    csrf: str = ""
    message: str = ""
    can_undo: bool = False
    paperless: str = ""


def document(title: str, frame: Frame, *content: Child) -> Html:
    say = frame.say
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="robots", content="noindex"),
        tag("title", f"{title} \N{MIDDLE DOT} paperless-dedupe"),
        tag("link", rel="icon", href="icon.svg", type="image/svg+xml"),
        tag("link", rel="stylesheet", href=frame.style),
        tag("script", src=frame.script, defer=True),
    )
    body = tag(
        "body",
        tag("a", say("Skip to the content"), href="#content", class_="skip-link"),
        _header(frame),
        tag("main", _message(frame), *content, id="content"),
        data_csrf=frame.csrf or None,
    )
    return joined(Html("<!doctype html>"), tag("html", head, body, lang=frame.language))


def _header(frame: Frame) -> Html:
    say = frame.say
    if not frame.username:
        return tag("header", tag("span", "paperless-dedupe", class_="brand"))
    return tag(
        "header",
        tag("span", "paperless-dedupe", class_="brand"),
        tag(
            "nav",
            tag("a", say("Review"), href="."),
            tag("a", say("Tuning"), href="tuning"),
            tag("a", "Paperless", href=frame.paperless, target="_blank", rel="noopener noreferrer"),
            aria_label=say("Pages"),
        ),
        tag(
            "form",
            _csrf(frame),
            tag("bdi", frame.username, class_="who"),
            tag("button", say("Log out"), class_="plain"),
            method="post",
            action="logout",
        ),
    )


def _message(frame: Frame) -> Html:
    """Always there, so that a reader announces what appears in it."""
    undo = tag(
        "form",
        _csrf(frame),
        tag("button", frame.say("Undo"), tag("kbd", "U", aria_hidden="true"), class_="plain"),
        method="post",
        action="undo",
        id="undo",
        hidden=not frame.can_undo,
    )
    return tag(
        "div",
        tag("p", frame.message, id="message", role="status"),
        undo if frame.csrf else None,
        class_="messages",
        hidden=not (frame.message or frame.can_undo),
    )


def _csrf(frame: Frame) -> Html:
    return tag("input", type="hidden", name="csrf", value=frame.csrf)


# Log-in


def login_page(frame: Frame, problem: str = "") -> Html:
    say = frame.say

    def field(name: str, words: str, kind: str, complete: str) -> Html:
        return joined(
            tag("label", words, for_=name),
            tag("input", id=name, name=name, type=kind, autocomplete=complete, maxlength="256"),
        )

    form = tag(
        "form",
        tag("h1", say("Log in")),
        tag("p", say("With your user of Paperless. You see what Paperless shows you.")),
        tag("p", problem, class_="problem", role="alert") if problem else None,
        field("username", say("User name"), "text", "username"),
        field("password", say("Password"), "password", "current-password"),
        tag(
            "details",
            tag("summary", say("Second factor, or a token instead of a password")),
            field("code", say("Code of the second factor"), "text", "one-time-code"),
            field("token", say("API token (from My Profile in Paperless)"), "password", "off"),
        ),
        tag("button", say("Log in"), class_="same"),
        method="post",
        action="login",
        class_="login",
    )
    return document(say("Log in"), frame, form)


# Overview


def review_page(frame: Frame, found: Overview, status: Status, asked: Asked) -> Html:
    say = frame.say
    back = query_of(asked)
    look = Look(say, lambda number: f"thumb/{number}", None if status.report_only else frame.csrf, back)
    cards = [card_html(card, look) for card in found.cards]
    return document(
        say("Review"),
        frame,
        tag("h1", say("Suspected duplicates")),
        _status(found, status, say),
        _filters(found, asked, say),
        _bulk(found, status, say),
        tag("div", cards, class_="cards", id="cards")
        if cards
        else tag("p", say("Nothing waits for a decision."), class_="empty"),
        _paging(found, asked, say),
        tag("p", say("Keys: J next, K previous, Y same, N not the same, L later, S skip, U undo"), class_="keys"),
    )


def query_of(asked: Asked, **changes: object) -> str:
    values = {
        "relation": asked.relation.value if asked.relation else "",
        "correspondent": asked.correspondent or "",
        "least": f"{asked.least:g}" if asked.least else "",
        "page": asked.page if asked.page > 1 else "",
        **changes,
    }
    return urlencode({name: value for name, value in values.items() if value != ""})


def _status(found: Overview, status: Status, say: Translate) -> Html:
    if status.report_only:
        note = tag(
            "p",
            say("Report only: nothing is written to Paperless, and nothing can be decided here."),
            class_="problem",
        )
    elif status.problem:
        note = tag(
            "p", say("The service cannot work at this time: {why}", why=status.problem), class_="problem"
        )
    else:
        note = None
    tiles = [
        (say("waiting"), tag("span", found.waiting, id="waiting"), ""),
        (say("confirmed"), found.confirmed, ""),
        (say("dismissed"), found.dismissed, ""),
        (
            say("freed by trashing (estimate)"),
            tag(
                "span",
                "\N{EN DASH}" if found.moving else say("nothing"),
                id="freed",
                data_moving=len(found.moving),
            ),
            "",
        ),
    ]
    progress = tag(
        "div",
        tag("progress", value=found.examined, max=max(1, found.total), aria_label=say("Examined documents")),
        tag(
            "p",
            say("{n} of {total} documents examined", n=found.examined, total=found.total),
            _more(status, say),
        ),
        class_="progress",
    )
    return tag(
        "section",
        note,
        progress,
        tag("ul", [tag("li", tag("strong", value), " ", name) for name, value, _ in tiles], class_="tiles"),
        aria_label=say("State"),
        class_="status",
    )


def _more(status: Status, say: Translate) -> str:
    parts = []
    if status.queued:
        parts.append(say("{n} in the queue", n=status.queued))
    if status.given_up:
        parts.append(say("{n} given up: see the command queue", n=status.given_up))
    if status.last_sync:
        parts.append(say("last sync {when}", when=status.last_sync))
    return "".join(f" \N{MIDDLE DOT} {part}" for part in parts)


def _filters(found: Overview, asked: Asked, say: Translate) -> Html:
    relations = [("", say("all relations"))] + [
        (one.value, f"{say(LABELS[one])} ({found.by_relation.get(one, 0)})")
        for one in RELATIONS
        if found.by_relation.get(one)
    ]
    people = sorted(found.correspondents.items(), key=lambda entry: entry[1].casefold())[:MOST_CORRESPONDENTS]
    least = [("", say("any confidence"))] + [
        (f"{one:g}", say("at least {sure}", sure=f"{one:.0%}")) for one in LEAST
    ]
    return tag(
        "form",
        _select("relation", say("Relation"), relations, asked.relation.value if asked.relation else ""),
        _select(
            "correspondent",
            say("Correspondent"),
            [("", say("all correspondents")), *((str(number), name) for number, name in people)],
            str(asked.correspondent or ""),
        ),
        _select("least", say("Confidence"), least, f"{asked.least:g}" if asked.least else ""),
        tag("button", say("Filter"), class_="plain"),
        method="get",
        action=".",
        class_="filters",
        aria_label=say("Filter"),
    )


def _select(name: str, words: str, options: Sequence[tuple[str, str]], chosen: str) -> Html:
    return joined(
        tag("label", words, for_=f"filter-{name}"),
        tag(
            "select",
            [tag("option", text[:80], value=value, selected=value == chosen) for value, text in options],
            id=f"filter-{name}",
            name=name,
        ),
    )


def _bulk(found: Overview, status: Status, say: Translate) -> Html | None:
    if status.report_only or found.identical < 2:
        return None
    return tag(
        "p", tag("a", say("Confirm all {n} identical ones", n=found.identical), href="bulk"), class_="bulk"
    )


def _paging(found: Overview, asked: Asked, say: Translate) -> Html | None:
    if found.pages <= 1:
        return None
    page = found.page

    def link(to: int, words: str) -> Html | None:
        if not 1 <= to <= found.pages:
            return None
        return tag("a", words, href=f"?{query_of(asked, page=to)}")

    return tag(
        "nav",
        link(page - 1, say("previous page")),
        tag("span", say("page {n} of {total}", n=page, total=found.pages)),
        link(page + 1, say("next page")),
        aria_label=say("Pages of cards"),
        class_="paging",
    )


def bulk_page(frame: Frame, keys: Sequence[str], effects: Sequence[tuple[str, int]]) -> Html:
    """Asks once more, with what will happen."""
    say = frame.say
    return document(
        say("Confirm all identical ones"),
        frame,
        tag("h1", say("Confirm all {n} identical ones?", n=len(keys))),
        tag("ul", [tag("li", f"{count} \N{MULTIPLICATION SIGN} {words}") for words, count in effects]),
        tag(
            "form",
            _csrf(frame),
            [tag("input", type="hidden", name="key", value=key) for key in keys],
            tag("button", say("Confirm all"), class_="same", name="action", value="same"),
            " ",
            tag("a", say("Cancel"), href="."),
            method="post",
            action="decide",
        ),
    )


def error_page(frame: Frame, problem: str) -> Html:
    say = frame.say
    return document(
        say("Error"),
        frame,
        tag("h1", say("That did not work")),
        tag("p", problem, class_="problem", role="alert"),
        tag("p", tag("a", say("Back to the list"), href=".")),
    )


def relation_of(text: str) -> Relation | None:
    return Relation(text) if text in {one.value for one in RELATIONS} else None
