"""A verdict's evidence in, words out: one sentence that a person understands, and the named observations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from dedupe_core.compare.agreement import Agreement
from dedupe_core.compare.evidence import Evidence
from dedupe_core.explain.changes import (
    Sentence,
    by_age,
    changes,
    contradictions,
    noise,
    quoted,
    words_replaced,
)
from dedupe_core.explain.parts import part_in_words
from dedupe_core.facts.facts import describe_amount
from dedupe_core.model import Doubt, DoubtKind, Fingerprint, Observation, Relation

_SAY = {
    Relation.RESCAN: "same paper again",
    Relation.REVISION: "same document, edited",
    Relation.SIBLING: "same template, different document",
    Relation.UNRELATED: "nothing that identifies in common",
}
_SHOWN = 3  # facts named in a sentence; more is a list, not a sentence
_LONGEST_FACT = 30
_BADLY_READ = 0.02  # errors a letter: one word in eight is misread, and an edited one may hide among them
_LONGEST_REASON = 660
_LOOK = "look before you delete"
# The measures that a person may want to see; the others only move the probability.
_SHOWN_MEASURES = (
    "resemblance",
    "likeness",
    "coverage_low",
    "ledger_error_rate",
    "in_order",
    "certain",
    "inserted",
    "left_over",
    "contained_low",
    "contained_high",
    "neighbours",
)


@dataclass(frozen=True, slots=True)
class Explanation:
    """`brief` is the reason without anything that is printed on the documents: for a log, which others may read."""

    reason: str
    brief: str
    observations: tuple[Observation, ...] = ()


UNEXPLAINED = Explanation("", "")


def explain(
    subject: Fingerprint,
    other: Fingerprint,
    relation: Relation,
    evidence: Evidence,
    direction: int = 0,
    *,
    capped: bool = False,
    linked: bool = False,
    doubts: Sequence[Doubt] = (),
) -> Explanation:
    head, sentences = _head(subject, other, relation, direction)
    if linked:
        sentences.append(_plain("another copy is the same paper as both"))
    sentences += [*_sentences(subject, other, relation, evidence), *doubts_in_words(doubts)]
    if capped:
        sentences.append(_plain("too little is certain to call it the same paper"))
    reason, brief = (
        (_joined(head, parts) for parts in zip(*map(_both, sentences), strict=True))
        if sentences
        else (head, head)
    )
    return Explanation(reason[:_LONGEST_REASON], brief[:_LONGEST_REASON], _observations(evidence))


def explain_exact(*, same_text: bool, same_file: bool) -> tuple[str, tuple[Observation, ...]]:
    observations = []
    if same_file:
        observations.append(Observation("checksum", 1.0, "same file"))
    if same_text:
        observations.append(Observation("content_hash", 1.0, "same text"))
    words = "same file and same text" if same_file and same_text else observations[0].words
    how = "character for character" if same_text else "byte for byte"
    return f"{words}, {how}", tuple(observations)


def _both(sentence: Sentence) -> tuple[str, str]:
    return sentence.text, sentence.brief


def _joined(head: str, parts: Iterable[str]) -> str:
    return f"{head}{'; ' if ':' in head else ': '}{'; '.join(parts)}"


def _plain(text: str) -> Sentence:
    return Sentence(text, text)


def _head(
    subject: Fingerprint, other: Fingerprint, relation: Relation, direction: int
) -> tuple[str, list[Sentence]]:
    if relation is Relation.CONTAINED:
        return part_in_words(subject, other, direction), []
    return _SAY[relation], []


def _sentences(
    subject: Fingerprint, other: Fingerprint, relation: Relation, evidence: Evidence
) -> list[Sentence]:
    facts, ledger = _facts_of(evidence), evidence.ledger
    if relation in (Relation.SIBLING, Relation.UNRELATED):
        differing = [*_differing(facts), *(contradictions(ledger) if relation is Relation.SIBLING else [])]
        return differing or [*_agreeing(facts), *noise(ledger)] or [_equal_words(evidence)]
    if relation is Relation.CONTAINED:
        return [*_agreeing(facts), *_differing_amounts(evidence)]
    older = by_age((subject, other))[0]
    changed = changes(ledger, left_is_older=older.id == evidence.left)
    if relation is Relation.REVISION:
        edits = [*changed, *_differing(facts)]
        if not edits:
            return [*words_replaced(ledger), *_agreeing(facts)]
        return [*edits, *_agreeing(facts), *noise(ledger)]
    badly = [_plain("too badly read to exclude an edit")] if ledger.error_rate >= _BADLY_READ else []
    return [*_agreeing(facts), *_differing(facts), *noise(ledger), *badly] or [_equal_words(evidence)]


def doubts_in_words(doubts: Sequence[Doubt]) -> list[Sentence]:
    """The first one with what both say; the others are counted."""
    if not doubts:
        return []
    first, more = doubts[0], len(doubts) - 1
    counted = f"{len(doubts)} doubt{'s' if more else ''}: {_LOOK}"
    text = f"{_doubt(first)}: {_LOOK}{f' (and {more} more)' if more else ''}"
    return [Sentence(text, counted)]


def _doubt(one: Doubt) -> str:
    if one.kind is DoubtKind.MISSING:
        return f"{quoted(one.left or one.right)} is only {'here' if one.left else 'there'}"
    return f"one {one.kind.value} reads {quoted(one.left)} here and {quoted(one.right)} there"


def _equal_words(evidence: Evidence) -> Sentence:
    return _plain(f"{int(100 * evidence.measures['coverage_exact'])}% of the words equal")


def _facts_of(evidence: Evidence) -> list[Agreement[Any]]:
    return [evidence.dates, evidence.amounts, evidence.references]


def _agreeing(facts: Iterable[Agreement[Any]]) -> list[Sentence]:
    return [
        Sentence(
            f"{_names(one.kind, one.shared)} agree{'s' if len(one.shared) == 1 else ''}",
            f"{len(one.shared)} {one.kind} agree" if len(one.shared) > 1 else f"1 {one.kind[:-1]} agrees",
        )
        for one in facts
        if one.shared
    ]


def _differing(facts: Iterable[Agreement[Any]]) -> list[Sentence]:
    """Facts that each side has alone: `different dates: 2024-01-05 / 2024-02-05`."""
    sentences = []
    for found in facts:
        one, other = sorted(found.absent_a, key=str), sorted(found.absent_b, key=str)
        if one and other:
            shown = f"{_fact(found.kind, one[0])} / {_fact(found.kind, other[0])}"
            more = max(len(one), len(other)) - 1
            brief = f"different {found.kind}"
            sentences.append(Sentence(f"{brief}: {shown}{f' and {more} more' if more else ''}", brief))
    return sentences


def _differing_amounts(evidence: Evidence) -> list[Sentence]:
    return _differing([evidence.amounts])


def _observations(evidence: Evidence) -> tuple[Observation, ...]:
    measures = [Observation(name, round(evidence.measures[name], 4)) for name in _SHOWN_MEASURES]
    facts = [
        Observation(f"{one.kind}_agree", len(one.shared), _facts_in_words(one)) for one in _facts_of(evidence)
    ]
    return (*measures, *facts)


def _names(kind: str, shared: Iterable[Any]) -> str:
    facts = [_fact(kind, fact) for fact in sorted(shared, key=str)]
    noun = kind[:-1] if len(facts) == 1 else kind
    if len(facts) <= _SHOWN:
        return f"{noun} {', '.join(facts)}"
    return f"{len(facts)} {noun} ({', '.join(facts[:_SHOWN])}, ...)"


def _fact(kind: str, fact: Any) -> str:
    return describe_amount(fact) if kind == "amounts" else str(fact)[:_LONGEST_FACT]


def _facts_in_words(found: Agreement[Any]) -> str:
    return f"{len(found.shared)} agree, {len(found.near_a)} nearly, {len(found.absent_a)} / {len(found.absent_b)} differ"
