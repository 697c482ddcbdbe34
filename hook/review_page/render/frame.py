"""What all pages have: head, navigation, messages; and the pages that have nothing else, log-in and errors."""

from __future__ import annotations

from dataclasses import dataclass

from hook.language.translate import Translate
from hook.review_page.render.html import Child, Html, joined, tag


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
            tag("a", say("History"), href="history"),
            tag("a", say("Tuning"), href="tuning"),
            tag("a", "Paperless", href=frame.paperless, target="_blank", rel="noopener noreferrer"),
            aria_label=say("Pages"),
        ),
        tag(
            "form",
            csrf_field(frame),
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
        csrf_field(frame),
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


def moment(at: str) -> Html:
    """A time of ours, which is UTC; the script shows it in the person's zone."""
    shown = at[:16].replace("T", " ") + " UTC" if at.endswith("+00:00") else at
    return tag("time", shown, datetime=at)


def csrf_field(frame: Frame) -> Html:
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
        tag("p", say("Use your Paperless user. You see the documents that you see in Paperless.")),
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


def error_page(frame: Frame, problem: str) -> Html:
    say = frame.say
    return document(
        say("Error"),
        frame,
        tag("h1", say("That did not work")),
        tag("p", problem, class_="problem", role="alert"),
        tag("p", tag("a", say("Back to the list"), href=".")),
    )
