"""One template filled in thousands of times: what a query costs then, and whether a second scan of one of the oldest is
still found.

    python -m scripts.benchmarks family [--sizes 3000,30000]
"""

from __future__ import annotations

import random
import tempfile
import time
from pathlib import Path

from dedupe_core.compare.view import view
from dedupe_core.model import Document
from scripts.benchmarks.stores import opened
from scripts.subcommands import make_parser
from scripts.tables import table

BATCH, ASKED = 200, 20
FORM = (
    "Stadtwerke Musterstadt GmbH Abrechnung Ihres Verbrauchs Kundennummer {customer} Rechnung Nr. RE-{number:08} vom "
    "{day:02}.{month:02}.2024 Zaehlernummer {meter} Verbrauch {used} kWh Arbeitspreis 0,31 EUR Grundpreis 9,90 EUR Summe "
    "{euros},{cents:02} EUR Bitte ueberweisen Sie den Betrag innerhalb von vierzehn Tagen auf unser Konto Bei Fragen "
    "erreichen Sie unseren Kundendienst montags bis freitags Mit freundlichen Gruessen Ihre Stadtwerke Musterstadt"
)


def letter(number: int) -> Document:
    of = random.Random(number)
    return Document(
        number,
        FORM.format(
            customer=of.randrange(10**6, 10**7), number=of.randrange(10**8), day=of.randrange(1, 29),
            month=of.randrange(1, 13), meter=of.randrange(10**7, 10**8), used=of.randrange(900, 9000),
            euros=of.randrange(40, 900), cents=of.randrange(100),
        ),
    )  # fmt: skip


def again(number: int, new: int) -> Document:
    """The same letter scanned again, with misread letters; the numbers are read well."""
    return Document(
        new, letter(number).content.replace("Kundendienst", "Kundendlenst").replace("innerhalb", "1nnerhaib")
    )


def measured(sizes: list[int]) -> str:
    rows, done = [], 0
    with tempfile.TemporaryDirectory() as directory:
        place = Path(directory) / "index"
        for size in sizes:
            _fill(place, range(done, size))
            rows.append(_row(place, size))
            done = size
    return table(
        ["letters of one template", "query and verdict, CPU ms", "twins found", "bytes a document"], rows
    )


def _fill(place: Path, numbers: range) -> None:
    with opened(place, None) as archive:
        for start in range(numbers.start, numbers.stop, BATCH):
            with archive.batch():
                for number in range(start, min(start + BATCH, numbers.stop)):
                    archive.remember(archive.fingerprint(letter(number)))


def _row(place: Path, size: int) -> list[str]:
    with opened(place, None) as archive:
        asked = [archive.fingerprint(again(number, 10**7 + number)) for number in range(ASKED)]
        began, found = time.process_time(), 0
        for number, subject in enumerate(asked):
            verdicts = archive.judging.judge(view(subject), archive.neighbours(subject))
            found += any(verdict.flagged and verdict.other == number for verdict in verdicts)
        ms = 1000 * (time.process_time() - began) / ASKED
    stored = sum(path.stat().st_size for path in place.iterdir())
    return [f"{size:,}", f"{ms:.1f}", f"{found} of {ASKED}", f"{stored / size:,.0f}"]


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("--sizes", default="3000,30000", help="rising, with commas (default: %(default)s)")
    print(measured([int(size) for size in parser.parse_args().sizes.split(",")]))
    return 0
