"""The list of cards as a page: state, counters, filters, paging; and the question before a bulk decision."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final
from urllib.parse import urlencode

from dedupe_core.model import Relation
from hook.language.translate import Translate
from hook.review_page.overview import Asked, Overview, Status
from hook.review_page.render.cards import LABELS, Look, card_html
from hook.review_page.render.frame import Frame, csrf_field, document, moment
from hook.review_page.render.html import Html, joined, tag
from hook.review_page.render.lists import not_done_html
from hook.settings.types import RELATIONS

LEAST: Final = (0.99, 0.95, 0.9, 0.8)
MOST_CORRESPONDENTS: Final = 500


def _nowhere(say: Translate, left: int, right: int) -> Html | None:
    return None


def _asked_for(say: Translate, left: int, right: int) -> Html | None:
    """The pages are looked at when a person opens this."""
    words = tag("summary", say("Look at the pages"), tag("kbd", "P", aria_hidden="true"))
    waiting = tag("p", say("Looking at both pages \N{HORIZONTAL ELLIPSIS}"), class_="note", role="status")
    return tag("details", words, waiting, class_="places", data_places=f"places/{left}?other={right}")


def review_page(
    frame: Frame,
    found: Overview,
    status: Status,
    asked: Asked,
    *,
    can_look: bool = False,
    may_change: bool = True,
) -> Html:
    say = frame.say
    back = query_of(asked)
    may_decide = may_change and not status.report_only
    csrf = frame.csrf if may_decide else None
    places = _asked_for if can_look else _nowhere
    look = Look(
        *(say, found.settings, found.names, lambda number: f"thumb/{number}", csrf, back),
        can_look=can_look,
        places=partial(places, say),
    )
    cards = [card_html(card, look) for card in found.cards]
    return document(
        say("Review"),
        frame,
        tag("h1", say("Suspected duplicates")),
        _calm(status, say, may_change=may_change),
        _help(say, is_new=not (found.confirmed or found.dismissed)) if may_decide else None,
        not_done_html(found.not_done, csrf, found.settings.document_url, say),
        _status(found, status, say),
        _filters(found, asked, say),
        _bulk(found, asked, say) if may_decide else None,
        tag("div", cards, class_="cards", id="cards")
        if cards
        else tag("p", say("Nothing waits for a decision."), class_="empty"),
        _several(say) if may_decide else None,
        _sheets(say) if can_look else None,
        _paging(found, asked, say),
        _keys(say),
    )


def _keys(say: Translate) -> Html:
    words = say(
        "Keys: J next, K previous, Y same, N not the same, L later, S skip, X select, P look at the pages, U undo"
    )
    return tag("p", words, class_="keys")


def _help(say: Translate, *, is_new: bool) -> Html:
    """Open for whoever has not decided anything yet."""
    lines = (
        say(
            "Each card has documents that may be the same paper. Look at what differs; P shows the places on the pages."
        ),
        say('Above the buttons is what "Same" will do. Choose the document to keep, or keep all.'),
        say("Nothing is deleted for good: U undoes your last decision, and History has all of them."),
    )
    return tag(
        "details",
        tag("summary", say("How it works")),
        tag("ol", [tag("li", line) for line in lines]),
        class_="help",
        open=is_new,
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
    total = say("{n} of {total} documents examined", n=found.examined, total=found.total)
    progress = tag(
        "div",
        tag("progress", value=found.examined, max=max(1, found.total), aria_label=say("Examined documents")),
        tag("p", total, _more(status, say)),
        class_="progress",
    )
    return tag(
        "section",
        _trouble(status, say),
        progress,
        _tiles(found, say),
        aria_label=say("State"),
        class_="status",
    )


def _trouble(status: Status, say: Translate) -> Html | None:
    if not status.problem or status.report_only:
        return None
    words = say("The service cannot examine documents at the moment: {why}", why=status.problem)
    return tag("p", words, class_="problem")


def _calm(status: Status, say: Translate, *, may_change: bool) -> Html | None:
    """Why there is nothing to press: no error."""
    if status.report_only:
        words = say("Report only: nothing is written to Paperless, and nothing can be decided here.")
    elif not may_change:
        words = say(
            "You can look at the findings. To decide, your Paperless user needs the right to change documents."
        )
    else:
        return None
    return tag("p", words, class_="banner", role="note")


def _tiles(found: Overview, say: Translate) -> Html:
    unknown = "\N{EN DASH}" if found.moving else say("nothing")  # the script asks for the sizes
    tiles = [
        (say("waiting"), tag("span", found.waiting, id="waiting")),
        (say("confirmed"), found.confirmed),
        (say("dismissed"), found.dismissed),
        (
            say("freed by trashing (estimate)"),
            tag("span", unknown, id="freed", data_moving=found.moving),
        ),
    ]
    return tag("ul", [tag("li", tag("strong", value), " ", name) for name, value in tiles], class_="tiles")


def _more(status: Status, say: Translate) -> Html:
    dot = " \N{MIDDLE DOT} "
    return joined(
        dot + say("{n} in the queue", n=status.queued) if status.queued else None,
        dot + say("{n} given up: see the command queue", n=status.given_up) if status.given_up else None,
        joined(dot, say("last sync"), " ", moment(status.last_sync)) if status.last_sync else None,
    )


def _filters(found: Overview, asked: Asked, say: Translate) -> Html:
    relations = [("", say("all relations"))] + [
        (one.value, f"{say(LABELS[one])} ({found.by_relation.get(one, 0)})")
        for one in RELATIONS
        if found.by_relation.get(one)
    ]
    people = sorted(found.names.correspondents.items(), key=lambda entry: entry[1].casefold())[
        :MOST_CORRESPONDENTS
    ]
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


def _bulk(found: Overview, asked: Asked, say: Translate) -> Html | None:
    links = []
    if found.identical > 1:
        links.append(tag("a", say("Confirm all {n} identical ones", n=found.identical), href="bulk"))
    name = found.names.correspondents.get(asked.correspondent or 0)
    if name and found.found > 1:
        href = f"bulk?{urlencode({'correspondent': asked.correspondent})}"
        links.append(tag("a", say("Confirm all of {name}", name=name), href=href))
    return tag("p", [joined(link, " ") for link in links], class_="bulk") if links else None


def _several(say: Translate) -> Html:
    """Shown by the script while cards are selected."""
    return tag(
        "div",
        tag("span", "0", class_="count"),
        " ",
        say("selected"),
        tag("button", say("Same"), type="button", value="same", class_="same"),
        tag("button", say("Not the same"), type="button", value="not-same"),
        tag("button", say("Clear the selection"), type="button", value=""),
        data_done=say("{done} decided, {left} left: look at what is in the way"),
        class_="several",
        role="group",
        aria_label=say("Selected cards"),
        hidden=True,
    )


def _sheets(say: Translate) -> Html:
    """Both documents as large as one needs to read them, in step; the script fills it."""

    def button(kind: str, mark: str, words: str) -> Html:
        return tag("button", mark, type="button", class_=kind, aria_label=words, title=words)

    tools = tag(
        "div",
        tag("p", class_="where", role="status"),
        button("back", "\N{LEFTWARDS ARROW}", say("previous page")),
        button("on", "\N{RIGHTWARDS ARROW}", say("next page")),
        button("smaller", "\N{MINUS SIGN}", say("smaller")),
        button("larger", "+", say("larger")),
        tag("button", say("Flip"), type="button", class_="turn"),
        button("close", "\N{MULTIPLICATION SIGN}", say("Close")),
        class_="sheet-tools",
    )
    return tag("dialog", tools, class_="sheets", id="sheets", aria_label=say("Pages of both documents"))


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


def bulk_page(frame: Frame, title: str, keys: Sequence[str], effects: Sequence[tuple[str, int]]) -> Html:
    """Asks once more, with what will happen."""
    say = frame.say
    return document(
        say("Confirm all"),
        frame,
        tag("h1", title),
        tag("ul", [tag("li", f"{count} \N{MULTIPLICATION SIGN} {words}") for words, count in effects]),
        tag(
            "form",
            csrf_field(frame),
            [tag("input", type="hidden", name="key", value=key) for key in keys],
            tag("button", say("Confirm all"), class_="same", name="action", value="same"),
            " ",
            tag("a", say("Cancel"), href="."),
            method="post",
            action="decide",
        ),
    )


def relation_of(text: str) -> Relation | None:
    return Relation(text) if text in {one.value for one in RELATIONS} else None
