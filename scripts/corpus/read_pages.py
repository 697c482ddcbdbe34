"""Make the corpus of pages that were printed, scanned and read: scripts/corpus/read, with real OCR.

    python -m scripts.corpus read OUT_DIR [--seed N] [--senders N] [--pictures N]

Papers of the generator in English, German and French. What is a scan there is printed as an image here, worsened as a
scanner does it (of medium and heavy noise twice and three times), and read by tesseract; digital documents keep their text. Writes docs.jsonl and pairs.jsonl as
generate.py does, and pages/ID.jpg for the first pictures. The papers and their pages follow from the seed; what tesseract
reads also depends on its version, which docs.jsonl names as "reader".
"""

from __future__ import annotations

import argparse
import random
import subprocess
import textwrap
from pathlib import Path
from typing import Any

from scripts.corpus.generate import TEMPLATES, document, write
from scripts.corpus.papers import RANKS, Scan, labels
from scripts.corpus.render import fonts, page_of, read, worsened
from scripts.corpus.sender import Sender
from scripts.corpus.template import load

LANGUAGES = ("en", "de", "fr")  # whose data tesseract usually has
PLAIN = ("digital", "scan")  # without stamps, frames and pages in another order, which are not printed here
LONGEST = 2500  # characters: one page
COLUMNS = 84
FIRST_ID = 900_000

Row = dict[str, Any]


def papers(seed: int, count: int) -> list[list[Scan]]:
    """The scans of one sender each, of as many templates; only what is a page or less."""
    templates = [one for one in load(TEMPLATES) if one.locale.lang in LANGUAGES and one.scopes]
    random.Random(f"{seed}/read").shuffle(templates)
    found = []
    for template in templates:
        scans = [scan for scan in Sender(template, 0, seed).scans() if is_printable(scan)]
        if any(scan.how == "scan" for scan in scans):
            found.append(scans)
    return found[:count]


def is_printable(scan: Scan) -> bool:
    return scan.how in PLAIN and scan.paper.locale.lang in LANGUAGES and len(scan.paper.text) <= LONGEST


def wrapped(text: str) -> str:
    return "\n".join(textwrap.fill(line, COLUMNS) for line in text.strip().splitlines())


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=71)
    parser.add_argument("--senders", type=int, default=60)
    parser.add_argument("--pictures", type=int, default=8)
    args = parser.parse_args()
    version = subprocess.run(["tesseract", "--version"], capture_output=True, text=True, check=True).stdout
    reader = version.splitlines()[0]
    (args.out / "pages").mkdir(parents=True, exist_ok=True)
    docs: list[Row] = []
    pairs: list[Row] = []
    pictures = args.pictures
    for scans in papers(args.seed, args.senders):
        first = FIRST_ID + len(docs)
        pairs += [
            {"a": one.a, "b": one.b, "label": one.label, "noise": one.noise} for one in labels(scans, first)
        ]
        for scan in scans:
            row = document(scan, FIRST_ID + len(docs))
            if scan.how == "scan":
                rng = random.Random(f"{args.seed}/{row['id']}")
                image, dpi = page_of(wrapped(scan.paper.text), rng.choice(fonts()), rng)
                for _ in range(RANKS[scan.noise] - 1):  # a copy of a copy
                    image = worsened(image, rng)
                row |= {"content": read(image, row["lang"], dpi), "reader": reader}
                if pictures:
                    image.save(args.out / "pages" / f"{row['id']}.jpg", "JPEG", quality=40)
                    pictures -= 1
            docs.append(row)
    write(args.out / "docs.jsonl", docs)
    write(args.out / "pairs.jsonl", pairs)
    read_count = sum("reader" in row for row in docs)
    print(f"{len(docs)} documents, {read_count} of them read by {reader}, {len(pairs)} pairs")
    return 0
