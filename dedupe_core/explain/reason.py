"""A verdict's evidence in, words out: one sentence that a person understands, and the named observations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from dedupe_core.compare.agreement import Agreement
from dedupe_core.compare.evidence import Evidence
from dedupe_core.facts.facts import describe_amount, describe_date
from dedupe_core.model import Observation, Relation

_SAY = {
    Relation.RESCAN: "same paper again",
    Relation.REVISION: "same document, edited",
    Relation.SIBLING: "same form, another instance",
    Relation.UNRELATED: "nothing that identifies in common",
}
_SHOWN = 3  # facts named in a sentence; more is a list, not a sentence
_LONGEST_FACT = 30
# The measures that a person may want to see; the others only move the probability.
_SHOWN_MEASURES = (
    "resemblance",
    "likeness",
    "coverage_low",
    "error_rate",
    "numbers_support",
    "words_content",
    "contained_low",
    "contained_high",
    "neighbours",
)


def explain(
    relation: Relation,
    evidence: Evidence,
    direction: int = 0,
    *,
    capped: bool = False,
    said: Sequence[str] = (),
) -> tuple[str, tuple[Observation, ...]]:
    """The reason in a sentence, and the observations behind it.

    `said` is what story.py says of a part or an edition; it stands for what the evidence says in general.
    """
    facts = _facts_of(evidence)
    reason = _reason(relation, evidence, direction, _agreeing(facts), _differing(facts), said, capped=capped)
    observations = [Observation(name, round(evidence.measures[name], 4)) for name in _SHOWN_MEASURES]
    observations += [
        Observation(_observation_name(found), len(found.shared), _facts_in_words(found)) for found in facts
    ]
    return reason, tuple(observations)


def gist(relation: Relation, evidence: Evidence, direction: int, said: Sequence[str]) -> str:
    """The reason without anything that stands in the documents: for a log, which others may read."""
    agreeing = [
        f"{len(kind.shared)} {kind.kind} agree" if len(kind.shared) > 1 else f"1 {kind.kind[:-1]} agrees"
        for kind in _facts_of(evidence)
        if kind.shared
    ]
    return _reason(relation, evidence, direction, agreeing, [], said)


def _facts_of(evidence: Evidence) -> list[Agreement[Any]]:
    return [evidence.dates, evidence.amounts, evidence.references]


def _reason(
    relation: Relation,
    evidence: Evidence,
    direction: int,
    agreeing: list[str],
    differing: list[str],
    said: Sequence[str],
    *,
    capped: bool = False,
) -> str:
    if relation in (Relation.SIBLING, Relation.UNRELATED):
        parts = [*differing, *([] if differing else _noise(evidence)), *(agreeing if not differing else [])]
    elif said and relation is Relation.CONTAINED:
        parts = [*said, *agreeing]
    else:
        parts = [*said, *agreeing, *([] if said else differing), *_noise(evidence)]
    if capped:
        parts.append("too little is certain to call it the same paper")
    if relation is Relation.CONTAINED:
        head = parts.pop(0) if said else _contained_head(evidence, direction)
    else:
        head = _SAY[relation]
    joint = "; " if ":" in head else ": "
    return f"{head}{joint}{'; '.join(parts)}" if parts else head


def explain_exact(*, same_text: bool, same_file: bool) -> tuple[str, tuple[Observation, ...]]:
    observations = []
    if same_file:
        observations.append(Observation("checksum", 1.0, "same file"))
    if same_text:
        observations.append(Observation("content_hash", 1.0, "same text"))
    words = "same file and same text" if same_file and same_text else observations[0].words
    return f"{words}, character for character" if same_text else f"{words}, byte for byte", tuple(
        observations
    )


def _contained_head(evidence: Evidence, direction: int) -> str:
    share = round(100 * evidence.measures["coverage_high"])
    whole = {-1: "it is part of the other", 1: "the other is part of it"}.get(
        direction, "one is part of the other"
    )
    return f"{whole}, {share}% of the shorter one's words are found there"


def _agreeing(facts: Iterable[Agreement[Any]]) -> list[str]:
    found = [(kind, kind.shared) for kind in facts if kind.shared]
    return [f"{_names(kind.kind, shared)} agree{'s' if len(shared) == 1 else ''}" for kind, shared in found]


def _differing(facts: Iterable[Agreement[Any]]) -> list[str]:
    parts = []
    for found in facts:
        if found.shared and found.kind != "references":
            continue  # one more line item on a bill is no contradiction worth a sentence
        one, other = sorted(found.absent_a, key=str), sorted(found.absent_b, key=str)
        if one and other:
            parts.append(
                f"{found.kind[:-1]} {_fact(found.kind, one[0])} against {_fact(found.kind, other[0])}"
            )
    return parts


def _noise(evidence: Evidence) -> list[str]:
    misread = evidence.alignment.noise + evidence.alignment.numbers_slipped
    replaced = evidence.alignment.content + evidence.alignment.numbers_changed
    parts = []
    if misread:
        parts.append(f"{misread} OCR difference{'s' if misread > 1 else ''}")
    if replaced:
        parts.append(
            f"{replaced} word{'s' if replaced > 1 else ''} or number{'s' if replaced > 1 else ''} replaced"
        )
    return parts or [f"{round(100 * evidence.measures['coverage_exact'])}% of the words equal"]


def _names(kind: str, shared: Iterable[Any]) -> str:
    facts = [_fact(kind, fact) for fact in sorted(shared, key=str)]
    noun = kind[:-1] if len(facts) == 1 else kind
    if len(facts) <= _SHOWN:
        return f"{noun} {', '.join(facts)}"
    return f"{len(facts)} {noun} ({', '.join(facts[:_SHOWN])}, ...)"


def _fact(kind: str, fact: Any) -> str:
    if kind == "dates":
        return describe_date(fact)
    return describe_amount(fact) if kind == "amounts" else str(fact)[:_LONGEST_FACT]


def _observation_name(found: Agreement[Any]) -> str:
    return f"{found.kind}_agree"


def _facts_in_words(found: Agreement[Any]) -> str:
    return f"{len(found.shared)} agree, {len(found.near_a)} nearly, {len(found.absent_a)} against {len(found.absent_b)} differ"
