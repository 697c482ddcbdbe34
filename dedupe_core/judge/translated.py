"""A letter and its translation: other words in another language, but the same dates, amounts, references and numbers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, product
from typing import Final

from dedupe_core.compare.view import Neighbourhood, View
from dedupe_core.model import Observation, Relation, Statement, StatementKind, Verdict
from dedupe_core.policy import Policy
from dedupe_core.statements.statements import FIELDS
from dedupe_core.text.language import Language
from dedupe_core.text.tokens import is_date_slip, is_slip, number_key

Facts = dict[
    tuple[str, object], object
]  # by kind and what it says, whatever the notation: the fact as it was read

# A number is a telephone, a time, a postcode: half of what a date says, and a letterhead has several of them.
_WEIGHTS: Final = {"dates": 1.0, "amounts": 1.0, "references": 1.0, "numbers": 0.5}
_PRINTED: Final = ("dates", "amounts", "references")
_EQUAL_IF_SHARED: Final = ("amounts", "references", "numbers")
_NUMBER_DIGITS: Final = 4  # "2nd", "100" and the like are everywhere
_FEWEST: Final = 4  # facts in common: with 3 there are false alarms among manuals of one release
# Of the side with fewer facts, and of the side with more: a bad scan loses some. Another letter of that sender in
# another language has the letterhead in common, up to 0.76 of a short letter, but it contradicts: each side has a date,
# an amount or a reference of its own. Of three labelled corpora, 83 pairs that do not contradict reach 0.6 of the side
# with fewer, all of them translations; of those that contradict, siblings reach 0.76.
_OF_FEWER, _OF_MORE = 0.6, 0.5
_OF_FEWER_CONTRADICTED, _OF_MORE_CONTRADICTED = 0.85, 0.6
_MOST_COMPARED: Final = 50  # facts of a kind and side: bounds the cost of two long statements
RESEMBLING: Final = 0.4  # of the passages: names and code; copies and siblings have more
SHARED_WORDS: Final = (
    0.65  # names and loans; above it most of the text is the same, and the other tiers know better
)
_LOWEST, _HIGHEST = 0.5, 0.95  # confidence without and with complete agreement


@dataclass(frozen=True, slots=True)
class Translation:
    """What a pair has in common besides its words: how many facts of each kind, and what share of each side they are."""

    languages: tuple[Language, Language]
    shared: Mapping[str, int]
    of_fewer: float
    of_more: float
    shared_words: float


def translations(
    subject: View, others: Sequence[View], around: Neighbourhood, policy: Policy
) -> list[Verdict]:
    """The verdicts on those that are the subject in another language."""
    return [verdict for other in others if (verdict := translated_verdict(subject, other, around, policy))]


def translated_verdict(subject: View, other: View, around: Neighbourhood, policy: Policy) -> Verdict | None:
    """None if the pair is not a translation, or not surely enough to be reported."""
    found = as_translation(subject, other, around)
    if found is None:
        return None
    confidence = round(_LOWEST + (_HIGHEST - _LOWEST) * (found.of_fewer + found.of_more) / 2, 3)
    if confidence < policy.least(differs=True):
        return None
    language = Statement(StatementKind.TRANSLATION, found.languages[0].name, documents=(other.id,))
    said = (language, *agreeing(found.shared))
    return Verdict(subject.id, other.id, Relation.TRANSLATED, confidence, True, said, _observations(found))


def as_translation(subject: View, other: View, around: Neighbourhood) -> Translation | None:
    """The cheapest questions first: of the pairs that are looked up, one in fifty is asked for its languages."""
    if not _may_be(subject, other, around) or (languages := _two_languages(subject, other)) is None:
        return None
    if (words := shared_words(subject, other)) >= SHARED_WORDS:
        return None
    one, two = facts_of(subject), facts_of(other)
    shared = Counter(kind for kind, _ in one.keys() & two.keys())
    if shared.total() < _FEWEST:
        return None
    of_more, of_fewer = agreement_of(one, two, around, (subject, other))
    contradicted = is_contradicted(one, two)
    if of_fewer < (_OF_FEWER_CONTRADICTED if contradicted else _OF_FEWER):
        return None
    if of_more < (_OF_MORE_CONTRADICTED if contradicted else _OF_MORE):
        return None
    return Translation(languages, shared, of_fewer, of_more, words)


def _may_be(one: View, other: View, around: Neighbourhood) -> bool:
    """A date, an amount or a reference in common, not the same passages, and perhaps enough facts in common."""
    if (
        one.dates.isdisjoint(other.dates)
        and one.amounts.isdisjoint(other.amounts)
        and one.references.isdisjoint(other.references)
    ) or around.resemblance(one, other) >= RESEMBLING:
        return False
    dates = min(len(one.dates), len(other.dates))  # as they are written, any of them may be equal
    return dates + sum(len(getattr(one, kind) & getattr(other, kind)) for kind in _EQUAL_IF_SHARED) >= _FEWEST


def _two_languages(one: View, other: View) -> tuple[Language, Language] | None:
    if one.language is None or other.language is None or one.language.name == other.language.name:
        return None
    return one.language, other.language


def shared_words(one: View, other: View) -> float:
    fewer = min(len(one.words), len(other.words))
    return len(one.words & other.words) / fewer if fewer else 1.0


def facts_of(side: View) -> Facts:
    """Each once: the number that a date, an amount or a reference is written with is not another fact."""
    facts: Facts = {("dates", _as_written(date)): date for date in sorted(side.dates)}
    facts |= {("amounts", amount): amount for amount in side.amounts}
    facts |= {("references", reference): reference for reference in side.references}
    written = set(chain(_dates_as_numbers(side), _amounts_as_numbers(side), map(_as_number, side.references)))
    facts |= {("numbers", number): number for number in side.numbers - written if _identifies(number)}
    return facts


def _as_written(date: str) -> str:
    """Without what a notation leaves open: the century, and which of 04/12 is the month."""
    year, *rest = date.split("-")
    return "-".join([year[2:], *sorted(rest)])


def _identifies(number: str) -> bool:
    """Not too short, and not a year: that is part of a date."""
    return len(number) >= _NUMBER_DIGITS and not (len(number) == 4 and number[:2] in ("19", "20"))


def _as_number(reference: str) -> str:
    return number_key(reference.lower())


def _dates_as_numbers(side: View) -> Iterator[str]:
    """`28122019`, `12282019` and `20191228`, with and without the zeros and the century."""
    for year, month, *day in (date.split("-") for date in side.dates):
        days = {*day, *(part.lstrip("0") for part in day)} or {""}
        for form, m, d in product((year, year[2:]), {month, month.lstrip("0")}, days):
            yield from (d + m + form, m + d + form, form + m + d)


def _amounts_as_numbers(side: View) -> Iterator[str]:
    for amount in side.amounts:
        yield from (str(amount), str(amount // 100))


def is_contradicted(one: Facts, two: Facts) -> bool:
    """Each side has a date, an amount or a reference that the other one has not, not even misread."""
    for kind in _PRINTED:
        alone_in_one, alone_in_two = (
            [str(here[fact]) for fact in here.keys() - there.keys() if fact[0] == kind][:_MOST_COMPARED]
            for here, there in ((one, two), (two, one))
        )
        if _left_over(kind, alone_in_one, alone_in_two) and _left_over(kind, alone_in_two, alone_in_one):
            return True
    return False


def _left_over(kind: str, here: Sequence[str], there: Sequence[str]) -> bool:
    return any(not any(_is_misread(kind, fact, other) for other in there) for fact in here)


def _is_misread(kind: str, a: str, b: str) -> bool:
    return is_date_slip(a, b) if kind == "dates" else is_slip(_as_number(a), _as_number(b))


def agreement_of(
    one: Facts, two: Facts, around: Neighbourhood, pair: tuple[View, View]
) -> tuple[float, float]:
    """The shared part of each side, the smaller part first.

    What many neighbours have is letterhead and weighs less. But a misread number, which no one else has, weighs no more
    than the rarest fact in common: otherwise a second copy of the letter would speak against the first.
    """
    both = one.keys() & two.keys()
    shared = [
        (_WEIGHTS[fact[0]], _rarity(fact[0], one[fact], around, pair)) for fact in sorted(both, key=str)
    ]
    common = math.fsum(weight * rarity for weight, rarity in shared)
    most = max(rarity for _, rarity in shared)
    shares = []
    for side, facts in zip(pair, (one, two), strict=True):
        alone = [(kind, facts[kind, fact]) for kind, fact in facts.keys() - both]
        missing = math.fsum(
            _WEIGHTS[kind] * min(most, _rarity(kind, fact, around, (side,))) for kind, fact in alone
        )
        shares.append(common / (common + missing))
    return min(shares), max(shares)


def _rarity(kind: str, fact: object, around: Neighbourhood, holding: tuple[View, ...]) -> float:
    """1 for a fact that no neighbour has, 1/(1+n) for one that n have."""
    return around.rarity(kind, (fact,), *holding)


def agreeing(shared: Mapping[str, int]) -> list[Statement]:
    """How many facts of each kind agree; which ones, is not said: a letter and its translation have them in common."""
    return [
        Statement(StatementKind.AGREES, FIELDS[kind], counts=(shared[kind],))
        for kind in _WEIGHTS
        if shared[kind]
    ]


def _observations(found: Translation) -> tuple[Observation, ...]:
    one, other = found.languages
    return (
        Observation("language", one.share, one.name),
        Observation("other_language", other.share, other.name),
        Observation("facts_of_fewer", round(found.of_fewer, 4)),
        Observation("facts_of_more", round(found.of_more, 4)),
        Observation("words_shared", round(found.shared_words, 4)),
        *(Observation(f"{kind}_agree", found.shared[kind]) for kind in _WEIGHTS),
    )
