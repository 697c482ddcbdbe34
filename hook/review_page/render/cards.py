"""Cards as HTML: the page and the static report show the same ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from dedupe_core.explain.marked_text import Mark, MarkedText, Piece
from dedupe_core.explain.say import message
from dedupe_core.explain.words import Tone, sentences, tone
from dedupe_core.model import Relation
from hook.findings.keeper import Choice
from hook.findings.wording import percent
from hook.language.translate import Translate
from hook.log import plain
from hook.paperless.values import RawDocument
from hook.review_page.cards import Card, Names, Tie
from hook.review_page.plan import Action
from hook.review_page.render.html import Html, hidden, joined, link_out, tag
from hook.review_page.render.plan import effect_of
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
MOST_CHIPS: Final = 10
CHIP_CHARACTERS: Final = 120
OPEN_TIES: Final = 1  # pairs whose reasons are shown at once: a group has no more than two screens
_BUTTONS: Final[tuple[tuple[Action, str, str], ...]] = (
    (Action.SAME, message("Same"), "Y"),
    (Action.NOT_SAME, message("Not the same"), "N"),
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
    places: Callable[[int, int], Html | None] | None = None  # crops of the pages of two documents


def card_html(card: Card, look: Look) -> Html:
    say, first, numbers = look.say, card.first, _named(paper.id for paper in card.papers)
    relation, sure = say(LABELS[first.finding.relation]), percent(first.finding.confidence)
    heading = tag(
        "h2",
        *(tag("span", relation, class_=f"relation {first.finding.relation.value}"), " "),
        *(tag("span.sure", say("{sure} sure", sure=sure)), " ", tag("span.numbers", numbers)),
        _pick(numbers, look) if look.csrf is not None and card.may_decide else None,
    )
    return tag(
        "article",
        *(heading, _papers(card, look), _ties(card, look), _decisions(card, look)),
        class_=f"card {'pair' if card.is_pair else 'group'}",
        tabindex="-1",
        aria_label=f"{say('{relation}, {sure} sure', relation=relation, sure=sure)}: {numbers}",
        data_key=card.group.key,
        data_findings=sum(len(member.findings) for member in card.group.members),
    )


def _pick(numbers: str, look: Look) -> Html:
    """Shown by the script: several cards are decided at once."""
    box = tag("input", type="checkbox", aria_label=look.say("Select {names}", names=numbers))
    return tag("label.pick", box, " ", look.say("Select"), hidden=True)


def _named(numbers: Iterable[int]) -> str:
    return ", ".join(f"#{number}" for number in numbers)


# Documents


def _papers(card: Card, look: Look) -> Html:
    say, buttons = look.say, list[Html]()
    if look.is_live:
        if card.is_pair:
            buttons.append(tag("button.flip", say("Flip"), type="button", hidden=True))
        if card.is_pair and look.places:
            pages = " ".join(f"{paper.id}:{paper.page_count or 1}" for paper in card.papers)
            buttons.append(tag("button.whole-pages", say("All pages"), type="button", data_pages=pages))
    papers = [_paper(paper, look, card.choice) for paper in card.papers]
    return joined(tag("div.tools", buttons), tag("div.papers", papers))


def _paper(paper: RawDocument, look: Look, choice: Choice | None) -> Html:
    about = (
        *(tag("h3", _link(paper, look)), _facts(paper, look)),
        _suggestion(paper.id, choice, look) if choice else None,
        _choose(paper, look) if look.csrf is not None else None,
    )
    kind = "section.paper.keep" if choice and paper.id == choice.keeper else "section.paper"
    return tag(kind, _picture(paper, look), tag("div.about", *about), aria_label=f"#{paper.id}")


def _picture(paper: RawDocument, look: Look) -> Html:
    source = look.image(paper.id)
    if source is None:
        return tag("div.page.none", tag("span", look.say("no image")))
    words = look.say("First page of #{n}", n=paper.id)
    return tag("div.page", tag("img", src=source, alt=words, loading="lazy"))


def _link(paper: RawDocument, look: Look) -> Html:
    title = tag("bdi", plain(paper.title, TITLE_CHARACTERS) or f"#{paper.id}")
    opened = link_out(look.settings.document_url(paper.id), title)
    return joined(tag("span.number", f"#{paper.id}"), " ", opened)


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
        (say("Tags"), [tag("bdi.label", plain(name, TITLE_CHARACTERS)) for name in tags] or ""),
    ]
    rows = [joined(tag("dt", name), tag("dd", value)) for name, value in facts if value != ""]
    return tag("dl", rows)


def _suggestion(paper: int, choice: Choice, look: Look) -> Html:
    """On both of a pair: a phone shows one of them at a time."""
    if paper != choice.keeper:
        return tag("p.suggestion.other", look.say("Suggestion: keep #{n}", n=choice.keeper))
    words = look.say("Suggestion: keep this one")
    why = f" ({', '.join(map(look.say, choice.reason.split(', ')))})" if choice.reason else None
    return tag("p.suggestion", tag("strong", words), why)


def _choose(paper: RawDocument, look: Look) -> Html:
    """Shown by the script while one of the documents is to be moved."""
    words = look.say("Keep #{n}", n=paper.id)
    return tag("button.choose", words, type="button", data_keep=paper.id, hidden=True)


# What speaks for it and against


def _ties(card: Card, look: Look) -> Html:
    shown = [_tie(tie, card, look) for tie in card.ties]
    if len(shown) <= OPEN_TIES:
        return joined(shown)
    words = look.say("{n} pair was compared", "{n} pairs were compared", n=len(shown))
    return tag("details.ties", tag("summary", words), shown)


def _tie(tie: Tie, card: Card, look: Look) -> Html:
    relation, sure = look.say(LABELS[tie.finding.relation]), percent(tie.finding.confidence)
    names = f"#{tie.left} \N{LEFT RIGHT ARROW} #{tie.right}: {relation}, {sure}"
    head = None if card.is_pair else tag("h3", names)
    show = None if tie.finding.relation is Relation.TRANSLATED else look.places
    places = show(tie.left, tie.right) if show else None
    return tag(
        "div.tie", head, _chips(tie, look.say), places, _difference(tie, look.say, is_open=card.is_pair)
    )


def _chips(tie: Tie, say: Translate) -> Html | None:
    """The statements of the reason."""
    if not tie.finding.statements:
        return None
    # With the selector: browsers draw it as = and / side by side in fonts without this sign, such as Noto Sans.
    differs = "\N{NOT EQUAL TO}\N{VARIATION SELECTOR-15} "
    marks = {Tone.AGREES: "\N{CHECK MARK} ", Tone.DIFFERS: differs, Tone.NEUTRAL: ""}
    said = [
        (tone(statement), plain(words, CHIP_CHARACTERS))
        for statement, words in sentences(tie.finding.statements, say)[:MOST_CHIPS]
    ]
    return tag(
        "ul.chips", [tag("li", marks[kind], tag("bdi", words), class_=kind.value) for kind, words in said]
    )


def _difference(tie: Tie, say: Translate, *, is_open: bool) -> Html | None:
    if tie.difference is None:
        return tag("p.note", say("The texts cannot be shown side by side."))
    text = tie.difference
    if not text.changes and not text.slips and len(text.pieces) <= 3:
        return tag("p.note", say("The texts are equal, word for word."))
    summary = say("Text: {changes} changed, {slips} OCR differences", changes=text.changes, slips=text.slips)
    return tag(
        "details",
        tag("summary", summary),
        tag(
            "p.legend",
            tag("del", say("only in #{n}", n=tie.left)), " ",
            tag("ins", say("only in #{n}", n=tie.right)), " ",
            tag("span.slip", say("faint: an OCR difference")),
            ),
        tag("div.text", list(_pieces(text, say)), tabindex="0", role="region", aria_label=summary),
        open=is_open,
    )  # fmt: skip


def _pieces(text: MarkedText, say: Translate) -> Iterator[Html]:
    for piece in text.pieces:
        yield _piece(piece, say)
        yield Html(" ")
    if text.is_cut:
        yield tag("p.note", say("The rest of the text is not shown here."))


def _piece(piece: Piece, say: Translate) -> Html:
    if piece.mark is Mark.SAME:
        return tag("span", piece.left)
    if piece.mark is Mark.LEFT_OUT:
        return tag(
            "span.gap", say("\N{HORIZONTAL ELLIPSIS} {n} equal words \N{HORIZONTAL ELLIPSIS}", n=piece.words)
        )
    if piece.mark is Mark.SLIP:
        shown = piece.left or piece.right
        return tag("span.slip", shown, title=f"{piece.left} / {piece.right}")
    kind = piece.mark.value.replace(" ", "-")
    return joined(
        tag("del", piece.left, class_=kind) if piece.left else None,
        " " if piece.left and piece.right else None,
        tag("ins", piece.right, class_=kind) if piece.right else None,
    )


# Decisions


def _decisions(card: Card, look: Look) -> Html | None:
    if look.csrf is None:
        return None
    if not card.may_decide:
        return tag("p.note", look.say("You may see these documents, but not change them."))
    members = card.group.members
    whole = _form(members, card, look)
    if len(members) == 1:
        return whole
    single = [
        joined(
            tag("h3", f"#{member.subject} \N{LEFT RIGHT ARROW} {_named(member.documents[1:])}"),
            _form((member,), card, look),
        )
        for member in members
    ]
    return joined(tag("details.single", tag("summary", look.say("Decide one by one")), single), whole)


def _form(members: tuple[Waiting, ...], card: Card, look: Look) -> Html:
    """The bar of a whole card is beside its form, so that it stays in reach while the card is on the screen."""
    whole = len(members) == len(card.group.members)
    name = "decide-" + "-".join(re.findall(r"\d+", " ".join(member.key for member in members)))
    bar = tag(
        "div.buttons",
        [
            _button(action, words, key if whole else "", members, look, name)
            for action, words, key in _BUTTONS
        ],
    )
    form = tag(
        "form.decide.whole" if whole else "form.decide",
        *(hidden("csrf", look.csrf), hidden("back", look.back)),
        [hidden("key", member.key) for member in members],
        _plan(members, card),
        None if whole else bar,
        method="post",
        action="decide",
        id=name if whole else f"{name}-one",
    )
    return joined(form, bar if whole else None)


def _plan(members: tuple[Waiting, ...], card: Card) -> Html:
    """The script asks for it when the card is seen; the settings and the suggestion count until then."""
    keep = card.choice.keeper if card.choice and len(card.group.members) > 1 else None
    given = {"card": " ".join(member.key for member in members), **({"keep": keep} if keep else {})}
    chosen = hidden("keep", keep) if keep else None
    return tag("div.plan", chosen, data_plan=f"plan?{urlencode(given)}")


def _button(action: Action, name: str, key: str, members: tuple[Waiting, ...], look: Look, form: str) -> Html:
    effects = dict.fromkeys(effect_of(action, member, look.settings, look.say) for member in members)
    words = tag("span.name", look.say(name), tag("kbd", key, aria_hidden="true") if key else None)
    target = form if key else None
    value = action.value
    return tag(
        f"button.{value}", words, tag("small", "; ".join(effects)), name="action", value=value, form=target
    )
