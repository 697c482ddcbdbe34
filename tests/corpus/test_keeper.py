"""Which of two copies is suggested to be kept, on generated pairs whose better side is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO

import pytest
from pydantic import SecretStr

from dedupe_core.model import Relation
from hook.findings.findings import Finding
from hook.findings.keeper import Files, Ours, suggest
from hook.findings.origin import PDF, Origins
from hook.paperless.client import Paperless
from hook.paperless.http import ApiTransport
from hook.paperless.values import RawDocument
from scripts.corpus.generate import TEMPLATES, corpus
from scripts.corpus.template import load
from scripts.evaluation.keeper import Pair, known, score
from tests.hook.findings.test_origin import PAGE, stream
from tests.live.pdf import text_pdf

BETTER, WORSE = 1, 2
PICTURE = b"%PDF-1.4\n" + stream(PAGE, b"pixels")


@dataclass(frozen=True)
class Judged:
    pair: Pair
    readable: float


@pytest.fixture(scope="module")
def judged() -> list[Judged]:
    """Digital against scan, and light against heavy noise; the texts of all are compared once."""
    pairs = known(*corpus(load(TEMPLATES), 900, 11))
    wanted = [p for p in pairs if p.better["noise"] == "digital" or p.name == "light / heavy"]
    return [Judged(pair, score(pair)) for pair in wanted]


class Originals(Paperless):
    """A Paperless that has the original files, and nothing else."""

    def __init__(self, files: dict[int, bytes]) -> None:
        super().__init__(ApiTransport("http://127.0.0.1:9", SecretStr("none")))
        self._files = files

    def download_original(self, document_id: int, file: IO[bytes], *, limit_bytes: int = 0) -> int:
        return file.write(self._files[document_id])


def suggested(judged: Judged, version: str, *, scan_is_subject: bool) -> int:
    """BETTER or WORSE. 2.20 has an archive file of both; 3 of what it had to OCR. The scan came first, and is filed."""
    sides = {BETTER: judged.pair.better, WORSE: judged.pair.worse}
    is_scan = {number: row["noise"] != "digital" for number, row in sides.items()}
    filed = {"archive_serial_number": 7, "correspondent": 3, "added": "2020-01-01"}
    documents = {
        number: RawDocument(
            number,
            mime_type=PDF,
            has_archive=version == "2" or is_scan[number],
            **(filed if number == WORSE else {"added": "2024-01-01"}),
        )
        for number in sides
    }
    files = {n: PICTURE if is_scan[n] else text_pdf(row["content"]) for n, row in sides.items()}
    subject, other = (documents[n] for n in ((WORSE, BETTER) if scan_is_subject else (BETTER, WORSE)))
    readable = -judged.readable if scan_is_subject else judged.readable
    with Originals(files) as client:
        found = Files(Origins(client).digital(subject, other), readable)
    return suggest(Finding(other.id, Relation.RESCAN, 1.0), subject, other, Ours(), found).keeper


@pytest.mark.parametrize("version", ["2", "3"])
@pytest.mark.parametrize("scan_is_subject", [True, False])
def test_nine_of_ten_suggestions_are_right(judged: list[Judged], version: str, scan_is_subject: bool) -> None:
    """Though the worse one came first and has an ASN and a correspondent, which decide if the texts read alike."""
    right = [suggested(one, version, scan_is_subject=scan_is_subject) == BETTER for one in judged]
    assert len(right) > 150
    assert sum(right) >= 0.9 * len(right)


@pytest.mark.parametrize("version", ["2", "3"])
def test_never_a_scan_over_its_digital_original(judged: list[Judged], version: str) -> None:
    """Whatever the texts say: of many light scans, the reading is as good as the original."""
    digital = [one for one in judged if one.pair.better["noise"] == "digital"]
    assert sum(one.readable <= 0 for one in digital) > 20
    assert all(suggested(one, version, scan_is_subject=True) == BETTER for one in digital)


def test_a_heavily_degraded_scan_is_known_by_its_text(judged: list[Judged]) -> None:
    """Where nothing but the texts can tell: four of five. Postcodes, IBANs and paragraph signs count for nobody."""
    light = [one for one in judged if one.pair.name == "light / heavy"]
    assert len(light) > 30
    assert sum(one.readable > 0 for one in light) >= 0.75 * len(light)
