"""What a scanner and its OCR do to a text: a clean text in, the same paper read badly out; seeded."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

# What OCR reads for what, as seen on bad scans: look-alikes first, then letters that lost or gained a stroke.
_MISREAD = {
    "o": "0ce", "0": "o68", "l": "1i|", "i": "1l!", "1": "il7", "s": "5a", "5": "s6", "b": "8h", "8": "b36",
    "z": "2", "2": "z7", "g": "9q", "9": "g3", "6": "b0", "e": "co", "c": "e(", "n": "ru", "h": "bn", "t": "f+",
    "f": "t", "a": "o", "u": "v", "v": "u", "r": "n", "m": "n", "3": "8", "4": "1", "7": "1", "ä": "a", "ö": "o",
    "ü": "u", "é": "e", "è": "e", ".": ",", ",": ".", "B": "8", "S": "5", "O": "0", "I": "l1", "Z": "2", "G": "6",
}  # fmt: skip
_SPECKS = ".,'`-_|~"


@dataclass(frozen=True, slots=True)
class Scanner:
    """Shares of characters misread, lost and torn apart, of spaces lost, and of lines lost as a whole."""

    misread: float
    lost: float
    torn: float
    glued: float
    lines_lost: float


SCANNERS = {
    "light": Scanner(misread=0.004, lost=0.001, torn=0.001, glued=0.002, lines_lost=0.0),
    "medium": Scanner(misread=0.02, lost=0.004, torn=0.004, glued=0.01, lines_lost=0.02),
    "heavy": Scanner(misread=0.06, lost=0.012, torn=0.01, glued=0.02, lines_lost=0.06),
}


def scanned(text: str, level: str, seed: int) -> str:
    """The text as this scanner reads it; the same for the same seed."""
    scanner, random = SCANNERS[level], Random(f"{level}:{seed}")
    lines = [line for line in text.splitlines() if random.random() >= scanner.lines_lost or len(line) < 3]
    read = [_line(line, scanner, random) for line in lines]
    if level != "light":
        read = ["~ .", *read, "' _ ,"]  # shadows at the edges of the page
    return "\n".join(read)


def _line(line: str, scanner: Scanner, random: Random) -> str:
    return "".join(_character(character, scanner, random) for character in line)


def _character(character: str, scanner: Scanner, random: Random) -> str:
    chance = random.random()
    if character == " ":
        return "" if chance < scanner.glued else " "
    if chance < scanner.lost:
        return ""
    if chance < scanner.lost + scanner.torn:
        return character + random.choice(_SPECKS)
    if chance < scanner.lost + scanner.torn + scanner.misread and character in _MISREAD:
        return random.choice(_MISREAD[character])
    return character
