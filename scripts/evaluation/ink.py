"""How often the verdict of the ink is right: papers printed, scanned at several noises, read by tesseract, compared.

    python -m scripts.evaluation ink [--seed N] [--papers N] [--jobs N] [--pages DIR] [--json FILE]

Needs tesseract with eng, deu and fra. A place is truly different if a word that was printed otherwise on the two papers
is under its box; that is known from the printing, not from the text. `--pages` keeps the pages for the next run. 50 papers are
about 210 pairs, and take about 10 minutes, most of it for OCR.
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from dedupe_core.compare.differences import differences
from dedupe_core.compare.doubts import doubtful
from dedupe_core.compare.ledger import Difference, Ledger
from dedupe_core.compare.places import Kind
from dedupe_core.compare.printed import read_printed
from dedupe_core.text.normalise import printed
from hook.ink.located import locate
from hook.ink.look import Ink, Look, look
from hook.ink.pages.paper import CannotLook, Paper
from hook.ink.second_reading import second_reading
from hook.review.same_text.differences import read_words, text_differences
from scripts.pages.cases import Case, Pair, case_of, pairs
from scripts.pages.truth import SECONDS, Truth
from scripts.subcommands import make_parser
from scripts.tables import table

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Trashed:
    """Whether a pair could go to the trash without a question."""

    kind: str
    by_text: bool
    by_ink: bool


@dataclass(frozen=True, slots=True)
class Cost:
    """CPU seconds of a pair: comparing, reading a second time with tesseract, and the processes that open the files."""

    compare_s: float
    reread_s: float
    open_s: float


@dataclass(frozen=True, slots=True)
class Measured:
    """A row for each place; whether the pair could go to the trash by itself, None if tesseract read nothing of a side."""

    rows: list[Row]
    trashed: Trashed | None
    cost: Cost | None = None
    peak_mib: tuple[int, int] = (0, 0)  # of this process so far, and of the largest that opens files


def measured(pair: Pair, pages: Path) -> Measured:
    case = case_of(pair, pages)
    texts = case.left.content, case.right.content
    if not all(one.strip() for one in texts):
        return Measured([], None)
    ledger = differences(*(read_printed(printed(one)) for one in texts))
    asked = [one for one in ledger.differences if one.kind is not Kind.MOVED]
    doubts, truth, found = set(doubtful(ledger)), Truth(case), text_differences(*texts)
    try:
        with (
            Paper(case.left.pdf, seconds=SECONDS) as left,
            Paper(case.right.pdf, seconds=SECONDS) as right,
        ):
            spots = locate(ledger.left.keys, left.pages), locate(ledger.right.keys, right.pages)
            words = ledger.left.words, ledger.right.words
            before = _cpu_s()
            again = second_reading(SECONDS)
            looks = look(*words, [one.span for one in asked], left, right, again, SECONDS)
            looked = _cpu_s()
            here, there = (read_words(one).words for one in texts)
            spans = [one.span for one in found]
            inks = [one.ink for one in look(here, there, spans, left, right, again, SECONDS)]
            open_s = _cpu_s()[1]
    except CannotLook as error:
        print(f"{case.name}: {error}", file=sys.stderr)
        return Measured([], Trashed(case.kind, not found, not found))
    cost = Cost(looked[0] - before[0], looked[1] - before[1], _cpu_s()[1] - open_s)
    rows = [
        _row(case, ledger, one, seen, truth.differs(one.span, *spots), one in doubts)
        for one, seen in zip(asked, looks, strict=True)
    ]
    trashed = Trashed(case.kind, not found, set(inks) <= {Ink.SAME})
    peak_mib = [
        resource.getrusage(who).ru_maxrss // 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    ]
    return Measured(rows, trashed, cost, (peak_mib[0], peak_mib[1]))


def _cpu_s() -> tuple[float, float]:
    """Of this process, and of its children that have ended."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    here, below = (one.ru_utime + one.ru_stime for one in used)
    return here, below


def _row(case: Case, ledger: Ledger, one: Difference, found: Look, differs: bool, is_doubt: bool) -> Row:
    sides = ledger.sides(one)
    return {
        "case": case.name, "kind": case.kind, "noise": case.noise, "sides": sides, "differs": differs, "ink": found.ink.value,
        "score": round(found.score, 3), "yardstick": round(found.yardstick, 3), "place": one.kind.value,
        "doubt": is_doubt,
        "digit": case.kind == "trap" and differs and any(map(str.isdigit, sides[0] + sides[1])),
    }  # fmt: skip


def called(rows: Sequence[Row], by: str) -> str:
    """As in the trial: truly different, and truly the same, each called different / same / open."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[row[by]].append(row)
    head = (by, *(f"truly {truth}: different / same / open" for truth in ("different", "the same")))
    return table(
        head, [(name, _called(some, True), _called(some, False)) for name, some in sorted(groups.items())]
    )


def _called(rows: Sequence[Row], differs: bool) -> str:
    found = Counter(row["ink"] for row in rows if row["differs"] is differs)
    return " / ".join(str(found[one]) for one in (Ink.DIFFERENT, Ink.SAME, Ink.OPEN))


def rates(rows: Sequence[Row]) -> Iterator[str]:
    count = Counter((row["ink"], row["differs"]) for row in rows)
    same, wrong = count[Ink.SAME, False], count[Ink.SAME, True]
    other, alarm = count[Ink.DIFFERENT, True], count[Ink.DIFFERENT, False]
    truly = sum(not row["differs"] for row in rows)
    yield f"same ink: right {same} of {same + wrong} ({_share(same, same + wrong)}), of the places that are the same {_share(same, truly)} found"
    yield f"different ink: right {other} of {other + alarm} ({_share(other, other + alarm)}), of the others {_share(other, len(rows) - truly)} found"
    trap = [row for row in rows if row["kind"] == "trap" and row["differs"]]
    for name, some in (("words", trap), ("of these with digits", [row for row in trap if row["digit"]])):
        yield f"trap, {name}: {len(some)}, called the same: {sum(row['ink'] == Ink.SAME for row in some)}"


def refusals(trashed: Sequence[Trashed]) -> Iterator[str]:
    """Of rescans that text alone refuses to move, and of papers that must never be moved."""
    copies = [one for one in trashed if one.kind == "rescan"]
    others = [one for one in trashed if one.kind != "rescan"]
    before, after = (sum(not getattr(one, name) for one in copies) for name in ("by_text", "by_ink"))
    yield f"trash: refused rescans {before} of {len(copies)} by text, {after} after looking"
    before, after = (sum(getattr(one, name) for one in others) for name in ("by_text", "by_ink"))
    yield f"trash: moved papers that are edited, of a mail merge or of the trap {before} of {len(others)} by text, {after} after looking"


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}%" if whole else "-"


def _keep(path: Path | None, rows: Sequence[Row]) -> None:
    if path:
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--papers", type=int, default=50)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--pages", type=Path, help="where pages are kept")
    parser.add_argument("--json", type=Path, help="write a row for each place")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as own, ProcessPoolExecutor(args.jobs) as pool:
        work = partial(measured, pages=args.pages or Path(own))
        found: list[Measured] = []
        for one in pool.map(work, pairs(args.seed, args.papers), chunksize=4):
            found.append(one)
            _keep(args.json, [row for pair in found for row in pair.rows])
    rows = [row for one in found for row in one.rows]
    trashed = [one.trashed for one in found if one.trashed]
    costs = [one.cost for one in found if one.cost]
    for by in ("noise", "kind"):
        print(called(rows, by), end="\n\n")
    print(
        f"{len(trashed)} pairs, {len(rows)} places; of {len(found) - len(trashed)} more, tesseract read nothing of a side"
    )
    print("\n".join(rates(rows)))
    print("\n".join(refusals(trashed)))
    print("only places that are doubts:")
    print("\n".join(rates([row for row in rows if row["doubt"]])))
    middle = [median(getattr(one, name) for one in costs) for name in ("compare_s", "reread_s", "open_s")]
    print(
        "CPU seconds a pair (median): {:.2f} to compare, {:.2f} to read again, {:.2f} to open the files".format(
            *middle
        )
    )
    peak = [max(one.peak_mib[side] for one in found) for side in (0, 1)]
    print(
        f"memory: at most {peak[0]} MiB here, printing and scanning included, {peak[1]} MiB in a process that opens a file or reads again"
    )
    return 0
