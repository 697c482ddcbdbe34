"""Prints the cards of the review page as groups: the document to keep, and those that were found similar to it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import Any, Final

from hook.backfill.pending_work import all_records
from hook.batching import batched
from hook.commands.terminal import print_json, wrapped
from hook.findings.findings import Finding
from hook.findings.wording import percent
from hook.log import TITLE_CHARACTERS, plain
from hook.review_page.cards import Card, Tie
from hook.review_page.overview import cards_of, waiting_for
from hook.review_page.person import Person
from hook.review_page.waiting import groups_of
from hook.session import opened, settings_of
from hook.settings.model import Settings

TOGETHER: Final = 100  # groups that are made and printed at once: memory stays bounded


def run(args: argparse.Namespace) -> int:
    settings = settings_of(args.environ)
    with opened(settings, create=False) as session:
        person = Person(session.client, settings, session.archive.index)
        groups = groups_of(waiting_for(session.archive, person.shown, all_records), most=sys.maxsize)
        for some in batched(groups, TOGETHER):
            for card in cards_of(session.archive, person, some, most_pieces=0):
                if args.json:
                    print_json(as_json(card))
                else:
                    print("\n".join(shown(card, settings)))
    if not groups and not args.json:
        print("Nothing waits for a decision.")
    return 0


def as_json(card: Card) -> dict[str, Any]:
    members, beside = _members(card), [sorted(tie.both) for tie in _beside(card)]
    rows = [
        {
            "document": number,
            "relation": finding.relation.value,
            "confidence": finding.confidence,
            "reason": finding.reason,
        }
        for number, finding in members.items()
    ]
    return {"keeper": card.head, "members": rows, "beside": beside}


def shown(card: Card, settings: Settings) -> Iterator[str]:
    """Each document on a line of its own with its address, wrapped to the terminal."""
    titles = {paper.id: plain(paper.title, TITLE_CHARACTERS) for paper in card.papers}

    def named(number: int, words: str) -> str:
        return f'#{number} "{titles[number]}"{words} {settings.document_url(number)}'

    yield wrapped(named(card.head, " (suggestion: keep)" if card.choice else ""))
    for number, finding in _members(card).items():
        yield wrapped(named(number, f": {finding.relation.value}, {percent(finding.confidence)} sure"), "  ")
    for tie in _beside(card):
        words = f"also: #{tie.left} and #{tie.right} are similar, but not both to #{card.head}"
        yield wrapped(words, "  ")


def _members(card: Card) -> dict[int, Finding]:
    """Those that were compared with the document to keep."""
    with_head = [tie for tie in card.ties if card.head in tie.both]
    return {number: tie.finding for tie in with_head for number in tie.both - {card.head}}


def _beside(card: Card) -> list[Tie]:
    """The pairs that say something about others: C is similar to B, and was not found similar to the head."""
    group = {card.head, *_members(card)}
    return [tie for tie in card.ties if not tie.both <= group]
