"""Bank accounts: an IBAN has two check digits, so that a misread one gives itself away and another account does not."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rapidfuzz.distance import Levenshtein

_IBAN_LENGTHS = """
    AD24 AT20 BE16 BG22 CH21 CY28 CZ24 DE22 DK18 EE20 ES24 FI18 FR27 GB22 GI23 GR27 HR21 HU28 IE22 IS26 IT27
    LI21 LT20 LU20 LV21 MC27 MT31 NL18 NO15 PL28 PT25 RO24 SE24 SI19 SK24 SM27 TR26
    """
IBAN_LENGTH = {entry[:2]: int(entry[2:]) for entry in _IBAN_LENGTHS.split()}
_SEPARATORS = re.compile(r"[^A-Z0-9]+")
_GROUPS = 9  # words of an IBAN as it is printed, in fours
_MISREAD = 2  # characters: check digits find one error always, more nearly always; another account has more


def canonical(token: str) -> str:
    """Upper-case letters and digits only: what two printings of one reference have in common."""
    return _SEPARATORS.sub("", token.upper())


def is_account(token: str) -> bool:
    """Of the length that its country has, and its check digits are right."""
    if IBAN_LENGTH.get(token[:2]) != len(token) or not token.isalnum():
        return False
    return int("".join(str(int(one, 36)) for one in token[4:] + token[:4])) % 97 == 1


def is_misread_account(a: str, b: str) -> bool:
    """Nearly the same, and the check digits of only one are right: the other is a bad reading of it."""
    return is_account(a) != is_account(b) and Levenshtein.distance(a, b, score_cutoff=_MISREAD) <= _MISREAD


def are_two_accounts(a: str, b: str) -> bool:
    return a != b and is_account(a) and is_account(b)


def accounts_at(left: Sequence[str], a: int, right: Sequence[str], c: int) -> tuple[str, str] | None:
    """The IBAN around a word of each text, or what was read for it; `None` if neither text has the beginning of one."""
    before = _words_before(left, a)
    if before is None:
        before = _words_before(right, c)
    if before is None or before > min(a, c):
        return None
    length = IBAN_LENGTH.get(canonical(left[a - before])[:2]) or IBAN_LENGTH[canonical(right[c - before])[:2]]
    return _joined(left, a - before, length), _joined(right, c - before, length)


def _words_before(words: Sequence[str], place: int) -> int | None:
    """How far back an IBAN begins that goes on to this place."""
    for before in range(min(place + 1, _GROUPS)):
        head = canonical(words[place - before])
        if head[:2] in IBAN_LENGTH and head[2:4].isdecimal() and len(head) >= 4:
            is_there = (
                len(_joined(words, place - before, IBAN_LENGTH[head[:2]], place)) < IBAN_LENGTH[head[:2]]
            )
            return before if is_there else None
    return None


def _joined(words: Sequence[str], start: int, length: int, end: int | None = None) -> str:
    """The words from `start` on, without what is between them, until there are so many characters."""
    found = ""
    for word in words[start : start + _GROUPS if end is None else end]:
        if len(found) >= length:
            break
        found += canonical(word)
    return found
