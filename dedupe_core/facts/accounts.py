"""Bank accounts: an IBAN has two check digits, so that a misread one gives itself away and another account does not."""

from __future__ import annotations

import re

from rapidfuzz.distance import Levenshtein

_IBAN_LENGTHS = """
    AD24 AT20 BE16 BG22 CH21 CY28 CZ24 DE22 DK18 EE20 ES24 FI18 FR27 GB22 GI23 GR27 HR21 HU28 IE22 IS26 IT27
    LI21 LT20 LU20 LV21 MC27 MT31 NL18 NO15 PL28 PT25 RO24 SE24 SI19 SK24 SM27 TR26
    """
IBAN_LENGTH = {entry[:2]: int(entry[2:]) for entry in _IBAN_LENGTHS.split()}
_SEPARATORS = re.compile(r"[^A-Z0-9]+")
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
