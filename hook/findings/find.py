"""Finds the documents that overlap a given one, and describes each in plain values."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from dedupe_core.explain.words import reason
from dedupe_core.fingerprint.query import Ask
from dedupe_core.model import Document, Fingerprint, Verdict
from hook.errors import DedupeError
from hook.examination.archive import Archive
from hook.examination.overlap import Match, Question
from hook.findings.plan import may_show
from hook.settings.model import Settings

if TYPE_CHECKING:
    from hook.semantic.tier import SemanticTier

SCHEMA: Final = 1
OVERLAP: Final = 20
SHOWN: Final = 50
NOT_IN_PAPERLESS: Final = -1  # the id of a text from a file


class BadQuestion(DedupeError):
    """A query that is not understood."""

    exit_code = 2


def asked(overlap: int, ask: Ask) -> Question:
    if not 1 <= overlap <= 100:
        raise BadQuestion(f"the overlap must be a percentage from 1 to 100, not {overlap}")
    return Question(overlap / 100, ask)


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
    matches = archive.overlapping(given, question, visible=visible)
    shown = matches[:limit]
    verdicts = archive.verdicts_on(given, [match.fingerprint.id for match in shown])
    by_id = {verdict.other: verdict for verdict in verdicts}
    lines = [_line(match, by_id.get(match.fingerprint.id), settings) for match in shown]
    summary = {
        "document": number,
        "ask": question.ask.value,
        "overlap": round(100 * question.overlap),
        "found": len(matches),
        "shown": len(shown),
    }
    return {"found": lines, "summary": summary}


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
