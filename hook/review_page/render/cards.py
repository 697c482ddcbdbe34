"""Cards as HTML: the page and the static report show the same ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from dedupe_core.explain.say import message
from dedupe_core.model import Relation
from hook.findings.keeper import Choice
from hook.findings.wording import percent
from hook.language.translate import Translate
from hook.log import plain
from hook.paperless.values import RawDocument
from hook.review_page.cards import Card, Names, Tie
from hook.review_page.effects import Action, effect_of
from hook.review_page.render.differences import chips, difference
from hook.review_page.render.html import Html, joined, tag
from hook.review_page.waiting import Waiting
from hook.settings.model import Settings

LABELS: Final = {
    Relation.IDENTICAL: message("identical"),
    Relation.RESCAN: message("rescan"),
    Relation.REVISION: message("revision"),
    Relation.CONTAINED: message("contained"),
    Relation.TRANSLATED: message("translated"),
}
TITLE_CHARACTERS: Final = 160
OPEN_TIES: Final = 1  # pairs whose reasons are shown at once: a group has no more than two screens
_BUTTONS: Final = (
    (Action.SAME, message("Same"), "Y"),
    (Action.NOT_SAME, message("Not the same"), "N"),
    (Action.LATER, message("Later"), "L"),
    (Action.SKIP, message("Skip"), "S"),
)


@dataclass(frozen=True, slots=True)
class Look:
    """`image` is the source of a document's picture, or None; without `csrf` there is nothing to press."""

    say: Translate
    settings: Settings
    names: Names
    image: Callable[[int], str | None]
    csrf: str | None = None
    back: str = ""
    is_live: bool = True  # in a browser that can ask for more, not in a file
    can_look: bool = False  # pages can be shown as large as one needs to read them
    places: Callable[[int, int], Html | None] = lambda left, right: (
        None
    )  # crops of the pages of two documents


def card_html(card: Card, look: Look) -> Html:
    say = look.say
    first = card.first
    sure = percent(first.confidence)
    title = say("{relation}, {sure} sure", relation=say(LABELS[first.relation]), sure=sure)
    heading = tag(
        "h2",
        tag("span", say(LABELS[first.relation]), class_=f"relation {first.relation.value}"),
        " ",
        tag("span", say("{sure} sure", sure=sure), class_="sure"),
        " ",
        tag("span", _numbers(card), class_="numbers"),
        _pick(card, look) if look.csrf is not None and card.may_decide else None,
    )
    body = _chain(card, look) if card.is_chain else _papers(card, look)
    return tag(
        "article",
        heading,
        body,
        _ties(card, look) if not card.is_chain else None,
        _decisions(card, look),
        class_=f"card {'pair' if card.is_pair else 'group'}",
        tabindex="-1",
        aria_label=f"{title}: {_numbers(card)}",
        data_key=card.group.key,
        data_findings=sum(len(member.findings) for member in card.group.members),
    )


def _pick(card: Card, look: Look) -> Html:
    """Shown by the script: several cards are decided at once."""
    box = tag("input", type="checkbox", aria_label=look.say("Select {names}", names=_numbers(card)))
    return tag("label", box, " ", look.say("Select"), class_="pick", hidden=True)


def _numbers(card: Card) -> str:
    return _named(paper.id for paper in card.papers)


def _named(numbers: Iterable[int]) -> str:
    return ", ".join(f"#{number}" for number in numbers)


# Documents


def _papers(card: Card, look: Look) -> Html:
    say = look.say
    flip = (
        tag("button", say("Flip"), type="button", class_="flip", hidden=True)
        if look.is_live and card.is_pair
        else None
    )
    zoom = tag("button", say("Zoom"), type="button", class_="zoom", hidden=True) if look.is_live else None
    pages = [f"{paper.id}:{paper.page_count or 1}" for paper in card.papers]
    whole = (
        tag("button", say("All pages"), type="button", class_="whole-pages", data_pages=" ".join(pages))
        if look.can_look and card.is_pair
        else None
    )
    return joined(
        tag("div", flip, zoom, whole, class_="tools"),
        tag("div", [_paper(paper, look, card.choice) for paper in card.papers], class_="papers"),
    )


def _paper(paper: RawDocument, look: Look, choice: Choice | None) -> Html:
    return tag(
        "section",
        _picture(paper, look),
        tag(
            "div",
            tag("h3", _link(paper, look)),
            _facts(paper, look),
            _suggestion(paper.id, choice, look) if choice else None,
            _choose(paper, look) if look.csrf is not None else None,
            class_="about",
        ),
        class_="paper keep" if choice and paper.id == choice.keeper else "paper",
        aria_label=f"#{paper.id}",
    )


def _picture(paper: RawDocument, look: Look) -> Html:
    source = look.image(paper.id)
    if source is None:
        return tag("div", tag("span", look.say("no image")), class_="page none")
    words = look.say("First page of #{n}", n=paper.id)
    return tag("div", tag("img", src=source, alt=words, loading="lazy", draggable="false"), class_="page")


def _link(paper: RawDocument, look: Look) -> Html:
    title = tag("bdi", plain(paper.title, TITLE_CHARACTERS) or f"#{paper.id}")
    address = look.settings.document_url(paper.id)
    return joined(
        tag("span", f"#{paper.id}", class_="number"),
        " ",
        tag("a", title, href=address, target="_blank", rel="noopener noreferrer"),
    )


def _facts(paper: RawDocument, look: Look) -> Html:
    """Without our own tags."""
    say, names = look.say, look.names
    correspondent = names.correspondents.get(paper.correspondent or 0, "")
    tags = [names.tags[number] for number in paper.tags if number in names.tags.keys() - names.ours.tags]
    facts: list[tuple[str, object]] = [
        (say("Date"), paper.created[:10]),
        (say("Added"), paper.added[:10]),
        (say("Correspondent"), tag("bdi", plain(correspondent, TITLE_CHARACTERS)) if correspondent else ""),
        ("ASN", "" if paper.archive_serial_number is None else paper.archive_serial_number),
        (say("Pages"), paper.page_count or ""),
        (say("Tags"), [tag("bdi", plain(name, TITLE_CHARACTERS), class_="label") for name in tags] or ""),
    ]
    rows = [joined(tag("dt", name), tag("dd", value)) for name, value in facts if value != ""]
    if look.is_live:
        rows.append(joined(tag("dt", say("Size")), tag("dd", "\N{EN DASH}", data_size=paper.id)))
    return tag("dl", rows)


def _suggestion(paper: int, choice: Choice, look: Look) -> Html:
    """On both of a pair: a phone shows one of them at a time."""
    if paper != choice.keeper:
        return tag("p", look.say("Suggestion: keep #{n}", n=choice.keeper), class_="suggestion other")
    words = look.say("Suggestion: keep this one")
    why = f" ({', '.join(map(look.say, choice.reason.split(', ')))})" if choice.reason else None
    return tag("p", tag("strong", words), why, class_="suggestion")


def _choose(paper: RawDocument, look: Look) -> Html:
    """Shown by the script while one of the documents is to be moved."""
    words = look.say("Keep #{n}", n=paper.id)
    return tag("button", words, type="button", class_="choose", data_keep=paper.id, hidden=True)


# What speaks for it and against


def _ties(card: Card, look: Look) -> Html:
    shown = [_tie(tie, card, look) for tie in card.ties]
    if len(shown) <= OPEN_TIES:
        return joined(shown)
    words = look.say("{n} pair was compared", "{n} pairs were compared", n=len(shown))
    return tag("details", tag("summary", words), shown, class_="ties")


def _tie(tie: Tie, card: Card, look: Look) -> Html:
    head = None
    if not card.is_pair:
        sure = f", {percent(tie.confidence)}" if tie.finding else ""
        head = tag(
            "h3", f"#{tie.left} \N{LEFT RIGHT ARROW} #{tie.right}: {look.say(LABELS[tie.relation])}{sure}"
        )
    places = None if tie.relation is Relation.TRANSLATED else look.places(tie.left, tie.right)
    shown = difference(tie, look.say, is_open=card.is_pair)
    return tag("div", head, chips(tie, look.say), places, shown, class_="tie")


# Editions


def _chain(card: Card, look: Look) -> Html:
    """A small timeline: each edition, and below it what became different with it."""
    by_right = {tie.right: tie for tie in card.ties}
    last = card.papers[-1].id
    items = [
        tag(
            "li",
            tag("div", _paper(paper, look, None), class_="edition"),
            tag("p", tag("strong", look.say("latest")), class_="suggestion") if paper.id == last else None,
            chips(by_right[paper.id], look.say) if paper.id in by_right else None,
            difference(by_right[paper.id], look.say, is_open=False) if paper.id in by_right else None,
        )
        for paper in card.papers
    ]
    return tag("ol", items, class_="timeline")


# Decisions


def _decisions(card: Card, look: Look) -> Html | None:
    if look.csrf is None:
        return None
    if not card.may_decide:
        return tag("p", look.say("You may see these documents, but not change them."), class_="note")
    members = card.group.members
    if len(members) == 1:
        return _form(members, card, look)
    single = [
        joined(
            tag("h3", " \N{LEFT RIGHT ARROW} ".join((f"#{member.subject}", _named(member.documents[1:])))),
            _form((member,), card, look),
        )
        for member in members
    ]
    one_by_one = tag("details", tag("summary", look.say("Decide one by one")), single, class_="single")
    return joined(one_by_one, _form(members, card, look))


def _form(members: tuple[Waiting, ...], card: Card, look: Look) -> Html:
    """The bar of a whole card is beside its form, so that it stays in reach while the card is on the screen."""
    whole = len(members) == len(card.group.members)
    name = "decide-" + "-".join(re.findall(r"\d+", " ".join(member.key for member in members)))
    bar = tag(
        "div",
        [
            _button(action, words, key if whole else "", members, look, name)
            for action, words, key in _BUTTONS
            if whole or action is not Action.LATER
        ],
        class_="buttons",
    )
    form = tag(
        "form",
        tag("input", type="hidden", name="csrf", value=look.csrf),
        tag("input", type="hidden", name="back", value=look.back),
        tag("input", type="hidden", name="card", value=card.group.key),
        [tag("input", type="hidden", name="key", value=member.key) for member in members],
        _plan(members, card),
        None if whole else bar,
        method="post",
        action="decide",
        id=name if whole else f"{name}-one",
        class_="decide whole" if whole else "decide",
    )
    return joined(form, bar if whole else None)


def _plan(members: tuple[Waiting, ...], card: Card) -> Html:
    """The script asks for it when the card is seen; the settings and the suggestion count until then."""
    keep = card.choice.keeper if card.choice and len(card.group.members) > 1 else None
    given = {"card": " ".join(member.key for member in members), **({"keep": keep} if keep else {})}
    hidden = tag("input", type="hidden", name="keep", value=keep) if keep else None
    return tag("div", hidden, class_="plan", data_plan=f"plan?{urlencode(given)}")


def _button(action: Action, name: str, key: str, members: tuple[Waiting, ...], look: Look, form: str) -> Html:
    effects = dict.fromkeys(effect_of(action, member, look.settings, look.say) for member in members)
    return tag(
        "button",
        tag("span", look.say(name), tag("kbd", key, aria_hidden="true") if key else None, class_="name"),
        tag("small", "; ".join(effects)),
        name="action",
        value=action.value,
        class_=action.value,
        form=form if key else None,
    )
