"""Shows groups of similar documents, and which one of each group to keep.

Each member was compared with the one to keep, and found similar. If A is similar to B and B to C, that says
nothing about A and C: such a C is listed below the group and is not a member of it.

With --json each line is an object with "schema": 1, "keeper", "members" (each with "document", "relation",
"confidence", "reason") and "beside" (pairs of ids that are similar, but not to the keeper).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hook.backfill.pending_work import all_records
from hook.commands.options import LINES, add_json
from hook.commands.terminal import print_json, wrapped
from hook.findings.findings import Finding
from hook.findings.keeper import Merits, is_whole, merits, ours_in
from hook.findings.wording import percent
from hook.log import TITLE_CHARACTERS, plain
from hook.review_page.lists.undecided import Undecided, undecided
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


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_json(parser, LINES)


def run(args: argparse.Namespace) -> int:
    settings = settings_of(args.environ)
    with opened(settings, create=False) as session:
        found = undecided(session, all_records)
        ranks = {one.document: one.rank() for one in _merits(found, session)}
    edges = [Edge(entry.subject.id, entry.other.id, entry.finding) for entry in found]
    titles = {one.id: one.title for entry in found for one in (entry.subject, entry.other)}
    for group in grouped(edges, lambda number: ranks[number]):
        if args.json:
            print_json(group.to_json())
        else:
            print("\n".join(shown(group, titles, settings)))
    if not found and not args.json:
        print("Nothing waits for a decision.")
    return 0


def shown(group: Group, titles: Mapping[int, str], settings: Settings) -> Iterator[str]:
    """Each document on a line of its own with its address, wrapped to the terminal."""
    yield wrapped(
        f"#{group.keeper} {_title(group.keeper, titles)} (suggestion: keep) {settings.document_url(group.keeper)}"
    )
    for edge in group.members:
        number, finding = edge.beyond(group.keeper), edge.finding
        relation = f"{finding.relation.value}, {percent(finding.confidence)} sure"
        yield wrapped(f"#{number} {_title(number, titles)}: {relation} {settings.document_url(number)}", "  ")
    for edge in group.beside:
        words = f"also: #{edge.subject} and #{edge.other} are similar, but not both to #{group.keeper}"
        yield wrapped(words, "  ")


def _title(number: int, titles: Mapping[int, str]) -> str:
    return f'"{plain(titles[number], TITLE_CHARACTERS)}"'


def _merits(found: Iterable[Undecided], session: Session) -> Iterator[Merits]:
    ours = ours_in(session.labels.known(), session.settings)
    documents = {one.id: one for entry in found for one in (entry.subject, entry.other)}
    digital, readable = set[int](), dict.fromkeys(documents, 0.0)
    for entry in found:
        files = session.writer.files(entry.subject, entry.other)
        for one, is_digital, sign in zip((entry.subject, entry.other), files.digital, (1, -1), strict=True):
            readable[one.id] += sign * files.readable
            digital |= {one.id} if is_digital else set()
    for number, document in documents.items():
        yield merits(document, ours, is_digital=number in digital, readable=round(readable[number], 2))
