"""A translation by its meaning: what a semantic model says of a pair, weighed against its facts and its neighbourhood."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from dedupe_core.compare.view import Neighbourhood, View
from dedupe_core.fingerprint.signature import resemblance
from dedupe_core.judge.common_facts import common_facts
from dedupe_core.judge.translated import (
    RESEMBLING,
    SHARED_WORDS,
    agreeing,
    facts_of,
    shared_facts,
    shared_words,
    two_languages,
)
from dedupe_core.model import Observation, Relation, Statement, StatementKind, Verdict
from dedupe_core.policy import Policy
from dedupe_core.text.language import Language

_ENOUGH: Final = 3  # facts on each side: with fewer the meaning has to be clearer
_OF_FEWER: Final = (
    0.5  # of the facts of the side with fewer; a cosine says nothing about another month's bill
)
_LOWEST, _HIGHEST = 0.7, 0.9  # confidence at the lowest cosine and at 1


@dataclass(frozen=True, slots=True)
class Meaning:
    """The cosine of a pair, and the mean cosine of both documents with what is nearest to them besides."""

    cosine: float
    around: float

    @property
    def margin(self) -> float:
        return self.cosine / max(self.around, 0.05)


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Of the model that made the vectors; `alone`: without enough facts."""

    cosine: float
    margin: float
    cosine_alone: float
    margin_alone: float


def meaning_verdict(
    subject: View,
    other: View,
    meaning: Meaning,
    thresholds: Thresholds,
    around: Neighbourhood,
    policy: Policy,
) -> Verdict | None:
    """None if the pair is not a translation. Never by the cosine alone: next month's bill has 0.98 with the last one."""
    if (languages := two_languages(subject, other)) is None:
        return None
    if meaning.cosine < thresholds.cosine or meaning.margin < thresholds.margin or _is_near(subject, other):
        return None
    found, shared = common_facts(subject, other, around), shared_facts(subject, other)
    if found.is_contradicted:
        return None
    if min(len(facts_of(subject)), len(facts_of(other))) < _ENOUGH:
        if meaning.cosine < thresholds.cosine_alone or meaning.margin < thresholds.margin_alone:
            return None
    elif not shared or found.of_more < _OF_FEWER:
        return None
    return _verdict(subject, other, languages, meaning, shared, thresholds, policy)


def _is_near(subject: View, other: View) -> bool:
    if shared_words(subject, other) >= SHARED_WORDS:
        return True
    return resemblance(subject.fingerprint.signature, other.fingerprint.signature) >= RESEMBLING


def _verdict(
    subject: View,
    other: View,
    languages: tuple[Language, Language],
    meaning: Meaning,
    shared: Mapping[str, int],
    thresholds: Thresholds,
    policy: Policy,
) -> Verdict | None:
    height = (meaning.cosine - thresholds.cosine) / (1 - thresholds.cosine)
    confidence = round(_LOWEST + (_HIGHEST - _LOWEST) * min(1.0, height), 3)
    if confidence < policy.flag_threshold:
        return None
    said = (
        Statement(StatementKind.TRANSLATION, languages[0].name, documents=(other.id,)),
        Statement(StatementKind.SAME_MEANING, counts=(round(100 * meaning.cosine),)),
        *agreeing(shared),
    )
    evidence = (
        Observation("language", languages[0].share, languages[0].name),
        Observation("other_language", languages[1].share, languages[1].name),
        Observation("cosine", meaning.cosine),
        Observation("cosine_margin", round(meaning.margin, 3)),
        *(Observation(f"{kind}_agree", count) for kind, count in sorted(shared.items())),
    )
    return Verdict(subject.id, other.id, Relation.TRANSLATED, confidence, True, said, evidence)
