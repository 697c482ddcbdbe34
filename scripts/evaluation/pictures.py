"""How often two scans of a page without text are found to look the same, and how often two different ones.

    python -m scripts.evaluation pictures [--seed N] [--pictures N]

Pictures are made: photos (soft shapes), drawings (lines and circles) and handwriting (scrawls on lines), each scanned twice
on a flatbed at several noises, and photographed.
"""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from hook.ink.pages.page import Pixels
from hook.ink.pictures.compare import CANDIDATE_BITS, LOOKS_THE_SAME, alike, perceptual_hash, reduced
from scripts.pages.scanning import drawn, worsened
from scripts.subcommands import make_parser

SIZE = (827, 1169)  # A4 at 100 dpi
KINDS = ("photo", "drawing", "handwriting")
SCANS = ("light", "medium", "heavy", "photo")


def picture(kind: str, rng: random.Random) -> Any:
    image = Image.new("L", SIZE, 255)
    pen = ImageDraw.Draw(image)
    if kind == "photo":
        for _ in range(rng.randint(12, 30)):
            x, y, size = rng.randrange(SIZE[0]), rng.randrange(SIZE[1]), rng.randint(60, 350)
            pen.ellipse((x - size, y - size // 2, x + size, y + size // 2), fill=rng.randrange(256))
        return image.filter(ImageFilter.GaussianBlur(rng.choice((4, 12, 25))))
    if kind == "drawing":
        for _ in range(rng.randint(10, 40)):
            ends = [
                (rng.randint(80, SIZE[0] - 80), rng.randint(80, SIZE[1] - 80))
                for _ in range(rng.randint(2, 4))
            ]
            pen.line(ends, fill=rng.randrange(90), width=rng.choice((2, 3, 5)))
        return image
    for top in range(120, rng.randint(500, 1050), rng.randint(38, 60)):
        scrawl = [(90.0, float(top))]
        while scrawl[-1][0] < rng.randint(400, SIZE[0] - 90):
            scrawl.append((scrawl[-1][0] + rng.uniform(-3, 9), top + rng.uniform(-16, 12)))
        pen.line(scrawl, fill=rng.randrange(100), width=2)
    return image


def pixels(image: Any) -> Pixels:
    grey = image.convert("L")
    return Pixels(grey.width, grey.height, grey.width, 1.0, grey.tobytes())


def scanned(made: list[Any], level: str, seed: str) -> list[Pixels]:
    rngs = [random.Random(f"{seed}/{n}") for n in range(len(made))]
    return [pixels(worsened(one, drawn(level, rng), rng)[0]) for one, rng in zip(made, rngs, strict=True)]


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pictures", type=int, default=20, help="of each kind")
    args = parser.parse_args()
    print(
        "| kind | scan | the same, within 10 bits | and looks the same | likeness, lowest / median |\n|---|---|---|---|---|"
    )
    for kind in KINDS:
        made = [picture(kind, random.Random(f"{args.seed}/{kind}/{n}")) for n in range(args.pictures)]
        scans = {level: scanned(made, level, f"{args.seed}/{level}") for level in SCANS}
        first = scanned(made, "light", f"{args.seed}/first")
        for level in SCANS:
            _report(kind, level, list(zip(first, scans[level], strict=True)))
        others = [(first[a], scans["medium"][b]) for a, b in combinations(range(len(made)), 2)]
        _report(kind, "another picture", others)
    return 0


def _report(kind: str, name: str, pairs: list[tuple[Pixels, Pixels]]) -> None:
    near = [
        (one, other)
        for one, other in pairs
        if (perceptual_hash(one) ^ perceptual_hash(other)).bit_count() <= CANDIDATE_BITS
    ]
    scores = sorted(alike(*map(reduced, pair)) for pair in pairs[:80])
    confirmed = sum(alike(*map(reduced, pair)) >= LOOKS_THE_SAME for pair in near)
    edge = f"{scores[0]:.2f} / {np.median(scores):.2f}, highest {scores[-1]:.2f}"
    print(f"| {kind} | {name} | {len(near)} of {len(pairs)} | {confirmed} | {edge} |", flush=True)
