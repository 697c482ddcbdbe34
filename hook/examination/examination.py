"""The result of examining one document."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from dedupe_core.model import Fingerprint, Verdict
from hook.examination.codec import decode


@dataclass(frozen=True, eq=False)
class Examination:
    """`known` is what the index had of the document before, if anything."""

    read: Fingerprint | bytes  # or its record, which is decoded when it is asked for
    verdicts: tuple[Verdict, ...]
    known: Fingerprint | None

    @cached_property
    def fingerprint(self) -> Fingerprint:
        return decode(self.read) if isinstance(self.read, bytes) else self.read

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Examination):
            return NotImplemented
        mine, others = ((one.fingerprint, one.verdicts, one.known) for one in (self, other))
        return mine == others

    __hash__ = None  # type: ignore[assignment]

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
