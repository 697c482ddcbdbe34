"""Finds the documents that overlap a given one, and describes each in plain values."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from dedupe_core.explain.words import reason
from dedupe_core.fingerprint.query import Ask
from dedupe_core.model import Document, Fingerprint, Verdict
from hook.errors import DedupeError
from hook.examination.overlap import Answer, Match, Question
from hook.findings.plan import may_show
from hook.index.ids import MAX_ID

if TYPE_CHECKING:
    from hook.examination.archive import Archive
    from hook.semantic.tier import SemanticTier
    from hook.settings.model import Settings

SCHEMA: Final = 1
OVERLAP: Final = 20
SHOWN: Final = 50
NOT_IN_PAPERLESS: Final = -1  # the id of a text from a file
_SPELLING: Final = re.compile(
    r"(?:FINGERPRINT:)?(\d{1,10})(?:_(\d{1,3}))?(?:_(\d{1,3}))?", re.IGNORECASE | re.ASCII
)


class BadQuestion(DedupeError):
    """A query that is not understood."""

    exit_code = 2


def asked(
    spelling: str | None, overlap: int | None, probability: int | None, ask: Ask = Ask.OVERLAPPING
) -> tuple[int | None, Question]:
    """The document id and the question. A value in the spelling overrides the option; 100% means all."""
    number = None
    if spelling is not None:
        match = _SPELLING.fullmatch(spelling.strip())
        if match is None:
            raise BadQuestion("not a document id: write 12, or FINGERPRINT:12_20_80")
        number = int(match[1])
        if number > MAX_ID:
            raise BadQuestion(f"not a document id: the highest is {MAX_ID}")
        overlap = int(match[2]) if match[2] else overlap
        probability = int(match[3]) if match[3] else probability
    overlap = OVERLAP if overlap is None else overlap
    for name, value in (("overlap", overlap), ("probability", probability)):
        if value is not None and not 1 <= value <= 100:
            raise BadQuestion(f"the {name} must be a percentage from 1 to 100, not {value}")
    return number, Question(overlap / 100, None if probability in (None, 100) else probability / 100, ask)


def find(
    archive: Archive,
    settings: Settings,
    number: int | None,
    question: Question,
    *,
    text: str | None = None,
    limit: int = SHOWN,
) -> dict[str, Any]:
    """What the command prints and the service answers: {"found": [...], "summary": {...}}."""
    given, visible = _given(archive, settings, number, text)
    answer = archive.overlapping(given, question, visible=visible)
    shown = answer.matches[:limit]
    verdicts = archive.verdicts_on(given, [match.fingerprint.id for match in shown])
    by_id = {verdict.other: verdict for verdict in verdicts}
    lines = [_line(match, by_id.get(match.fingerprint.id), settings) for match in shown]
    return {"found": lines, "summary": _summary(number, question, answer, len(shown))}


def find_by_meaning(
    archive: Archive,
    settings: Settings,
    tier: SemanticTier,
    number: int | None,
    *,
    text: str | None = None,
    limit: int,
) -> list[dict[str, Any]]:
    """The documents nearest in meaning with their cosine: for information, nothing is concluded from it."""
    given, visible = _given(archive, settings, number, text)
    nearest = tier.nearest(given, limit, visible)
    verdicts = archive.verdicts_on(given, [other.id for _, other in nearest])
    relations = {verdict.other: verdict.relation.value for verdict in verdicts}
    return [
        {**_named(other, settings), "cosine": near.cosine, "relation": relations.get(other.id)}
        for near, other in nearest
    ]


def _given(
    archive: Archive, settings: Settings, number: int | None, text: str | None
) -> tuple[Fingerprint, Callable[[int | None], bool]]:
    """What is looked for, and whose documents may be shown beside it."""
    if number is None:
        return archive.fingerprint(Document(NOT_IN_PAPERLESS, text or "")), lambda owner: True
    given = archive.known(number)
    return given, lambda owner: may_show(settings.scope, given.owner, owner)


def _named(other: Fingerprint, settings: Settings) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "id": other.id,
        "title": other.title,
        "url": settings.document_url(other.id),
    }


def _line(match: Match, verdict: Verdict | None, settings: Settings) -> dict[str, Any]:
    overlap = match.overlap
    return {
        **_named(match.fingerprint, settings),
        "similarity": round(overlap.similarity, 4),
        "contained": round(overlap.of_given, 4),
        "contains": round(overlap.of_other, 4),
        "counted": overlap.counted,
        "relation": verdict.relation.value if verdict else None,
        "confidence": verdict.confidence if verdict else None,
        "reason": reason(verdict.statements) if verdict else "",
    }


def _summary(number: int | None, question: Question, answer: Answer, shown: int) -> dict[str, Any]:
    return {
        "document": number,
        "ask": question.ask.value,
        "overlap": round(100 * question.overlap),
        "probability": None if question.probability is None else round(100 * question.probability),
        "promise": round(answer.promise, 3),
        "found": len(answer.matches),
        "shown": shown,
        "read": {name: value for name, value in asdict(answer.read).items() if name != "full"},
    }
