"""Makes the vectors that are missing, document by document: each is stored at once, so a killed run continues."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import TYPE_CHECKING, Final

from hook.backfill.pending_work import PendingWork
from hook.backfill.report import Report
from hook.errors import EmbeddingError

if TYPE_CHECKING:
    from hook.semantic.tier import SemanticTier

SYNC_LIMIT: Final = (
    200  # vectors made by one sync: a minute; the first 40,000 are for `backfill --embeddings`
)
_FAILURES_IN_A_ROW: Final = 3  # then the server or the model is at fault, not the document


def embed_missing(
    tier: SemanticTier,
    pending: PendingWork,
    report: Report,
    limit: int | None,
    warn: Callable[[str], None],
) -> int:
    """How many were made. A document that cannot be embedded is reported and left for the next run."""
    if tier.start_anew_if_other_model():
        warn(f"the vectors in the index were of another model and are made again with {tier.vectors.model}")
    made = failures = 0
    for found in islice(tier.missing(), limit):
        try:
            tier.vector_of(found)
        except EmbeddingError as error:
            report.skip(found.id, "not embedded", str(error))
            failures += 1
            if failures >= _FAILURES_IN_A_ROW:
                break
            continue
        failures, made = 0, made + 1
        pending.add_examinations([found.id])
    return made
