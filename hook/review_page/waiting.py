"""Which findings wait for a decision of a person, and which of them belong on one card. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from dedupe_core.model import Relation
from hook.findings.findings import Finding, Record

MOST_ON_CARD: Final = 8  # documents; a larger group is shown as one card per document with findings


@dataclass(frozen=True, slots=True)
class Waiting:
    """A document with its findings: what one decision tag on it is about."""

    subject: int
    findings: tuple[Finding, ...]

    @property
    def documents(self) -> tuple[int, ...]:
        return (self.subject, *(finding.other for finding in self.findings))

    @property
    def confidence(self) -> float:
        return max(finding.confidence for finding in self.findings)

    @property
    def key(self) -> str:
        """Says which findings a person saw: `9:8` or `12:3,7`. A decision on others is refused."""
        return f"{self.subject}:{','.join(str(finding.other) for finding in self.findings)}"


@dataclass(frozen=True, slots=True)
class Shown:
    """What a person may see, and what Paperless says about it at this moment.

    `marked` are the documents that still have a tag of a finding, `decided` those that have a decision tag.
    """

    visible: frozenset[int]
    marked: frozenset[int] = frozenset()
    decided: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Group:
    """What is shown on one card: one document with its findings, or several that are connected."""

    members: tuple[Waiting, ...]

    @property
    def documents(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys(number for member in self.members for number in member.documents))

    @property
    def confidence(self) -> float:
        return max(member.confidence for member in self.members)

    @property
    def key(self) -> str:
        return " ".join(member.key for member in self.members)


def waiting_of(records: Iterable[Record], shown: Shown, decided: Collection[frozenset[int]]) -> list[Waiting]:
    """Without documents that the person may not see, findings that were decided, and documents from which somebody
    removed our tags."""
    waiting = []
    for record in records:
        if record.subject not in shown.visible or record.subject in shown.decided:
            continue
        was_tagged = any(document == record.subject for document, _ in record.tagged)
        if was_tagged and record.subject not in shown.marked:
            continue
        findings = tuple(
            finding
            for finding in record.findings
            if finding.other in shown.visible and frozenset((record.subject, finding.other)) not in decided
        )
        if findings:
            waiting.append(Waiting(record.subject, findings))
    return waiting


def matches(
    waiting: Waiting,
    relation: Relation | None = None,
    documents: frozenset[int] | None = None,
) -> bool:
    """`documents`: one of its documents must be among them; None for any."""
    return (relation is None or any(finding.relation is relation for finding in waiting.findings)) and (
        documents is None or not documents.isdisjoint(waiting.documents)
    )


def groups_of(waiting: Iterable[Waiting], most: int = MOST_ON_CARD) -> list[Group]:
    """Connected documents on one card, unless these are too many; the surest first."""
    waiting = list(waiting)
    together: dict[int, list[Waiting]] = defaultdict(list)
    leader = _leaders(waiting)
    for entry in waiting:
        together[leader(entry.subject)].append(entry)
    groups = [group for members in together.values() for group in _split(members, most)]
    return sorted(groups, key=lambda group: (-group.confidence, group.members[0].subject))


def _split(members: list[Waiting], most: int) -> Iterator[Group]:
    members = sorted(members, key=lambda member: member.subject)
    whole = Group(tuple(members))
    if len(whole.documents) <= most:
        yield whole
    else:
        yield from (Group((member,)) for member in members)


def _leaders(waiting: Iterable[Waiting]) -> Callable[[int], int]:
    """Union-find: connected documents have the same leader."""
    above: dict[int, int] = {}

    def leader(number: int) -> int:
        while (up := above.get(number, number)) != number:
            above[number] = above.get(up, up)
            number = up
        return number

    for entry in waiting:
        for other in entry.documents:
            above[leader(other)] = leader(entry.subject)
    return leader


def counts(waiting: Iterable[Waiting]) -> Mapping[Relation, int]:
    """Findings by relation."""
    return Counter(finding.relation for entry in waiting for finding in entry.findings)
