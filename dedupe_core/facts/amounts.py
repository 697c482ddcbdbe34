"""Amounts of money as printed in either locale -> hundredths."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dedupe_core.text.folding import Span, any_of

_LIMIT = 10**12  # hundredths: ten thousand million; what is larger numbers something and prices nothing
_LONGEST_WHOLE = 9  # characters of "1000000,-": longer ungrouped ones are account or telephone numbers

_THREE_LETTERS = "eur usd gbp chf sfr myr sgd aud cad nzd hkd jpy cny inr sek nok dkk pln czk huf"
_LEADING = any_of(f"{_THREE_LETTERS} rm rs euro")
_TRAILING = any_of(f"{_THREE_LETTERS} fr kr zl kc euro euros")
_BEFORE = re.compile(rf"(?:[€$£¥₹]|(?<![a-z]){_LEADING})[.:]?[ ]?-?[ ]?$")
# In "box 2 $ 173.00" and "6 RM 2.25" the currency belongs to the second number.
_AFTER = re.compile(rf"-?[ ]?(?:[€$£¥₹]|r[ms](?![a-z]))(?![ ]?[0-9])|\s?{_TRAILING}(?![a-z])")

# A cheap first look at what is before the first digit, which is the "." here: each width there is.
_MAYBE = "|".join(
    rf"(?<={currency}{gap}.)"
    for gap in ("", r"[\ .:\-]", r"[\ .:][\ \-]")
    for currency in ("[€$£¥₹]", "r[ms]", any_of(f"{_THREE_LETTERS} uro"))
)
# Grouped by threes or plain, with two decimals; beside a currency also whole, as "50,-" or as "37. 55".
_NUMBER = re.compile(
    rf"""[0-9](?<![0-9].)(?<![0-9][.,:'].)(?P<maybe>{_MAYBE})?
    (?: [0-9]{{0,2}}(?P<group>[.,'\ ])[0-9]{{3}}(?:(?P=group)[0-9]{{3}}){{0,2}}(?![0-9]) | [0-9]{{0,9}} )
    (?: (?P<point>[.,])(?(maybe)[ ]?)(?P<decimals>[0-9]{{2}})
      | (?:[.,]-{{1,2}})?(?(maybe)|(?={_AFTER.pattern})) )
    (?![0-9]|[.,:/'][0-9]|-[0-9]{{3}})""",
    re.VERBOSE,
)
# What makes a number with two decimals something else: a share, a time, a measure, a piece of a word.
_NO_PRICE_AFTER = re.compile(
    r"\s?(?:%|°|prozent|percent|pct|uhr|[ap]\.?m\b|kw|kg|km|cm|mm|mg|ml|cl|ltr|qm|m[23²³]|[ghlm]\b)|[a-z]{3}"
)
# What makes a whole number beside a currency something else: "$5 million"; "$ 84 des" is a misread "§".
_NO_WHOLE_PRICE_AFTER = re.compile(
    r"[\s-]?(?:mio|mill|mrd|bill|bn|mn|tsd|thousand|[km]\b)|\s(?:abs|(?:satz|nr|de[rs])\b)"
)


def find_amounts(text: str) -> tuple[list[int], list[Span]]:
    """Read the amounts of a folded, lower-case text without dates: hundredths, and their positions."""
    found = list(_amounts(text))
    return [amount for amount, _ in found], [span for _, span in found]


def _amounts(text: str) -> Iterator[tuple[int, Span]]:
    position = 0
    while match := _NUMBER.search(text, position):
        priced = _is_priced(match)
        if not priced and " " in match.group():
            # "2 150.00" is a quantity and a price, unless a currency claims the whole.
            position = match.start() + match.group().index(" ")
            continue
        position = match.end()
        if _is_money(match, priced) and (amount := _hundredths(match)) < _LIMIT:
            yield amount, match.span()


def _is_priced(match: re.Match[str]) -> bool:
    text, start, end = match.string, match.start(), match.end()
    before = match["maybe"] is not None and _BEFORE.search(text, max(0, start - 8), start)
    return bool(before or _AFTER.match(text, end))


def _is_money(match: re.Match[str], priced: bool) -> bool:
    text, start, end = match.string, match.start(), match.end()
    if match["group"] is not None and match["group"] == match["point"]:
        return False
    if match["decimals"] is None:
        too_long = match["group"] is None and end - start > _LONGEST_WHOLE
        return priced and not too_long and not _NO_WHOLE_PRICE_AFTER.match(text, end)
    before = text[start - 1 : start]
    return priced or not ((before.isalpha() and before != "x") or _NO_PRICE_AFTER.match(text, end))


def _hundredths(match: re.Match[str]) -> int:
    digits = int("".join(filter(str.isdigit, match.group())))
    return digits if match["decimals"] else digits * 100
