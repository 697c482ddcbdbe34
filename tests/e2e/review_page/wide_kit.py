"""A large archive of findings, stored without being judged: made-up letters in pairs, in the fake and in the index."""

from __future__ import annotations

import random
from dataclasses import replace

from dedupe_core.model import Field, Relation, Statement, StatementKind
from hook.findings.examine import document_of
from hook.findings.findings import Finding, Findings, Record
from hook.paperless.values import RawDocument
from hook.session import open_archive, settings_of
from tests.e2e.archive_kit import Desk
from tests.live.texts import Texts

_SAID = (
    Statement(StatementKind.SAME_PAPER),
    Statement(StatementKind.AGREES, Field.DATE, counts=(3,)),
    Statement(StatementKind.OCR_DIFFERENCES, counts=(7,)),
)


def many_findings(desk: Desk, pairs: int, *, picture_bytes: int = 0) -> None:
    """Each second document is a rescan of the one before."""
    texts, chance = Texts(3), random.Random(5)
    numbers = []
    for place in range(pairs):
        text = texts.letter()
        both = (text, texts.scanned_again(text))
        numbers.append(
            tuple(desk.fake.add_document(one, f"Letter {place}", added="2025-01-01T10:00:00") for one in both)
        )
    if picture_bytes:
        desk.fake.options.picture = b"\x89PNG\r\n\x1a\n" + chance.randbytes(picture_bytes)
    desk.run("setup")
    tags = {desk.fake.tag_id(name) for name in ("dedupe:review", "dedupe:rescan")}
    with open_archive(settings_of(desk.environ())) as archive:
        records = []
        for place, (one, two) in enumerate(numbers):
            desk.fake.tag(two, "dedupe:rescan")
            finding = Finding(one, Relation.RESCAN, round(0.7 + 0.0003 * (place % 999), 4), _SAID, keeper=one)
            records.append(Record(two, (finding,), tagged=frozenset((two, tag) for tag in tags)))
        Findings(archive.index).put(records)
        with archive.batch():
            for number in (number for pair in numbers for number in pair):
                shown = desk.fake.document(number)
                raw = replace(RawDocument(number), content=shown.content, title=shown.title)
                archive.remember(archive.fingerprint(document_of(raw)))
