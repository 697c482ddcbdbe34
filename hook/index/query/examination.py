"""The result of examining one document."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from dedupe_core.model import Fingerprint, Verdict


@dataclass(frozen=True, slots=True)
class Examination:
    """`known` is what the index had of the document before, if anything."""

    fingerprint: Fingerprint
    verdicts: tuple[Verdict, ...]
    known: Fingerprint | None

    @property
    def changed(self) -> bool:
        """The document is new, or its text or its file is not what the index had."""
        return self.known is None or (self.known.content_hash, self.known.checksum) != (
            self.fingerprint.content_hash,
            self.fingerprint.checksum,
        )


def with_others(found: Sequence[Verdict], compared: Iterable[Verdict]) -> list[Verdict]:
    """Also what a first look tells apart, compared in full. What is reported is the same as without it."""
    reported = {verdict.other: verdict for verdict in found if verdict.flagged}
    joined = [reported.pop(verdict.other, replace(verdict, flagged=False)) for verdict in compared]
    return [*joined, *reported.values()]
