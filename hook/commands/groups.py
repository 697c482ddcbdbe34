"""Makes groups of similar documents out of the findings, and shows which one of each to keep."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hook.backfill.pending_work import all_records
from hook.commands.terminal import print_json, wrapped
from hook.findings.findings import Finding
from hook.findings.keeper import Merits, is_whole, merits, ours_in
from hook.findings.wording import percent
from hook.log import TITLE_CHARACTERS, plain
from hook.review_page.overview import Undecided, undecided
from hook.session import Session, opened, settings_of
from hook.settings.model import Settings


@dataclass(frozen=True, slots=True)
class Edge:
    """Two documents and the finding on them."""

    subject: int
    other: int
    finding: Finding

    def beyond(self, document: int) -> int:
        return self.other if document == self.subject else self.subject

    def may_keep(self, document: int) -> bool:
        """A document is not kept instead of one that contains it."""
        finding = self.finding
        return not is_whole(self.beyond(document), self.subject, finding.relation, finding.direction)


@dataclass(frozen=True, slots=True)
class Group:
    keeper: int
    members: tuple[Edge, ...]
    beside: tuple[Edge, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "keeper": self.keeper,
            "members": [
                {
                    "document": edge.beyond(self.keeper),
                    "relation": edge.finding.relation.value,
                    "confidence": edge.finding.confidence,
                    "reason": edge.finding.reason,
                }
                for edge in self.members
            ],
            "beside": [sorted((edge.subject, edge.other)) for edge in self.beside],
        }


def grouped(edges: Iterable[Edge], rank: Callable[[int], Any]) -> list[Group]:
    """The document with the best rank first; its group are those that were found similar to it, and no others."""
    edges = list(edges)
    documents = sorted({number for edge in edges for number in (edge.subject, edge.other)}, key=rank)
    of: dict[int, int] = {}
    members: dict[int, list[Edge]] = {}
    for number in documents:
        if number in of:
            continue
        near = [e for e in edges if number in (e.subject, e.other) and e.beyond(number) not in of]
        near = [edge for edge in near if edge.may_keep(number)]
        if near:
            members[number] = near
            of |= {number: number} | {edge.beyond(number): number for edge in near}
    held = {id(edge) for group in members.values() for edge in group}
    loose: dict[int, list[Edge]] = {}
    for edge in edges:
        in_one_group = edge.subject in of and of[edge.subject] == of.get(edge.other)
        if id(edge) not in held and not in_one_group:  # else both are similar to the keeper: nothing to add
            keeper = next(of[n] for n in (edge.subject, edge.other) if n in of)
            loose.setdefault(keeper, []).append(edge)
    return [Group(keeper, tuple(near), tuple(loose.get(keeper, ()))) for keeper, near in members.items()]


def run(args: argparse.Namespace) -> int:
    settings = settings_of(args.environ)
    with opened(settings, create=False) as session:
        entries = undecided(session, all_records)
        ranks = {merits.document: merits.rank() for merits in _merits(entries, session)}
    edges = [Edge(entry.subject.id, entry.other.id, entry.finding) for entry in entries]
    titles = {document.id: document.title for entry in entries for document in (entry.subject, entry.other)}
    for group in grouped(edges, lambda number: ranks[number]):
        if args.json:
            print_json(group.to_json())
        else:
            print("\n".join(shown(group, titles, settings)))
    if not entries and not args.json:
        print("Nothing waits for a decision.")
    return 0


def shown(group: Group, titles: Mapping[int, str], settings: Settings) -> Iterator[str]:
    """Each document on a line of its own with its address, wrapped to the terminal."""

    def named(number: int, words: str) -> str:
        title = plain(titles[number], TITLE_CHARACTERS)
        return f'#{number} "{title}"{words} {settings.document_url(number)}'

    yield wrapped(named(group.keeper, " (suggestion: keep)"))
    for edge in group.members:
        relation = f": {edge.finding.relation.value}, {percent(edge.finding.confidence)} sure"
        yield wrapped(named(edge.beyond(group.keeper), relation), "  ")
    for edge in group.beside:
        words = f"also: #{edge.subject} and #{edge.other} are similar, but not both to #{group.keeper}"
        yield wrapped(words, "  ")


def _merits(entries: Iterable[Undecided], session: Session) -> Iterator[Merits]:
    ours = ours_in(session.labels.known(), session.settings)
    pairs = [(entry.subject, entry.other) for entry in entries]
    documents = {document.id: document for pair in pairs for document in pair}
    digital, readable = set[int](), dict.fromkeys(documents, 0.0)
    for pair in pairs:
        files = session.writer.files(*pair)
        for document, is_digital, sign in zip(pair, files.digital, (1, -1), strict=True):
            readable[document.id] += sign * files.readable
            digital |= {document.id} if is_digital else set()
    for number, document in documents.items():
        yield merits(document, ours, is_digital=number in digital, readable=round(readable[number], 2))
