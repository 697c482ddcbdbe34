"""The list of cards as a page: state, counters, filters, paging; and the question before a bulk decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final
from urllib.parse import urlencode

from dedupe_core.explain.say import message
from hook.language.translate import Translate
from hook.review_page.exchange import Asked, query_of
from hook.review_page.overview import Overview, Status
from hook.review_page.render.cards import LABELS, Look, card_html
from hook.review_page.render.frame import Frame, document, moment, post
from hook.review_page.render.html import Html, hidden, joined, tag
from hook.review_page.render.lists import not_done_html
from hook.settings.types import RELATIONS

MOST_CORRESPONDENTS: Final = 500
_KEYS: Final = message(
    "Keys: J next, K previous, Y same, N not the same, S skip, X select, P look at the pages, U undo"
)
_HELP: Final = (
    message(
        "Each card has documents that may be the same paper. Look at what differs; P shows the places on the pages."
    ),
    message('Above the buttons is what "Same" will do. Choose the document to keep, or keep all.'),
    message("Nothing is deleted for good: U undoes your last decision, and History has all of them."),
)


def _places(say: Translate, left: int, right: int) -> Html:
    """The pages are looked at when a person opens this."""
    words = tag("summary", say("Look at the pages"), tag("kbd", "P", aria_hidden="true"))
    waiting = tag("p.note", say("Looking at both pages \N{HORIZONTAL ELLIPSIS}"), role="status")
    return tag("details.places", words, waiting, data_places=f"places/{left}?other={right}")


def review_page(
    frame: Frame,
    listed: Overview,
    status: Status,
    asked: Asked,
    *,
    can_look: bool = False,
    may_change: bool = True,
) -> Html:
    say = frame.say
    may_decide = may_change and not status.report_only
    csrf = frame.csrf if may_decide else None
    look = Look(
        *(say, listed.settings, listed.names, lambda number: f"thumb/{number}", csrf, query_of(asked)),
        places=partial(_places, say) if can_look else None,
    )
    cards = [card_html(card, look) for card in listed.cards]
    guide = tag("ol", [tag("li", say(line)) for line in _HELP])
    is_new = not (listed.confirmed or listed.dismissed)  # nobody has decided anything yet
    return document(
        say("Review"),
        frame,
        tag("h1", say("Suspected duplicates")),
        _calm(status, say, may_change=may_change),
        tag("details.help", tag("summary", say("How it works")), guide, open=is_new) if may_decide else None,
        not_done_html(listed.not_done, csrf, listed.settings.document_url, say),
        _status(listed, status, say),
        _filters(listed, asked, say),
        _bulk(listed, asked, say) if may_decide else None,
        tag("div.cards", cards, id="cards")
        if cards
        else tag("p.empty", say("Nothing waits for a decision.")),
        _several(say) if may_decide else None,
        _sheets(say) if can_look else None,
        _paging(listed, asked, say),
        tag("p.keys", say(_KEYS)),
    )


def _status(listed: Overview, status: Status, say: Translate) -> Html:
    trouble = say("The service cannot examine documents at the moment: {why}", why=status.problem)
    dot, state = " \N{MIDDLE DOT} ", tag("span", listed.waiting, id="waiting")
    examined, total = listed.examined, listed.total
    tiles = [
        (say("waiting"), state),
        (say("confirmed"), listed.confirmed),
        (say("dismissed"), listed.dismissed),
    ]
    words = [
        say("{n} of {total} documents examined", n=examined, total=total),
        dot + say("{n} in the queue", n=status.queued) if status.queued else None,
        dot + say("{n} given up: see the command queue", n=status.given_up) if status.given_up else None,
        (dot, say("last sync"), " ", moment(status.last_sync)) if status.last_sync else None,
    ]
    bar = tag("progress", value=examined, max=max(1, total), aria_label=say("Examined documents"))
    return tag(
        "section.status",
        tag("p.problem", trouble) if status.problem and not status.report_only else None,
        tag("div.progress", bar, tag("p", words)),
        tag("ul.tiles", [tag("li", tag("strong", value), " ", name) for name, value in tiles]),
        aria_label=say("State"),
    )


def _calm(status: Status, say: Translate, *, may_change: bool) -> Html | None:
    """Why there is nothing to press: no error."""
    if may_change and not status.report_only:
        return None
    words = say(
        "You can look at the findings. To decide, your Paperless user needs the right to change documents."
    )
    if status.report_only:
        words = say("Report only: nothing is written to Paperless, and nothing can be decided here.")
    return tag("p.banner", words, role="note")


def _filters(listed: Overview, asked: Asked, say: Translate) -> Html:
    relations = [("", say("all relations"))] + [
        (relation.value, f"{say(LABELS[relation])} ({listed.by_relation.get(relation, 0)})")
        for relation in RELATIONS
        if listed.by_relation.get(relation)
    ]
    named = sorted(listed.names.correspondents.items(), key=lambda entry: entry[1].casefold())
    people = [("", say("all correspondents")), *((str(n), name) for n, name in named[:MOST_CORRESPONDENTS])]
    return tag(
        "form.filters",
        _select("relation", say("Relation"), relations, asked.relation.value if asked.relation else ""),
        _select("correspondent", say("Correspondent"), people, str(asked.correspondent or "")),
        tag("button.plain", say("Filter")),
        method="get",
        action=".",
        aria_label=say("Filter"),
    )


def _select(name: str, words: str, options: Sequence[tuple[str, str]], chosen: str) -> Html:
    listed = [tag("option", text[:80], value=value, selected=value == chosen) for value, text in options]
    label = tag("label", words, for_=f"filter-{name}")
    return joined(label, tag("select", listed, id=f"filter-{name}", name=name))


def _bulk(listed: Overview, asked: Asked, say: Translate) -> Html | None:
    links = []
    if listed.identical > 1:
        links.append(tag("a", say("Confirm all {n} identical ones", n=listed.identical), href="bulk"))
    name = listed.names.correspondents.get(asked.correspondent or 0)
    if name and listed.matching > 1:
        href = f"bulk?{urlencode({'correspondent': asked.correspondent})}"
        links.append(tag("a", say("Confirm all of {name}", name=name), href=href))
    return tag("p.bulk", [joined(link, " ") for link in links]) if links else None


def _several(say: Translate) -> Html:
    """Shown by the script while cards are selected."""
    return tag(
        "div.several",
        *(tag("span.count", "0"), " ", say("selected")),
        tag("button.same", say("Same"), type="button", value="same"),
        tag("button", say("Not the same"), type="button", value="not-same"),
        tag("button", say("Clear the selection"), type="button", value=""),
        data_done=say("{done} decided, {left} left: look at what is in the way"),
        role="group",
        aria_label=say("Selected cards"),
        hidden=True,
    )


def _sheets(say: Translate) -> Html:
    """Both documents as large as one needs to read them, in step; the script fills it."""

    def button(kind: str, mark: str, words: str) -> Html:
        return tag("button", mark, type="button", class_=kind, aria_label=words, title=words)

    tools = tag(
        "div.sheet-tools",
        tag("p.where", role="status"),
        button("back", "\N{LEFTWARDS ARROW}", say("previous page")),
        button("on", "\N{RIGHTWARDS ARROW}", say("next page")),
        button("smaller", "\N{MINUS SIGN}", say("smaller")),
        button("larger", "+", say("larger")),
        tag("button.turn", say("Flip"), type="button"),
        button("close", "\N{MULTIPLICATION SIGN}", say("Close")),
    )
    return tag("dialog.sheets", tools, id="sheets", aria_label=say("Pages of both documents"))


def _paging(listed: Overview, asked: Asked, say: Translate) -> Html | None:
    if listed.pages <= 1:
        return None
    page = listed.page

    def link(to: int, words: str) -> Html | None:
        return tag("a", words, href=f"?{query_of(asked, page=to)}") if 1 <= to <= listed.pages else None

    return tag(
        "nav.paging",
        link(page - 1, say("previous page")),
        tag("span", say("page {n} of {total}", n=page, total=listed.pages)),
        link(page + 1, say("next page")),
        aria_label=say("Pages of cards"),
    )


def bulk_page(frame: Frame, title: str, keys: Sequence[str], effects: Mapping[str, int]) -> Html:
    """Asks once more, with what will happen."""
    say = frame.say
    return document(
        say("Confirm all"),
        frame,
        tag("h1", title),
        tag("ul", [tag("li", f"{n} \N{MULTIPLICATION SIGN} {words}") for words, n in effects.items()]),
        post(
            "decide",
            frame.csrf,
            [hidden("key", key) for key in keys],
            *(tag("button.same", say("Confirm all"), name="action", value="same"), " "),
            tag("a", say("Cancel"), href="."),
        ),
    )
