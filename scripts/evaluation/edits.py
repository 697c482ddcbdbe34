"""Does the product notice one edit? Papers with one edit each, and merely misread copies, through the whole product.

    python -m scripts.evaluation edits [--seeds N] [--rendered N [--cache DIR]]

The texts are those of scripts/corpus/held_out: contracts and letters in six languages, which nothing is fitted to. Each
is edited in one place (a sentence added or removed, "not" inserted, a number word, an amount, a name, an account number,
a party, the signature, a clause moved) and read with 0, 0.3 and 1% of its characters misread, at the confusions of
scripts/corpus/noise_table.json. Misread copies without an edit are the control. The original is in the index, among
siblings and unrelated papers, when the copy arrives.

--rendered N prints N of the originals, edits and copies as pages, worsens the images and reads them with tesseract, in
place of the simulated noise. It needs Pillow, numpy, tesseract with the language data, and DejaVu or Liberation fonts.
"""

from __future__ import annotations

import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import count, zip_longest
from pathlib import Path

from dedupe_core.model import Document, Relation
from hook.examination.archive import Archive
from scripts.archives import stored
from scripts.corpus import layout
from scripts.corpus.generate import TEMPLATES
from scripts.corpus.layout import Layout
from scripts.corpus.noise import misread_exactly
from scripts.corpus.sender import Sender, moved
from scripts.corpus.template import Filler, Place, Template, edited, edits_of, load
from scripts.subcommands import make_parser

HELD_OUT = Path(__file__).parents[1] / "corpus" / "held_out"
EDITS = {
    "add": "sentence added", "remove": "sentence removed", "not": '"not" inserted or removed', "number": "number word",
    "amount": "amount", "name": "name", "account": "account number", "tenant": "party (tenant, buyer)",
    "sign": "signature block", "moved": "clause moved",
}  # fmt: skip
EVERYWHERE = ("tenant", "account")  # these change in all places at once
EDIT_RATES = (0.0, 0.003, 0.01)
COPY_RATES = (0.003, 0.01, 0.02)
COPIES = 3  # misread copies of an original at each rate
RENDERED_COPIES = 4
SAME = (Relation.IDENTICAL, Relation.RESCAN)
OUTCOMES = ("same", "same, a doubt", "revision", "other", "not reported")


@dataclass(frozen=True, slots=True)
class Case:
    """A copy and its original: which edit it has (none: `copy`) and how much of it is misread."""

    original: int
    edit: str
    rate: float
    lang: str
    text: str


def originals(templates: Iterable[Template], seeds: int) -> Iterator[tuple[Template, Place]]:
    for template in templates:
        for seed in range(seeds):
            yield template, Place(1000 + seed, seed)


def page(text: str, look: Layout) -> str:
    return "\n".join(layout.digital(layout.printed(text, look), look))


def edits(text: str, rng: random.Random) -> Iterator[tuple[str, str]]:
    """Each single edit that a template allows: its kind and the text with it."""
    kinds = edits_of(text)
    for number, kind in enumerate(kinds):
        same = [at for at, one in enumerate(kinds) if one == kind]
        if kind in EDITS and (kind not in EVERYWHERE or number == same[0]):
            yield kind, edited(text, frozenset(same if kind in EVERYWHERE else [number]))
    plain = edited(text)
    if (other := moved(plain, rng, end=".")) != plain:  # addresses are moved by readers of columns, too
        yield "moved", other


def cases(template: Template, place: Place, number: int) -> tuple[str, list[Case]]:
    """The original and everything that is compared with it."""
    rng = random.Random(f"{template.name}/{place.seed}")
    look = replace(Layout.draw(rng), blank_lines=True)
    filler = Filler(template, place)
    worded = filler.wording(template.text)
    first = page(filler.fill(edited(worded)), look)
    found = []
    for kind, text in edits(worded, rng):
        later = page(filler.fill(text), look)
        found += [
            Case(number, kind, rate, template.lang, misread_exactly(later, rate, rng)) for rate in EDIT_RATES
        ]
    for rate in COPY_RATES:
        found += [
            Case(number, "copy", rate, template.lang, misread_exactly(first, rate, rng))
            for _ in range(COPIES)
        ]
    return first, found


def surroundings(templates: list[Template], numbers: Iterator[int]) -> Iterator[Document]:
    """Siblings of the originals, and unrelated papers of the corpus."""
    look = Layout.draw(random.Random(3))
    for template in templates:
        for seed in range(2):
            filler = Filler(template, Place(7, seed))
            yield Document(next(numbers), page(filler.fill(edited(filler.wording(template.text))), look))
    for template in load(TEMPLATES)[::4]:
        for scan in Sender(template, 0, 5).scans()[:3]:
            yield Document(next(numbers), scan.content)


def outcome(archive: Archive, case: Case, number: int) -> str:
    """What would be reported on a copy and its original."""
    for verdict in archive.examine(Document(number, case.text)).verdicts:
        if verdict.other == case.original and verdict.flagged:
            if verdict.relation in SAME:
                return "same, a doubt" if verdict.doubts else "same"
            return "revision" if verdict.relation is Relation.REVISION else "other"
    return "not reported"


Table = dict[tuple[str, float], Counter[str]]


def examined(
    archive: Archive, found: list[tuple[str, list[Case]]], numbers: Iterator[int]
) -> tuple[Table, Table]:
    """How often each edit (and copy) had each outcome, and the edits by language."""
    by_edit: Table = defaultdict(Counter)
    by_language: Table = defaultdict(Counter)
    with archive.batch():
        for text, all_cases in found:
            archive.remember(archive.fingerprint(Document(all_cases[0].original, text)))
    for _, all_cases in found:
        for case in all_cases:
            result = outcome(archive, case, next(numbers))
            by_edit[case.edit, case.rate][result] += 1
            by_language["copy" if case.edit == "copy" else "edited", 0.0][f"{case.lang} {result}"] += 1
    return by_edit, by_language


def drilled(found: list[tuple[str, list[Case]]], held_out: list[Template]) -> tuple[Table, Table]:
    numbers = count(100_000)
    with stored(surroundings(held_out, numbers)) as archive:
        return examined(archive, found, numbers)


def percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:5.1f}%" if whole else "     -"


def total(table: Table, edit: str | None, rate: float | None) -> Counter[str]:
    """Summed over all edits if none is named (copies are none), and over all rates."""
    found: Counter[str] = Counter()
    for (kind, at), counts in table.items():
        if (kind == edit or (edit is None and kind != "copy")) and rate in (None, at):
            found += counts
    return found


def print_table(table: Table) -> None:
    rates = sorted({rate for kind, rate in table if kind != "copy"})
    print(
        f"{'one edit':28} {'pairs':>6} "
        + " ".join(f"{name:>13}" for name in OUTCOMES)
        + "   the same without a doubt at "
        + ", ".join(f"{100 * rate:g}%" for rate in rates)
    )
    for kind, words in [*EDITS.items(), (None, "all edits")]:
        counts = total(table, kind, None)
        if not counts:
            continue
        row = " ".join(f"{counts[name]:5} {percent(counts[name], counts.total()):>7}" for name in OUTCOMES)
        split = "  ".join(
            percent(found["same"], found.total()) for found in (total(table, kind, rate) for rate in rates)
        )
        print(f"{words:28} {counts.total():6} {row}   {split}")
    print(f"\n{'misread copies':28} {'pairs':>6} " + " ".join(f"{name:>13}" for name in OUTCOMES))
    for rate in [*sorted({rate for kind, rate in table if kind == "copy"}), None]:
        counts = total(table, "copy", rate)
        row = " ".join(f"{counts[name]:5} {percent(counts[name], counts.total()):>7}" for name in OUTCOMES)
        print(
            f"{'all' if rate is None else f'{100 * rate:g}% misread' if rate else 'read by OCR':28} {counts.total():6} {row}"
        )


def print_languages(table: Table, languages: list[str]) -> None:
    print(f"\n{'language':28} edits called the same without a doubt   copies called the same")
    for lang in languages:
        cells = []
        for kind in ("edited", "copy"):
            counts = table[kind, 0.0]
            whole = sum(number for name, number in counts.items() if name.startswith(lang + " "))
            doubted = counts[f"{lang} same, a doubt"] if kind == "copy" else 0
            cells.append(percent(counts[f"{lang} same"] + doubted, whole))
        print(f"{lang:28} {cells[0]:>37}   {cells[1]:>22}")


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("--seeds", type=int, default=2, help="how often each text is filled in (default: 2)")
    parser.add_argument(
        "--rendered", type=int, default=0, metavar="N", help="also print and read N originals with tesseract"
    )
    parser.add_argument(
        "--cache", type=Path, metavar="DIR", help="keep what tesseract read here, for the next run"
    )
    args = parser.parse_args()
    held_out = load(HELD_OUT)
    found = [
        cases(template, place, number)
        for number, (template, place) in enumerate(originals(held_out, args.seeds), 1)
    ]
    tables = {"simulated": drilled(found, held_out)}
    if args.rendered:
        from scripts.corpus.render import ToolMissing

        try:
            tables["rendered"] = drilled(
                [rendered(*one, args.cache) for one in some(found, args.rendered)], held_out
            )
        except ToolMissing as error:
            print(f"drill_edits: {error}", file=sys.stderr)
            return 2
    for name, (table, by_language) in tables.items():
        print(f"\n{name} noise" if len(tables) > 1 else "")
        print_table(table)
        print_languages(by_language, sorted({template.lang for template in held_out}))
    return 0


def rendered(original: str, all_cases: list[Case], cache: Path | None) -> tuple[str, list[Case]]:
    """The original, its edits and two copies of it, each printed in one typeface and read by tesseract."""
    from scripts.corpus.render import Face, faces, scanned

    lang = all_cases[0].lang
    rng = random.Random(f"{lang}/{all_cases[0].original}")
    face = Face.draw(faces(), rng)
    edits_made = [case for case in all_cases if case.edit != "copy" and not case.rate]
    copies = [replace(case, rate=0.0, text=original) for case in all_cases if case.edit == "copy"][
        :RENDERED_COPIES
    ]
    read = [replace(case, text=scanned(case.text, lang, face, rng, cache)) for case in edits_made + copies]
    return scanned(original, lang, face, rng, cache), read


def some(found: list[tuple[str, list[Case]]], number: int) -> list[tuple[str, list[Case]]]:
    """So many, from all languages in turn."""
    by_language: dict[str, list[tuple[str, list[Case]]]] = defaultdict(list)
    for one in found:
        by_language[one[1][0].lang].append(one)
    turns = zip_longest(*by_language.values())
    return [one for turn in turns for one in turn if one is not None][:number]
