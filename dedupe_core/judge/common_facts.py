"""Which dates and numbers two texts have in common, though they are written otherwise or misread in one of them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from rapidfuzz import fuzz, process
from rapidfuzz.distance import Levenshtein

from dedupe_core.compare.view import Neighbourhood, View
from dedupe_core.text.tokens import is_date_slip, number_key

_MOST: Final = 50  # facts of a kind and side: bounds the cost of two long statements
_DIGITS: Final = 4  # "2nd", "100" and the like are everywhere
_MISREADABLE: Final = 6  # digits of a number that may be misread in one place: shorter ones are met by chance
_EXACT, _MISREAD = 0.5, 0.25  # of a fact in common, for each side that has it
_PRIOR: Final = 0.05  # so that one common fact among many neighbours is not all there is
_ALIKE: Final = 0.25  # two facts that differ in no more, as in one digit of four, are one, misread


@dataclass(frozen=True, slots=True)
class Common:
    """How much agrees, and how much contradicts."""

    count: float  # facts in common: a misread one is half of one
    rarest: float  # of them, among the neighbours: 1 if no other has it
    of_fewer: float  # share of the facts, weighed by rarity, of the side with fewer of them in common
    of_more: float
    dates: (
        float  # how different the dates are that only one side has: 0 if only one has such, or they are alike
    )
    numbers: float
    lengths: float  # of the texts: the logarithm of their ratio

    @property
    def is_contradicted(self) -> bool:
        return self.dates > 0 or self.numbers > 0

    @property
    def measures(self) -> tuple[float, ...]:
        """What the chance is computed from, in the order of the fitted weights."""
        rarest = math.log(self.rarest + _PRIOR)
        return (
            math.log1p(self.count),
            self.of_fewer,
            self.of_more,
            self.dates,
            self.numbers,
            rarest,
            min(self.lengths, 2.0),
        )


NAMES: Final = ("count", "of_fewer", "of_more", "dates", "numbers", "rarest", "lengths")


@dataclass(slots=True)
class _Side:
    view: View
    dates: dict[str, str]
    numbers: set[str]
    alone: list[float]  # rarity of what only this side has
    alone_dates: list[str]
    alone_numbers: list[str]


def common_facts(one: View, other: View, around: Neighbourhood) -> Common:
    sides = left, right = _side(one, other), _side(other, one)
    equal = list(_equal(left, right, around))
    rarest = max((rarity for _, rarity in equal), default=0.0)
    # What is misread is in no other document: it weighs no more than the rarest fact that both have.
    matched = [*equal, *_misread(left, right, around), *_misread(right, left, around)]
    agreed = math.fsum(weight * min(rarest, rarity) for weight, rarity in matched)
    shares = [
        agreed / (agreed + _PRIOR + math.fsum(min(rarest, rarity) for rarity in side.alone)) for side in sides
    ]
    return Common(
        math.fsum(weight for weight, _ in matched), rarest, min(shares), max(shares),
        _difference(left.alone_dates, right.alone_dates),
        _difference(_numbers_alone(left, right), _numbers_alone(right, left), of_one_length=True),
        abs(math.log((1 + len(one.fingerprint.text)) / (1 + len(other.fingerprint.text)))),
    )  # fmt: skip


def _side(view: View, other: View) -> _Side:
    dates = {as_written(date): date for date in sorted(view.dates)[:_MOST]}
    return _Side(view, dates, _numbers(view, other), [], [], [])


def _numbers(view: View, other: View) -> set[str]:
    """Of the head of the text, in which those of the other side are looked up; each once, and not those of dates."""
    written, keyed = set(dates_as_numbers(view)), view.keyed
    found = {
        number
        for number in {*view.numbers, *map(str, view.amounts)} - written
        if identifies(number) and (number in keyed or number in other.numbers)
    }
    longest = sorted(found, key=lambda number: (-len(number), number))[:_MOST]
    return {
        number for at, number in enumerate(longest) if not any(number in longer for longer in longest[:at])
    }


def _equal(one: _Side, two: _Side, around: Neighbourhood) -> Iterator[tuple[float, float]]:
    """The weight and the rarity of each."""
    views = one.view, two.view
    for date in sorted(one.dates.keys() & two.dates.keys()):
        yield 2 * _EXACT, around.rarity("dates", (min(one.dates[date], two.dates[date]),), *views)
    for number in sorted(one.numbers & two.numbers):
        yield 2 * _EXACT, around.rarity("numbers", (number,), *views)
    for reference in sorted(one.view.references & two.view.references):
        if number_key(reference.lower()) not in one.numbers:  # a name with few digits, as manuals have
            yield 2 * _EXACT, around.rarity("references", (reference,), *views)


def _misread(side: _Side, there: _Side, around: Neighbourhood) -> Iterator[tuple[float, float]]:
    """What is in the other text, though not as a fact of it, or not quite; the rest is noted as this side's alone."""
    others = [date for written, date in there.dates.items() if written not in side.dates]
    for date in sorted(date for written, date in side.dates.items() if written not in there.dates):
        rarity = around.rarity("dates", (date,), side.view)
        if any(is_date_slip(date, other, at_most=1) for other in others):
            yield _MISREAD, rarity
        elif any(form in there.view.keyed for form in _in_full(date)):
            yield _EXACT, rarity
        else:
            side.alone_dates.append(date.replace("-", ""))
            side.alone.append(rarity)
    for number in sorted(side.numbers - there.numbers):
        rarity = around.rarity("numbers", (number,), side.view)
        if weight := _found(number, there.view.keyed):
            yield weight, rarity
        else:
            side.alone_numbers.append(number)
            side.alone.append(rarity)


def _found(number: str, keyed: str) -> float:
    if number in keyed:
        return _EXACT
    least = 100 * (1 - 1.01 / len(number))  # one character is another one
    return (
        _MISREAD
        if len(number) >= _MISREADABLE and fuzz.partial_ratio(number, keyed, score_cutoff=least)
        else 0.0
    )


def _numbers_alone(side: _Side, there: _Side) -> list[str]:
    """Their digits, without misread dates."""
    forms = [form for form in dates_as_numbers(there.view) if len(form) >= _MISREADABLE]
    digits = ["".join(filter(str.isdigit, number)) for number in side.alone_numbers]
    return [number for number in digits if not _is_misread_date(number, forms)]


def _is_misread_date(number: str, forms: Sequence[str]) -> bool:
    if len(number) < _MISREADABLE:
        return False
    return (
        process.extractOne(number, forms, scorer=Levenshtein.distance, score_cutoff=len(number) // 4)
        is not None
    )


def _difference(one: Sequence[str], two: Sequence[str], *, of_one_length: bool = False) -> float:
    """Of what each side has alone: how far the one that is least like any other is from it."""
    fewer, more = sorted((one, two), key=len)
    far = [
        1 - max(Levenshtein.normalized_similarity(fact, other) for other in more)
        for fact in fewer
        if any(not of_one_length or _may_be_one(fact, other) for other in more)
    ]
    return max(0.0, max(far, default=0.0) - _ALIKE)


def _may_be_one(number: str, other: str) -> bool:
    """Of one form: as long, or a digit more or less if that may be lost."""
    lost = abs(len(number) - len(other))
    return lost == 0 or (lost == 1 and min(len(number), len(other)) >= _MISREADABLE)


def as_written(date: str) -> str:
    """Without what a notation leaves open: the century, and which of 04/12 is the month."""
    year, *rest = date.split("-")
    return "-".join([year[2:], *sorted(rest)])


def identifies(number: str) -> bool:
    """Enough digits, and not a year: that is part of a date."""
    digits = sum(map(str.isdigit, number))
    return digits >= _DIGITS and not (len(number) == 4 and number[:2] in ("19", "20"))


def _in_full(date: str) -> Iterator[str]:
    year, month, *day = date.split("-")
    for one in day:
        yield from (year + month + one, one + month + year, one + month + year[2:])


def dates_as_numbers(view: View) -> Iterator[str]:
    """`28122019`, `12282019` and `20191228`, with and without the zeros and the century."""
    for year, month, *day in (date.split("-") for date in view.dates):
        days = {*day, *(part.lstrip("0") for part in day)} or {""}
        for form, m, d in product((year, year[2:]), {month, month.lstrip("0")}, days):
            yield from (d + m + form, m + d + form, form + m + d)
