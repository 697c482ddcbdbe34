"""Lists beside the cards, as HTML: decisions that were not carried out, and those that were."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from hook.findings.decisions import Kind
from hook.language.translate import Translate
from hook.review.kept.history import Past, TrashDelay
from hook.review.kept.refusals import Refusal
from hook.review_page.render.cards import LABELS
from hook.review_page.render.frame import Frame, document, moment, post
from hook.review_page.render.html import Html, hidden, link_out, tag

Address = Callable[[int], str]
MOST_PAST: Final = 200  # decisions that are listed


def not_done_html(
    refused: Sequence[Refusal], csrf: str | None, address: Address, say: Translate
) -> Html | None:
    if not refused:
        return None
    title = say("{n} decision was not carried out", "{n} decisions were not carried out", n=len(refused))
    items = [_not_done(refusal, csrf, address, say) for refusal in refused]
    return tag("section.refused", tag("h2", title), tag("ul", items), aria_label=title)


def _not_done(refusal: Refusal, csrf: str | None, address: Address, say: Translate) -> Html:
    documents = sorted(set(refusal.pair))
    again = post(
        "again",
        csrf,
        [hidden("document", number) for number in documents],
        *(tag("button.plain", say("Decide again")), " "),
        tag("small", say("shows the finding as a card, with what is in the way")),
    )
    return tag(
        "li",
        tag("strong", _links(documents, address)),
        f" {refusal.goal}" if refusal.goal else None,
        f": {refusal.reason or say('a note on the document says why')} ",
        tag("small", moment(refusal.at)) if refusal.at else None,
        again if csrf is not None and refusal.state else None,
    )


def _links(documents: Sequence[int], address: Address) -> Html:
    return Html(", ".join(link_out(address(number), f"#{number}") for number in documents))


def history_page(
    frame: Frame,
    past: Sequence[Past],
    delay: TrashDelay,
    address: Address,
    *,
    now: str,
    may_change: bool,
) -> Html:
    say = frame.say
    names = (say("When"), say("Who"), say("Documents"), say("Decision"), say("Undo"))
    head = tag("tr", [tag("th", name, scope="col") for name in names])
    rows = [_past(each, frame, address, now, may_change=may_change) for each in past[:MOST_PAST]]
    table = tag("table", tag("thead", head), tag("tbody", rows))
    left_out = say("The newest {n} of {total} are shown.", n=len(rows), total=len(past))
    empties = say(
        "Paperless empties its trash after {n} day, so a document that was moved can be restored until then.",
        "Paperless empties its trash after {n} days, so a document that was moved can be restored until then.",
        n=delay.days,
    )
    return document(
        say("History"),
        frame,
        tag("h1", say("History")),
        tag("p.note", empties, f" ({say('the default')})" if not delay.is_known else None),
        tag("div.wide", table, tabindex="0", role="region", aria_label=say("History")) if rows else None,
        None if rows else tag("p.empty", say("No decisions yet.")),
        tag("p.note", left_out) if len(rows) < len(past) else None,
    )


def _past(past: Past, frame: Frame, address: Address, now: str, *, may_change: bool) -> Html:
    say, decision = frame.say, past.decision
    who = {"person": say("by a tag in Paperless"), "setting": say("by a setting")}.get(past.by, past.by)
    looked = say("looked at {n} place", "looked at {n} places", n=decision.looked) if decision.looked else ""
    return tag(
        "tr",
        tag("td", moment(decision.decided_at)),
        tag("td", tag("bdi", who)),
        tag("td", _links(decision.pair, address), f" {say(LABELS[decision.relation])}"),
        tag("td", done_in_words(past, say), f"; {looked}" if looked else None),
        tag("td", _undo(past, frame, now) if may_change else None),
    )


def done_in_words(past: Past, say: Translate) -> str:
    if past.decision.kind is Kind.DISMISSED:
        return say("not the same")
    if past.moved is None:
        return say("same, all documents kept")
    if past.decision.action == "version":
        return say("#{n} is a file version of #{m}", n=past.moved, m=past.kept)
    return say("#{n} moved to the trash, #{m} kept", n=past.moved, m=past.kept)


def _undo(past: Past, frame: Frame, now: str) -> Html:
    if past.undo_until and past.undo_until < now:
        return tag("span.note", frame.say("the trash was emptied"))
    a, b = past.decision.pair
    until = (" ", tag("small", frame.say("until"), " ", moment(past.undo_until))) if past.undo_until else None
    button = tag("button.plain", frame.say("Undo"), aria_label=frame.say("Undo #{a} and #{b}", a=a, b=b))
    return post("undo", frame.csrf, hidden("pair", f"{a}:{b}"), button, until)
