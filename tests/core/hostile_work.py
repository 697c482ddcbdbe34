"""Reads hostile texts in a process of its own and prints what each cost, one JSON object a line.

    python -m tests.core.hostile_work

A process of its own, because the peak of memory is one number a process.
"""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from dedupe_core.compare.view import view
from dedupe_core.fingerprint.fingerprint import band_keys, exact_keys, fact_keys, fingerprint
from dedupe_core.judge.judge import judge
from dedupe_core.model import Document
from dedupe_core.policy import DEFAULT as POLICY
from dedupe_core.recipe import DEFAULT

MB = 1_000_000


def _random(alphabet: str, count: int) -> str:
    return "".join(random.Random(1).choices(alphabet, k=count))


TEXTS: dict[str, Callable[[], str]] = {
    "empty": str,
    "one line of 20 MB": lambda: "abcdefghij klmnop 12.03.2024 1.234,56 EUR " * (20 * MB // 42),
    "one word of 20 MB": lambda: _random("abcdefghijklmnop", 1000) * (20 * MB // 1000),
    "10 MB of digits": lambda: _random("0123456789", MB) * 10,
    "10 MB of spaced digits": lambda: "1 " * (5 * MB),
    "NULs": lambda: "\0" * (5 * MB),
    "NULs between letters": lambda: "a\0b\0" * MB,
    "NULs and page breaks": lambda: "\0\f" * MB,
    "lone surrogates": lambda: "\ud800abc \udfff 12.03.2024 " * (MB // 22),
    "1 MB of one word": lambda: "word " * (MB // 5),
    "right to left": lambda: "שלום עולם \u202e مرحبا بالعالم ١٢٣٤ \u0301\u0302" * (MB // 35),
    "marks piled on one letter": lambda: "e" + "\u0301\u0323" * (MB // 2),
    "wide marks piled up": lambda: "\u30ab" + "\uff9e\u0301" * (MB // 2),
    "Tibetan marks piled up": lambda: "\u0f40" + "\u0f73\u200d" * (MB // 2),
    "a million hyphens": lambda: "a-\n" * (MB // 3),
    "emoji": lambda: "\U0001f600" * MB,
    "Chinese": lambda: _random("".join(map(chr, range(0x4E00, 0x9FFF))), MB),
    "numbers only": lambda: " ".join(f"{n * 7919 % 10**9:09}" for n in range(100_000)),
    "words without end": lambda: _random("abcdefghijklm   ", MB),
    "slashes": lambda: "1/" * (MB // 2),
    "pieces of an account number": lambda: "DE02 1203 0000 " * (MB // 15),
    "punctuation": lambda: ".,-/:;" * (MB // 6),
}


def read(name: str) -> dict[str, float | int | str]:
    """Everything that is done with a document: read, looked up, compared; the CPU and the memory of it."""
    text = TEXTS[name]()
    before = _forget_peak()
    start = time.process_time()
    found = fingerprint(Document(1, text), DEFAULT)
    keys = sum(
        len(keys) for keys in (exact_keys(found), fact_keys(found), band_keys(found.signature, DEFAULT))
    )
    read_s = time.process_time() - start
    extra_bytes = _peak_bytes() - before
    part = fingerprint(Document(2, text[:50_000] + "x"), DEFAULT)
    start = time.process_time()
    verdicts = judge(view(found), [view(part), view(found)], POLICY)
    judged_s = time.process_time() - start
    return {
        "name": name, "read_s": read_s, "judged_s": judged_s, "extra_bytes": extra_bytes,
        "keys": keys, "verdicts": len(verdicts),
    }  # fmt: skip


def _forget_peak() -> int:
    """What this process has in memory, which is its peak from here on."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    return _peak_bytes()


def _peak_bytes() -> int:
    """The highest memory of this process; 0 where the system does not tell."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        return 0
    found = re.search(r"VmHWM:\s*(\d+) kB", status)
    return int(found[1]) * 1024 if found else 0


if __name__ == "__main__":
    for each in TEXTS:
        print(json.dumps(read(each)), flush=True)
