"""Raw OCR text in, normalised text and its bounded excerpts out; every step is linear in its input."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator

# A 300-page manual has about 900,000 characters: read whole. Beyond that evenly spread windows are read, so
# that two long documents which differ late still differ here; the digest of the raw text is mixed into the
# exact hash, so windows can never make two different texts "identical".
WHOLE_CHARS = 1_000_000
WINDOWS = 16
WINDOW_CHARS = 60_000

# What a verdict compares word by word. 60,000 characters are some 20 dense pages, 20 kB compressed.
KEPT_CHARS = 60_000
KEPT_HEAD_CHARS = 40_000

_INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
# A word broken at the line end; only before a lower-case letter, so that "Meier-\nSchulz" stays two names. Begins with the
# hyphen and looks at the letter before it afterwards: hyphens are rare, letters are not.
_HYPHENATED = re.compile(
    r"[-\u2010\u2011\u00ac](?<=[^\W\d_].)[ \t]?\r?\n[ \t]{0,8}(?=[^\W\d_A-Z\u00c0-\u00de])"
)
_PAGE_BREAK = "\f"
# Marks piled on one letter: unicodedata sorts them in quadratic time, 40,000 take 6 s. No script piles ten.
_PILE = re.compile(r"(?:[^\w\s\x00-\x7f]|[\uff9e\uff9f]){40,}")
_PILE_KEPT = 8
_BEYOND_LATIN = re.compile("[^\0-\u02ff]+")  # all marks are there, and few letters of a text
_SPACE = re.compile(r"[^\S\f]+")
_TWO_SPACES = "  "
_ODD_ASCII_SPACES = "\t\r\v\x1c\x1d\x1e\x1f"
_ODD_SPACES = _ODD_ASCII_SPACES + "".join(chr(code) for code in range(0x80, 0x3001) if chr(code).isspace())


def bounded(content: str) -> str:
    """The part of a text that is read: all of it, or evenly spread windows of a very long one."""
    if len(content) <= WHOLE_CHARS:
        return content
    last = len(content) - WINDOW_CHARS
    starts = (last * i // (WINDOWS - 1) for i in range(WINDOWS))
    return "\n".join(content[start : start + WINDOW_CHARS] for start in starts)


def printed(content: str) -> str:
    """The text as it is printed: lines, capitals and punctuation stay; Unicode form, hyphenation and runs of space
    are folded. Page breaks (form feeds) are lines of their own. Idempotent."""
    text = bounded(content)
    if not text.isascii():
        if _has_marks("".join(_BEYOND_LATIN.findall(text))):
            text = _PILE.sub(_lowered, text)
        text = _without_invisible(unicodedata.normalize("NFKC", text))
    text = _HYPHENATED.sub("", text).replace("\x00", " ")
    if _PAGE_BREAK in text:
        text = text.replace(_PAGE_BREAK, f"\n{_PAGE_BREAK}\n")
    return "\n".join(filter(None, _lines(text)))


def _lines(text: str) -> Iterator[str]:
    """`split` knows the same spaces as `_SPACE`, and page breaks; a line with one has nothing else."""
    is_plain = not _has_odd_space(text)
    for line in text.split("\n"):
        if line == _PAGE_BREAK:
            yield line
        elif is_plain and _TWO_SPACES not in line:
            yield line.strip(" ")
        else:
            yield " ".join(line.split())


def folded(text: str) -> str:
    """A printed text without what carries no meaning: case, ligatures, line breaks."""
    if text.isascii():
        return _folded_space(text.lower())
    lower = text.casefold()
    if not unicodedata.is_normalized("NFKC", lower):
        # Case folding can undo NFKC and the other way round: the pair is stable from the second time on.
        lower = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", lower).casefold())
    return _folded_space(_without_invisible(lower)[:WHOLE_CHARS])


def normalise(content: str) -> str:
    """Fold what carries no meaning: Unicode form, case, ligatures, line breaks, hyphenation, runs of space.

    Page breaks (form feeds) stay as words of their own. Idempotent.
    """
    return folded(printed(content))


def _without_invisible(text: str) -> str:
    """Character by character: `translate` takes 40 times as long, because it asks for each letter."""
    for character in _INVISIBLE:
        text = text.replace(character, "")
    return text


def _lowered(pile: re.Match[str]) -> str:
    return pile[0][:_PILE_KEPT] if _has_marks(pile[0]) else pile[0]


def _has_marks(text: str) -> bool:
    return any(unicodedata.category(character).startswith("M") for character in set(text))


def _folded_space(text: str) -> str:
    text = text.replace("\x00", " ")
    if _PAGE_BREAK in text:
        return _SPACE.sub(" ", text.replace(_PAGE_BREAK, f" {_PAGE_BREAK} ")).strip(" ")
    line = text.replace("\n", " ")
    return line.strip(" ") if _TWO_SPACES not in line and not _has_odd_space(line) else " ".join(text.split())


def _has_odd_space(text: str) -> bool:
    """True if a space is in it that is neither a blank, a line end nor a page break: each is searched in C."""
    odd = _ODD_ASCII_SPACES if text.isascii() else _ODD_SPACES
    return any(space in text for space in odd)


def content_hash(content: str, text: str) -> bytes:
    """SHA-256 of the normalised text: the exact tier. Empty text has no hash, so it can match nothing."""
    if not text or text.isspace():
        return b""
    pages = text.replace(f" {_PAGE_BREAK} ", " ").strip(f" {_PAGE_BREAK}")
    digest = hashlib.sha256(pages.encode("utf-8", "surrogatepass"))
    if len(content) > WHOLE_CHARS:
        digest.update(hashlib.sha256(content.encode("utf-8", "surrogatepass")).digest())
    return digest.digest()


def kept(text: str) -> str:
    """The excerpt that the index keeps: the whole text, or the head and the tail of a long one."""
    if len(text) <= KEPT_CHARS:
        return text
    return text[:KEPT_HEAD_CHARS] + "\n" + text[len(text) - (KEPT_CHARS - KEPT_HEAD_CHARS) :]
