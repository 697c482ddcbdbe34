"""Make the corpus of pages that were printed, scanned and read: scripts/corpus/read, with real OCR.

    python -m scripts.corpus read OUT_DIR [--seed N] [--documents N] [--pictures N]

Papers of the generator, in all its languages. What is a scan there is set in type here, as its sender prints, then turned,
blurred, shaded and compressed as a scanner, a phone or a fax does it, and read by tesseract; digital documents keep their
text. Writes docs.jsonl and pairs.jsonl as generate.py does, and pages/ID.jpg for the first pictures. The papers and their
pages follow from the seed; what tesseract reads also depends on its version, which docs.jsonl names as "reader".
"""

from __future__ import annotations

import random
import subprocess
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from scripts.corpus import additions, layout
from scripts.corpus.generate import TEMPLATES, labelled, senders, write
from scripts.corpus.layout import Layout
from scripts.corpus.papers import Scan
from scripts.corpus.render import LANGUAGES, Face, faces, read, set_in_type
from scripts.corpus.sender import LEAST_WORDS, SAVED, Sender, in_order, tells_apart
from scripts.corpus.template import load
from scripts.pages.scanning import drawn, worsened
from scripts.subcommands import make_parser

FIRST_ID = 900_000
LONGEST = 6000  # characters: three pages
DEVICES = {"light": ("light", "medium"), "medium": ("medium", "heavy"), "heavy": ("heavy", "photo", "fax")}
WRONG_LANGUAGE = 0.06  # of the pages are read as another language

Group = tuple[Sender, list[Scan]]


def lines_on_paper(scan: Scan, look: Layout, rng: random.Random) -> list[str]:
    """With what its way added; cells are parted by tabs."""
    if scan.how in ("mailed", "browsed"):
        look = replace(look, width=rng.choice((60, 72, 88)))
    rows = layout.printed(in_order(scan.paper.text, scan.how, rng), look)
    lines = ["\t".join(row) for row in rows]
    if scan.how in (*SAVED, "stamped"):
        lines = getattr(additions, scan.how)(lines, scan.paper.locale, rng)
    return lines


def read_again(scan: Scan, look: Layout, face: Face, rng: random.Random) -> tuple[Scan, list[Any]]:
    """The scan with what tesseract reads on its pages; and the pages."""
    fault = drawn(rng.choice(DEVICES[scan.noise]), rng)
    pages = set_in_type(lines_on_paper(scan, look, rng), face, fault.dpi)
    images = [worsened(page, fault, rng)[0] for page in pages]
    if scan.noise == "heavy":  # a copy of a copy
        images = [worsened(image, fault, rng)[0] for image in images]
    lang = scan.paper.locale.lang if rng.random() > WRONG_LANGUAGE else rng.choice(sorted(LANGUAGES))
    text = "\n".join(read(image, lang, fault.dpi) for image in images)
    return replace(scan, lines=tuple(text.split("\n"))), images


def read_sender(group: Group, seed: int, pictures: Path | None) -> Group:
    """All its scans, without those that lost what tells two papers apart; the first page of one goes to `pictures`."""
    sender, scans = group
    rng = random.Random(f"{seed}/{sender.template.name}/{sender.place.sender}/pages")
    face = Face.draw(faces(), rng)
    found: list[Scan] = []
    for scan in scans:
        if len(scan.paper.text) > LONGEST:
            continue
        done, images = read_again(scan, sender.layout, face, rng) if scan.noise != "digital" else (scan, [])
        others = [one.paper for one in scans if one.paper.identity != scan.paper.identity]
        is_known = done.paper.part != "whole" or tells_apart(done, others)
        if len(done.content.split()) >= LEAST_WORDS and is_known:
            found.append(done)
            if images and pictures:
                images[0].save(pictures / f"{sender.template.name}.jpg", "JPEG", quality=40)
                pictures = None
    return sender, found


def read_bundle(bundle: Scan, seed: int) -> Scan:
    rng = random.Random(f"{seed}/bundle/{bundle.paper.bundle}")
    if bundle.noise == "digital":
        return bundle
    return read_again(bundle, Layout.draw(rng), Face.draw(faces(), rng), rng)[0]


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=71)
    parser.add_argument("--documents", type=int, default=2200, help="about")
    parser.add_argument("--pictures", type=int, default=8)
    args = parser.parse_args()
    version = subprocess.run(["tesseract", "--version"], capture_output=True, text=True, check=True).stdout
    pictures = args.out / "pages"
    pictures.mkdir(parents=True, exist_ok=True)
    groups = senders(load(TEMPLATES), args.documents, args.seed)
    places = [pictures] * args.pictures + [None] * len(groups)
    with ProcessPoolExecutor() as pool:
        seeds = [args.seed] * len(groups)
        done = list(pool.map(read_sender, groups, seeds, places, chunksize=4))
        docs, pairs = labelled(
            done,
            args.seed,
            FIRST_ID,
            lambda bundles: list(pool.map(partial(read_bundle, seed=args.seed), bundles)),
        )
    reader = " ".join(version.splitlines()[0].split()[:2])
    docs = [row if row["noise"] == "digital" else row | {"reader": reader} for row in docs]
    write(args.out, docs, pairs)
    read_count = sum("reader" in row for row in docs)
    print(f"{len(docs)} documents, {read_count} of them read by {reader}, {len(pairs)} pairs")
    return 0
