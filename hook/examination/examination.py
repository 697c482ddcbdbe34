"""What a document turns into when it is examined: a record with its keys, then verdicts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from dedupe_core.model import Fingerprint, Verdict
from hook.examination.codec import decode
from hook.index.interface import Keys

KeysByKind = tuple[Keys, Keys, Keys, Keys]  # exact, fact, band, part


@dataclass(frozen=True, slots=True)
class Reading:
    """A document as it is stored."""

    id: int
    owner: int | None
    record: bytes
    keys: KeysByKind


@dataclass(frozen=True)
class Examination:
    """`before` is the record that the index had of the document, if any. Records are decoded when they are asked for."""

    record: bytes
    verdicts: tuple[Verdict, ...]
    before: bytes | None
    decoded: Callable[[bytes], Fingerprint] = field(default=decode, repr=False, compare=False)

    @cached_property
    def fingerprint(self) -> Fingerprint:
        return self.decoded(self.record)

    @cached_property
    def known(self) -> Fingerprint | None:
        return None if self.before is None else self.decoded(self.before)

    @property
    def changed(self) -> bool:
        """The document is new, or its text or its file is not what the index had."""
        return self.known is None or (self.known.content_hash, self.known.checksum) != (
            self.fingerprint.content_hash,
            self.fingerprint.checksum,
        )
