"""One edit in any text: what the question "was it edited, or merely misread?" is trained on.

Unlike the templates' own edits, these need no marked places, so that papers of any corpus can be edited.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator

from scripts.corpus.locales import LOCALES
from scripts.corpus.noise import misread_exactly

RATES = (0.0, 0.0, 0.003, 0.01)
COPY_RATES = (0.002, 0.005, 0.01, 0.02)
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-ZÄÖÜÉ])")
_AMOUNT = re.compile(r"\b\d{1,3}(?:[.,]\d{3})*[.,]\d{2}\b")
_LONG = re.compile(r"\b\d{5,}\b")
_NAME = re.compile(r"\b[A-ZÄÖÜÉ][a-zäöüéèß]{3,}\b")
_NUMBERS = (
    "one two three four five six ten twelve", "zwei drei vier fünf sechs zehn zwölf", "deux trois quatre cinq six dix douze",
    "dos tres cuatro cinco seis diez doce", "due tre quattro cinque sei dieci dodici", "twee drie vier vijf zes tien twaalf",
)  # fmt: skip

Edit = Callable[[str, str, random.Random], str]


def _sentences(text: str) -> list[str]:
    return [one for one in _SENTENCE.split(text) if 4 <= len(one.split()) <= 40]


def added(text: str, other: str, rng: random.Random) -> str:
    """A sentence of another paper, after one of this paper's."""
    places, sentences = _sentences(text), _sentences(other)
    if not places or not sentences:
        return text
    place = rng.choice(places)
    return text.replace(place, f"{place} {' '.join(rng.choice(sentences).split())}", 1)


def removed(text: str, _: str, rng: random.Random) -> str:
    places = _sentences(text)[1:]
    return text.replace(rng.choice(places), "", 1) if places else text


def negated(text: str, lang: str, rng: random.Random) -> str:
    places = [match.start() for match in re.finditer(r"(?<=[a-zäöüé]) (?=[a-zäöüé]{3,} [a-zäöüé]{2,})", text)]
    if not places:
        return text
    place = rng.choice(places)
    negation = LOCALES[lang].negation if lang in LOCALES else "not"
    return f"{text[:place]} {negation}{text[place:]}"


def renumbered(text: str, _: str, rng: random.Random) -> str:
    for words in rng.sample(_NUMBERS, len(_NUMBERS)):
        found = [one for one in words.split() if re.search(rf"\b{one}\b", text)]
        if found:
            old = rng.choice(found)
            return re.sub(
                rf"\b{old}\b", rng.choice([one for one in words.split() if one != old]), text, count=1
            )
    return text


def _digits_changed(old: str, rng: random.Random) -> str:
    """Another number of the same form: one digit, or all of them."""
    places = [place for place, character in enumerate(old) if character.isdigit()]
    chosen = [rng.choice(places)] if rng.random() < 0.5 else places
    new = list(old)
    for place in chosen:
        new[place] = rng.choice([digit for digit in "123456789" if digit != old[place]])
    return "".join(new)


def _replaced(pattern: re.Pattern[str], new: Callable[[str, random.Random], str]) -> Edit:
    def edit(text: str, _: str, rng: random.Random) -> str:
        found = list(pattern.finditer(text))
        if not found:
            return text
        match = rng.choice(found)
        return text[: match.start()] + new(match.group(), rng) + text[match.end() :]

    return edit


def renamed(text: str, other: str, rng: random.Random) -> str:
    """A capitalised word of this paper becomes one of another paper, everywhere or once."""
    here, there = _NAME.findall(text), _NAME.findall(other)
    names = [one for one in there if one not in here]
    if not here or not names:
        return text
    return text.replace(rng.choice(here), rng.choice(names), rng.choice((1, -1)))


EDITS: dict[str, Edit] = {
    "add": added, "remove": removed, "number": renumbered, "name": renamed,
    "amount": _replaced(_AMOUNT, _digits_changed), "account": _replaced(_LONG, _digits_changed),
}  # fmt: skip


def edited_pairs(text: str, lang: str, other: str, rng: random.Random) -> Iterator[tuple[str, str, str]]:
    """(original, copy, kind) with words of another paper; the kind is an edit's, or `copy` for a misread one."""
    changed = {name: edit(text, other, rng) for name, edit in EDITS.items()}
    changed["not"] = negated(text, lang, rng)
    for kind in rng.sample(sorted(changed), 4):
        if changed[kind] != text:
            rate = rng.choice(RATES)
            yield misread_exactly(text, rate, rng), misread_exactly(changed[kind], rate, rng), kind
    for rate in rng.sample(COPY_RATES, 2):
        yield text, misread_exactly(text, rate, rng), "copy"
