"""What a plain text ratio, as in Paperless's `document_fuzzy_match`, says of labelled pairs: for docs/comparison.md.

    python -m scripts.evaluation fuzzy-match DOCS.jsonl PAIRS.jsonl [--ratio 85]

Files as for `accuracy`. Two texts are compared in lower case without punctuation, by rapidfuzz's normalised
Indel ratio from 0 to 100; a pair that reaches the ratio counts as reported. Only labelled pairs are compared.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from rapidfuzz import fuzz, utils

from scripts.subcommands import make_parser

LABELS = {"duplicate": "duplicates found", "template_sibling": "sibling false alarms"}


def texts(path: Path) -> dict[int, str]:
    with path.open(encoding="utf-8") as lines:
        rows = map(json.loads, lines)
        return {row["id"]: utils.default_process(row["content"]) for row in rows}


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("docs", type=Path)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--ratio", type=float, default=85.0, help="as in Paperless's command (default: 85)")
    args = parser.parse_args()
    contents = texts(args.docs)
    reported, labelled = Counter[str](), Counter[str]()
    with args.pairs.open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            labelled[row["label"]] += 1
            ratio = fuzz.ratio(contents[row["a"]], contents[row["b"]], score_cutoff=args.ratio)
            reported[row["label"]] += ratio >= args.ratio
    for label, name in LABELS.items():
        part, whole = reported[label], labelled[label]
        print(f"{name}: {part / max(whole, 1):.3f} ({part}/{whole})")
    return 0
