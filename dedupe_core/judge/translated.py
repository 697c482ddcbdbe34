"""A letter and its translation: other words in another language, but the same dates, amounts, references and numbers."""

from __future__ import annotations

import json
import math
import pkgutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from dedupe_core.compare.view import Neighbourhood, View
from dedupe_core.judge.common_facts import (
    NAMES,
    Common,
    as_written,
    common_facts,
    dates_as_numbers,
    identifies,
)
from dedupe_core.model import Observation, Relation, Statement, StatementKind, Verdict
from dedupe_core.policy import Policy
from dedupe_core.statements.statements import FIELDS
from dedupe_core.text.language import Language
from dedupe_core.text.tokens import number_key

FILE: Final = "translated.json"
SUREST: Final = 0.99  # 1 is kept for equal texts
KINDS: Final = ("dates", "amounts", "references", "numbers")
RESEMBLING: Final = 0.4  # of the passages: names and code; copies and siblings have more
SHARED_WORDS: Final = (
    0.65  # names and loans; above it most of the text is the same, and the other tiers know better
)
# If each side has a date or a number of its own: another letter of that sender shares up to 0.76 of a short one.
_OF_FEWER_CONTRADICTED: Final = 0.85
_WORTH_A_LOOK: Final = 2  # facts in common as they are written
FEWEST: Final = (
    3  # facts in common, misread ones counted as halves: manuals of one release share a date and a version
)


@dataclass(frozen=True, slots=True)
class Translation:
    """What a pair has in common besides its words: how many facts of each kind, and what share of each side they are."""

    languages: tuple[Language, Language]
    shared: Mapping[str, int]
    of_fewer: float
    of_more: float
    shared_words: float
    chance: float


def translations(
    subject: View, others: Sequence[View], around: Neighbourhood, policy: Policy
) -> list[Verdict]:
    """The verdicts on those that are the subject in another language."""
    return [verdict for other in others if (verdict := translated_verdict(subject, other, around, policy))]


def translated_verdict(subject: View, other: View, around: Neighbourhood, policy: Policy) -> Verdict | None:
    """None if the pair is not a translation, or not surely enough to be reported."""
    translation = as_translation(subject, other, around)
    if translation is None:
        return None
    confidence = round(min(translation.chance, SUREST), 3)
    if confidence < policy.flag_threshold:
        return None
    language = Statement(StatementKind.TRANSLATION, translation.languages[0].name, documents=(other.id,))
    said = (language, *agreeing(translation.shared))
    return Verdict(
        subject.id, other.id, Relation.TRANSLATED, confidence, True, said, _observations(translation)
    )


def as_translation(subject: View, other: View, around: Neighbourhood) -> Translation | None:
    """The cheapest questions first: of the pairs that are looked up, few are asked for their languages."""
    if not may_be(subject, other, around) or (languages := two_languages(subject, other)) is None:
        return None
    if (words := shared_words(subject, other)) >= SHARED_WORDS:
        return None
    shared = shared_facts(subject, other)
    common = common_facts(subject, other, around)
    if not shared or common.count < FEWEST or (chance := fitted().chance(common)) < fitted().least:
        return None
    if common.is_contradicted and common.of_fewer < _OF_FEWER_CONTRADICTED:
        return None
    return Translation(languages, shared, common.of_fewer, common.of_more, words, chance)


def may_be(one: View, other: View, around: Neighbourhood) -> bool:
    """Not the same passages, and perhaps enough facts in common."""
    if around.resemblance(one, other) >= RESEMBLING:
        return False
    equal = sum(len(getattr(one, kind) & getattr(other, kind)) for kind in ("dates", "amounts", "references"))
    return equal + sum(map(identifies, one.numbers & other.numbers)) >= _WORTH_A_LOOK


def two_languages(one: View, other: View) -> tuple[Language, Language] | None:
    if one.language is None or other.language is None or not one.language.differs(other.language):
        return None
    return one.language, other.language


def shared_words(one: View, other: View) -> float:
    fewer = min(len(one.words), len(other.words))
    return len(one.words & other.words) / fewer if fewer else 1.0


def shared_facts(one: View, other: View) -> Counter[str]:
    """How many facts of each kind are in both."""
    return Counter(kind for kind, _ in facts_of(one) & facts_of(other))


def facts_of(side: View) -> set[tuple[str, object]]:
    """Each once: the number that a date, an amount or a reference is written with is not another fact."""
    facts: set[tuple[str, object]] = {("dates", as_written(date)) for date in side.dates}
    facts |= {("amounts", amount) for amount in side.amounts}
    facts |= {("references", reference) for reference in side.references}
    references = (number_key(reference.lower()) for reference in side.references)
    written = {*dates_as_numbers(side), *_amounts_as_numbers(side), *references}
    return facts | {("numbers", number) for number in side.numbers - written if identifies(number)}


def _amounts_as_numbers(side: View) -> Iterator[str]:
    for amount in side.amounts:
        yield from (str(amount), str(amount // 100))


@dataclass(frozen=True, slots=True)
class Fitted:
    """What scripts/corpus/fit/translations.py has written: the weights, and the chance below which alarms were seen."""

    bias: float
    weights: tuple[float, ...]
    least: float

    def chance(self, common: Common) -> float:
        score = math.fsum((self.bias, *(x * y for x, y in zip(self.weights, common.measures, strict=True))))
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))


@lru_cache(maxsize=1)
def fitted() -> Fitted:
    data = json.loads(pkgutil.get_data(__package__, FILE) or b"")
    return Fitted(data["bias"], tuple(data["weights"][name] for name in NAMES), data["least"])


def agreeing(shared: Mapping[str, int]) -> list[Statement]:
    """How many facts of each kind agree; which ones, is not said: a letter and its translation have them in common."""
    return [
        Statement(StatementKind.AGREES, FIELDS[kind], counts=(shared[kind],))
        for kind in KINDS
        if shared[kind]
    ]


def _observations(translation: Translation) -> tuple[Observation, ...]:
    one, other = translation.languages
    return (
        Observation("language", one.share, one.name),
        Observation("other_language", other.share, other.name),
        Observation("facts_of_fewer", round(translation.of_fewer, 4)),
        Observation("facts_of_more", round(translation.of_more, 4)),
        Observation("words_shared", round(translation.shared_words, 4)),
        *(Observation(f"{kind}_agree", translation.shared[kind]) for kind in KINDS),
    )
