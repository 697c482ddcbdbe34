"""A pair's evidence in, what can be said of it out, as data: how the two relate, what agrees, what differs, what is in doubt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from dedupe_core.compare.agreement import Agreement
from dedupe_core.compare.evidence import Evidence
from dedupe_core.facts.facts import describe_amount
from dedupe_core.fingerprint.age import by_age
from dedupe_core.model import Field, Fingerprint, Observation, Relation, Statement, StatementKind
from dedupe_core.statements.changes import changes, contradictions, noise, words_replaced
from dedupe_core.statements.parts import part

_HEADS = {
    Relation.RESCAN: StatementKind.SAME_PAPER,
    Relation.REVISION: StatementKind.EDITED,
    Relation.SIBLING: StatementKind.SAME_TEMPLATE,
    Relation.UNRELATED: StatementKind.NOTHING_SHARED,
}
FIELDS = {
    "dates": Field.DATE,
    "amounts": Field.AMOUNT,
    "references": Field.REFERENCE,
    "numbers": Field.NUMBER,
}
_NAMED = 3  # facts that are named; the others are counted
_LONGEST_FACT = 30
_BADLY_READ = 0.02  # errors a letter: one word in eight is misread, and an edited one may hide among them
# The measures that a person may want to see; the others only move the probability.
_SHOWN_MEASURES = (
    "resemblance",
    "coverage_exact",
    "ledger_error_rate",
    "in_order",
    "contradiction",
    "inserted_words",
    "left_over",
    "contained_high",
    "neighbours",
)


def statements(
    subject: Fingerprint,
    other: Fingerprint,
    relation: Relation,
    evidence: Evidence,
    direction: int = 0,
    *,
    capped: bool = False,
    linked: bool = False,
    doubts: Sequence[Statement] = (),
) -> tuple[Statement, ...]:
    contained = relation is Relation.CONTAINED
    return (
        part(subject, other, direction) if contained else Statement(_HEADS[relation]),
        *([Statement(StatementKind.LINKED)] if linked else []),
        *_differences(subject, other, relation, evidence),
        *doubts,
        *([Statement(StatementKind.UNCERTAIN)] if capped else []),
    )


def exact(*, same_text: bool, same_file: bool) -> tuple[Statement, tuple[Observation, ...]]:
    names = (("checksum", same_file), ("content_hash", same_text))
    kind = StatementKind.SAME_TEXT if same_text else StatementKind.SAME_FILE
    if same_text and same_file:
        kind = StatementKind.SAME_FILE_AND_TEXT
    return Statement(kind), tuple(Observation(name, 1.0) for name, holds in names if holds)


def observations(evidence: Evidence) -> tuple[Observation, ...]:
    """The measures that are shown, and how many facts of a kind agree, nearly do so, and are only in one of the two."""
    measures = [Observation(name, round(evidence.measures[name], 4)) for name in _SHOWN_MEASURES]
    facts = [
        Observation(f"{one.kind}_{name}", count)
        for one in _facts_of(evidence)
        for name, count in (
            ("agree", len(one.shared)),
            ("near", len(one.near_a)),
            ("differ", len(one.absent_a) + len(one.absent_b)),
        )
        if count or name == "agree"
    ]
    return (*measures, *facts)


def _differences(
    subject: Fingerprint, other: Fingerprint, relation: Relation, evidence: Evidence
) -> list[Statement]:
    facts, ledger = _facts_of(evidence), evidence.ledger
    if relation in (Relation.SIBLING, Relation.UNRELATED):
        differing = [*_differing(facts), *(contradictions(ledger) if relation is Relation.SIBLING else [])]
        return differing or [*_agreeing(facts), *noise(ledger)] or [_equal_words(evidence)]
    if relation is Relation.CONTAINED:
        return [*_agreeing(facts), *_differing([evidence.amounts])]
    older = by_age((subject, other))[0]
    changed = changes(ledger, left_is_older=older.id == evidence.left)
    if relation is Relation.REVISION:
        edits = [*changed, *_differing(facts)]
        if not edits:
            return [*words_replaced(ledger), *_agreeing(facts)]
        return [*edits, *_agreeing(facts), *noise(ledger)]
    badly = [Statement(StatementKind.BADLY_READ)] if ledger.error_rate >= _BADLY_READ else []
    return [*_agreeing(facts), *_differing(facts), *noise(ledger), *badly] or [_equal_words(evidence)]


def _equal_words(evidence: Evidence) -> Statement:
    return Statement(StatementKind.EQUAL_WORDS, counts=(int(100 * evidence.measures["coverage_exact"]),))


def _facts_of(evidence: Evidence) -> list[Agreement[Any]]:
    return [evidence.dates, evidence.amounts, evidence.references]


def _agreeing(facts: Iterable[Agreement[Any]]) -> list[Statement]:
    return [
        Statement(
            StatementKind.AGREES,
            FIELDS[one.kind],
            tuple(_fact(one.kind, fact) for fact in sorted(one.shared, key=str)[:_NAMED]),
            (len(one.shared),),
        )
        for one in facts
        if one.shared
    ]


def _differing(facts: Iterable[Agreement[Any]]) -> list[Statement]:
    """Facts that each side has alone."""
    found = []
    for one in facts:
        left, right = sorted(one.absent_a, key=str), sorted(one.absent_b, key=str)
        if left and right:
            sides = (_fact(one.kind, left[0]), _fact(one.kind, right[0]))
            count = max(len(left), len(right))
            found.append(Statement(StatementKind.DIFFERS, FIELDS[one.kind], sides, (count,)))
    return found


def _fact(kind: str, fact: Any) -> str:
    return describe_amount(fact) if kind == "amounts" else str(fact)[:_LONGEST_FACT]
