"""Shows documents that belong together, and which one of each group would be kept.

Each member has been compared with the one that is kept, and found alike: that A is like B and B like C says
nothing about A and C, so that such a C is listed below the group and not in it.

With --json each line is an object with "schema": 1, "keeper", "members" (each with "document", "relation",
"confidence", "reason") and "beside" (pairs of ids that are alike, but not with the keeper).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from hook.findings.findings import Finding
from hook.findings.keeper import Standing, is_whole, standing
from hook.findings.wording import shown_confidence
from hook.plain_text import plain

if TYPE_CHECKING:
    from hook.commands.pending import Waiting
    from hook.findings.examine import Examiner

SCHEMA: Final = 1
TITLE_CHARACTERS: Final = 50


@dataclass(frozen=True, slots=True)
class Edge:
    """Two documents and what was found on them."""

    subject: int
    other: int
    finding: Finding

    def beyond(self, document: int) -> int:
        return self.other if document == self.subject else self.subject

    def may_keep(self, document: int) -> bool:
        """A part cannot stand for its whole."""
        finding = self.finding
        return not is_whole(self.beyond(document), self.subject, finding.relation, finding.direction)


@dataclass(frozen=True, slots=True)
class Group:
    keeper: int
    members: tuple[Edge, ...]
    beside: tuple[Edge, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
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
    """The best document first; with it go those that were found alike with it, and nobody else."""
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
        if id(edge) not in held:
            keeper = next(of[n] for n in (edge.subject, edge.other) if n in of)
            loose.setdefault(keeper, []).append(edge)
    return [Group(keeper, tuple(near), tuple(loose.get(keeper, ()))) for keeper, near in members.items()]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON object a line, see above")


def run(args: argparse.Namespace) -> int:
    from hook.commands.pending import waiting
    from hook.findings.examine import Examiner
    from hook.session import opened, settings_of

    with opened(settings_of(args.environ)) as at:
        examiner = Examiner(at.archive, at.client, at.settings)
        found = waiting(examiner)
        standings = _standings(found, examiner)
    edges = [Edge(entry.subject.id, entry.other.id, entry.finding) for entry in found]
    titles = {one.id: one.title for entry in found for one in (entry.subject, entry.other)}
    for group in grouped(edges, lambda number: standings[number].rank()):
        if args.json:
            print(json.dumps(group.to_json(), ensure_ascii=False))
        else:
            print("\n".join(told(group, titles)))
    if not found and not args.json:
        print("Nothing waits for a decision.")
    return 0


def told(group: Group, titles: Mapping[int, str]) -> Iterator[str]:
    yield f"#{group.keeper} {plain(titles[group.keeper], TITLE_CHARACTERS)} (would be kept)"
    for edge in group.members:
        number, finding = edge.beyond(group.keeper), edge.finding
        sure = shown_confidence(finding.confidence)
        yield f"  #{number} {plain(titles[number], TITLE_CHARACTERS)}: {finding.relation.value} ({sure})"
    for edge in group.beside:
        yield f"  beside: #{edge.subject} and #{edge.other} are alike, but not both with #{group.keeper}"


def _standings(found: Iterable[Waiting], examiner: Examiner) -> dict[int, Standing]:
    from hook.findings.plan import ours_in

    ours = ours_in(examiner.labels.known(), examiner.settings)
    documents = {one.id: one for entry in found for one in (entry.subject, entry.other)}
    return {
        number: standing(document, ours, examiner.cleanliness(number))
        for number, document in documents.items()
    }
