"""Write dedupe_core/text/trigrams.py: which letter sequences occur in the words of eight languages.

    python -m scripts.corpus trigrams [DIRECTORY]

DIRECTORY holds word lists, one word a line (default: /usr/share/dict, filled by Debian's packages wbritish, wngerman,
wfrench, wspanish, witalian, wdutch, wpolish and wportuguese). Only the sequences go into the product, no words.
"""

from __future__ import annotations

import argparse
import base64
import re
import unicodedata
import zlib
from collections import Counter
from pathlib import Path

LISTS = ("british-english", "ngerman", "french", "spanish", "italian", "dutch", "polish", "portuguese")
ALPHABET = "^$abcdefghijklmnopqrstuvwxyz"
FEWEST = 0.0006  # of the words of one language: rarer ones are of foreign names and abbreviations
TARGET = Path(__file__).resolve().parents[3] / "dedupe_core" / "text" / "trigrams.py"
HEAD = '''"""Letter sequences that occur in written words, as a bit map; written by scripts/corpus/fit/trigrams.py.

Of {words:,} words in eight languages: {common:,} sequences of three letters that occur in {fewest:.2%} of one of them.
"""

from __future__ import annotations

import base64
import zlib
from functools import lru_cache

_ALPHABET = "{alphabet}"
_BITS = zlib.decompress(
    base64.b85decode(
{rows}
    )
)


@lru_cache(maxsize=1)
def common_sequences() -> frozenset[str]:
    """Of three letters, where ^ and $ are the ends of a word."""
    size = len(_ALPHABET)
    return frozenset(
        _ALPHABET[place // size // size] + _ALPHABET[place // size % size] + _ALPHABET[place % size]
        for place in range(size**3)
        if _BITS[place >> 3] >> (place & 7) & 1
    )
'''


def words_of(path: Path) -> set[str]:
    plain = unicodedata.normalize("NFKD", path.read_text(encoding="utf-8").casefold())
    plain = "".join(character for character in plain if not unicodedata.combining(character))
    return {word for word in plain.split() if re.fullmatch("[a-z]{3,}", word)}


def common_in(words: set[str]) -> set[str]:
    counts = Counter(f"^{word}$"[place : place + 3] for word in words for place in range(len(word)))
    return {sequence for sequence, count in counts.items() if count >= FEWEST * len(words)}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("directory", nargs="?", type=Path, default=Path("/usr/share/dict"))
    args = parser.parse_args()
    lists = [words_of(args.directory / name) for name in LISTS]
    common = sorted(set().union(*map(common_in, lists)))
    bits = bytearray(28**3 // 8 + 1)
    for sequence in common:
        place = 0
        for letter in sequence:
            place = place * 28 + ALPHABET.index(letter)
        bits[place >> 3] |= 1 << (place & 7)
    text = base64.b85encode(zlib.compress(bytes(bits), 9)).decode()
    rows = "\n".join(f'        "{text[start : start + 96]}"' for start in range(0, len(text), 96))
    TARGET.write_text(
        HEAD.format(
            words=sum(map(len, lists)), fewest=FEWEST, common=len(common), alphabet=ALPHABET, rows=rows
        ),
        encoding="utf-8",
    )
    print(f"{sum(map(len, lists))} words, {len(common)} sequences")
    return 0
