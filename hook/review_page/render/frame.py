"""What all pages have: head, navigation, messages; and the pages that have nothing else, log-in and errors."""

from __future__ import annotations

from dataclasses import dataclass

from hook.language.translate import Translate
from hook.review_page.render.html import Child, Html, hidden, joined, link_out, tag


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
        tag("a.skip-link", say("Skip to the content"), href="#content"),
        _header(frame),
        tag("main", _message(frame), *content, id="content"),
        data_csrf=frame.csrf or None,
    )
    return joined(Html("<!doctype html>"), tag("html", head, body, lang=frame.language))


def _header(frame: Frame) -> Html:
    say, brand = frame.say, tag("span.brand", "paperless-dedupe")
    if not frame.username:
        return tag("header", brand)
    ours = ((say("Review"), "."), (say("History"), "history"))
    paperless = link_out(frame.paperless, "Paperless")
    pages = tag("nav", [tag("a", name, href=path) for name, path in ours], paperless, aria_label=say("Pages"))
    who, leave = tag("bdi.who", frame.username), tag("button.plain", say("Log out"))
    return tag("header", brand, pages, post("logout", frame.csrf, who, leave))


def _message(frame: Frame) -> Html:
    """Always there, so that a reader announces what appears in it."""
    button = tag("button.plain", frame.say("Undo"), tag("kbd", "U", aria_hidden="true"))
    undo = post("undo", frame.csrf, button, id="undo", hidden=not frame.can_undo)
    return tag(
        "div.messages",
        tag("p", frame.message, id="message", role="status"),
        undo if frame.csrf else None,
        hidden=not (frame.message or frame.can_undo),
    )


def moment(at: str) -> Html:
    """A time of ours, which is UTC; the script shows it in the person's zone."""
    shown = at[:16].replace("T", " ") + " UTC" if at.endswith("+00:00") else at
    return tag("time", shown, datetime=at)


def post(action: str, csrf: str | None, *children: Child, **attributes: object) -> Html:
    """A form with the token of the session."""
    return tag("form", hidden("csrf", csrf), *children, method="post", action=action, **attributes)


# Log-in


def login_page(frame: Frame, problem: str = "") -> Html:
    say = frame.say

    def field(name: str, words: str, kind: str, complete: str) -> Html:
        return joined(
            tag("label", words, for_=name),
            tag("input", id=name, name=name, type=kind, autocomplete=complete, maxlength="256"),
        )

    form = tag(
        "form.login",
        tag("h1", say("Log in")),
        tag("p", say("Use your Paperless user. You see the documents that you see in Paperless.")),
        tag("p.problem", problem, role="alert") if problem else None,
        field("username", say("User name"), "text", "username"),
        field("password", say("Password"), "password", "current-password"),
        tag(
            "details",
            tag("summary", say("Second factor, or a token instead of a password")),
            field("code", say("Code of the second factor"), "text", "one-time-code"),
            field("token", say("API token (from My Profile in Paperless)"), "password", "off"),
        ),
        tag("button.same", say("Log in")),
        method="post",
        action="login",
    )
    return document(say("Log in"), frame, form)


def error_page(frame: Frame, problem: str) -> Html:
    say = frame.say
    return document(
        say("Error"),
        frame,
        tag("h1", say("That did not work")),
        tag("p.problem", problem, role="alert"),
        tag("p", tag("a", say("Back to the list"), href=".")),
    )
