"""What the readers of facts share: the surroundings of digits, folded, and the blanking of what was read."""

from __future__ import annotations

import re
from collections.abc import Iterable

Span = tuple[int, int]

_BEFORE, _AFTER = 48, 24  # room for a label before the first digit, for "Januar" or "EUR" after the last
_STEP = 40  # characters taken from a digit on without looking for the next one
_BREAK = "\n\n\n\n"
_LIMIT = 400_000  # characters kept: a dense page has 4,000, so this only bounds hostile text

_ZEROS = (0x0660, 0x06F0, 0xFF10)  # Arabic-Indic, Persian, full width; their digits follow
_FROM_DIGIT = re.compile(rf"[0-9\u0660-\u0669\u06f0-\u06f9\uff10-\uff19].{{0,{_STEP}}}", re.DOTALL)
_NOT_ASCII = re.compile("[^\0-\x7f]")

_FOLDED: dict[str, str] = {
    **dict(zip("äàâáãéèêëíìîïöòôóõüùûúçñ", "aaaaaeeeeiiiiooooouuuucn", strict=True)),
    **dict(zip("ÄÀÂÁÃÉÈÊËÍÌÎÏÖÒÔÓÕÜÙÛÚÇÑ", "AAAAAEEEEIIIIOOOOOUUUUCN", strict=True)),
    **dict(zip("ąćęłńśźżĄĆĘŁŃŚŹŻ", "acelnszzACELNSZZ", strict=True)),
    **dict.fromkeys("\u0300\u0301\u0302\u0303\u0308\u0327", ""),  # the same accents, decomposed
    **dict.fromkeys("\u00ad\u200b\u200e\u200f\ufeff", ""),
    **dict.fromkeys("\u00a0\u2007\u2009\u202f\u3000", " "),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
    **dict.fromkeys("\u2018\u2019\u00b4", "'"),
    **{chr(zero + digit): str(digit) for zero in _ZEROS for digit in range(10)},
    "№": "No",
    "İ": "I",  # the one character that grows when lowered: places in both cases must stay the same
}
_GROUPING_SPACE = re.compile(r"[\u00a0\u2009\u202f](?<=[0-9].)(?=[0-9]{3}(?![0-9]))")
_HYPHENATION = re.compile(r"-\n(?<=[a-z]-\n)(?=[a-z])")  # "Septem-" at the end of a line


def surroundings_of_digits(content: str) -> str:
    """The parts of a text that can hold a fact, folded, with a gap between them."""
    parts: list[str] = []
    kept = end = 0
    for match in _FROM_DIGIT.finditer(content):
        start = max(end, match.start() - _BEFORE)
        if start > end:
            parts.append(_BREAK)
        end = match.end() + _AFTER
        parts.append(content[start:end])
        kept += end - start
        if kept > _LIMIT:
            break
    return _HYPHENATION.sub("", fold("".join(parts)))


def fold(text: str) -> str:
    """Without diacritics, with plain spaces, dashes, quotes and digits; the case is kept."""
    if text.isascii():
        return text
    text = _GROUPING_SPACE.sub("'", text)  # a space that must not break inside a number groups its digits
    for character in set(_NOT_ASCII.findall(text)) & _FOLDED.keys():
        text = text.replace(character, _FOLDED[character])
    return text


def blank(text: str, spans: Iterable[Span]) -> str:
    """The text with these places made unreadable; every other place stays where it is."""
    parts: list[str] = []
    position = 0
    for start, end in spans:
        parts += text[position:start], "\0" * (end - start)
        position = end
    parts.append(text[position:])
    return "".join(parts)


def any_of(words: str) -> str:
    """A pattern for any of these words, branching letter by letter: a fifth of a plain `a|b|c`'s time."""
    return _branches(words.split())


def _branches(words: Iterable[str]) -> str:
    rests: dict[str, list[str]] = {}
    for word in words:
        rests.setdefault(word[:1], []).append(word[1:])
    may_end_here = rests.pop("", None) is not None
    letters = [re.escape(letter) + (_branches(rest) if any(rest) else "") for letter, rest in rests.items()]
    return f"(?:{'|'.join(letters)}){'?' if may_end_here else ''}"
