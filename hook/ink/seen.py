"""What was seen on the pages of a pair, kept in the index, and what follows for its verdict. Needs nothing of the extra.

Kept with the hashes of both texts and the relation: if one of them changes, nobody has looked yet. Of a part and its whole,
only the part was looked at.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from dedupe_core.model import Fingerprint, Relation, Statement, StatementKind, Verdict
from hook.examination.codec import read_json
from hook.index.ids import key_number, number_key

if TYPE_CHECKING:
    from hook.index.interface import DocumentIndex

NAMESPACE: Final = "ink"
PICTURES: Final = "pictures"
LOOKED_AT: Final = (Relation.RESCAN, Relation.CONTAINED)
_LOOKS_THE_SAME: Final = (Statement(StatementKind.LOOKS_THE_SAME),)
_SURE: Final = 0.9  # of two pictures; small changes cannot be seen


@dataclass(frozen=True, slots=True)
class Seen:
    """Counts of places. `words` are those of the first place whose print is different, the smaller document first.

    `reason` says why nobody could look.
    """

    same: int = 0
    different: int = 0
    open: int = 0
    words: Sequence[str] = ("", "")
    reason: str = ""

    @property
    def clears(self) -> bool:
        return bool(self.same) and not (self.different or self.open)

    def applied_to(self, verdict: Verdict) -> Verdict:
        """Same print at every doubt: no doubt is left. Different print: edited, whatever the text alone says; a part stays one."""
        if self.different:
            return _edited(verdict, self)
        if not self.clears:
            return verdict
        return replace(verdict, statements=(*_certain(verdict), Statement(StatementKind.SAME_PRINT)))


class SeenPairs:
    def __init__(self, index: DocumentIndex) -> None:
        self._index = index
        self._pairs = index.namespace(NAMESPACE)
        self.pictures = SeenPictures(index)

    def get(self, one: Fingerprint, two: Fingerprint, relation: Relation) -> Seen | None:
        """Of two documents with these texts; in either order."""
        key, hashes = _key_and_hashes(one, two)
        raw = self._pairs.get(key)
        known = read_json(raw, dict) if raw else {}
        if (known.pop("hashes", None), known.pop("relation", None)) != (hashes, relation):
            return None
        return Seen(**known)

    def put(self, one: Fingerprint, two: Fingerprint, relation: Relation, seen: Seen) -> None:
        key, hashes = _key_and_hashes(one, two)
        body = {"hashes": hashes, "relation": relation.value, **asdict(seen)}
        with self._index.batch(durable=True):
            self._pairs.put(key, _packed(body))

    def on(self, verdict: Verdict, subject: Fingerprint, other: Fingerprint) -> Verdict:
        """The verdict with what was seen on the pages of the two, if somebody has looked."""
        if pictured := self.pictures.verdicts(subject, {other.id: other}.get):
            return pictured[0]
        seen = self.get(subject, other, verdict.relation) if verdict.doubts else None
        return seen.applied_to(verdict) if seen else verdict


@dataclass(frozen=True, slots=True)
class SeenPicture:
    """`hash` of the first page, None if it could not be looked at; `same` are documents that look the same, and how much."""

    hash: int | None = None
    same: dict[int, float] = field(default_factory=dict)


class SeenPictures:
    """Of documents without text. Kept with the checksum of the file, where Paperless says it."""

    def __init__(self, index: DocumentIndex) -> None:
        self._index = index
        self._pictures = index.namespace(PICTURES)

    def get(self, document: Fingerprint) -> SeenPicture | None:
        raw = self._pictures.get(number_key(document.id))
        known = read_json(raw, dict) if raw else {}
        if not known or known.get("file") != document.checksum:
            return None
        same = {int(number): float(score) for number, score in known.get("same", {}).items()}
        return SeenPicture(int(known["hash"], 16) if known.get("hash") else None, same)

    def put(self, document: Fingerprint, seen: SeenPicture) -> None:
        written = "" if seen.hash is None else f"{seen.hash:x}"
        body = {"file": document.checksum, "hash": written, "same": seen.same}
        with self._index.batch(durable=True):
            self._pictures.put(number_key(document.id), _packed(body))

    def near(self, wanted: int, bits: int) -> list[int]:
        """Documents whose hash differs by at most so many bits, the nearest first."""
        found = []
        for key, raw in self._pictures.items():
            written = read_json(raw, dict).get("hash")
            if written and (apart := (int(written, 16) ^ wanted).bit_count()) <= bits:
                found.append((apart, key_number(key)))
        return [number for _, number in sorted(found)]

    def verdicts(self, subject: Fingerprint, known: Callable[[int], Fingerprint | None]) -> list[Verdict]:
        """What looks the same as this document, if neither has text that could be compared."""
        seen = self.get(subject) if is_without_text(subject) else None
        others = [other for number in (seen.same if seen else ()) if (other := known(number))]
        return [
            Verdict(
                subject.id, other.id, Relation.RESCAN, _SURE, flagged=True,
                statements=_LOOKS_THE_SAME,
            )
            for other in others
            if is_without_text(other) and self.get(other) is not None
        ]  # fmt: skip


def is_without_text(document: Fingerprint) -> bool:
    """True if it has too little text to be found by it."""
    return not document.signature


def _key_and_hashes(one: Fingerprint, two: Fingerprint) -> tuple[bytes, list[str]]:
    a, b = sorted((one, two), key=attrgetter("id"))
    return number_key(a.id) + number_key(b.id), [a.content_hash.hex(), b.content_hash.hex()]


def _packed(body: dict[str, Any]) -> bytes:
    return json.dumps(body, separators=(",", ":")).encode("ascii")


def _edited(verdict: Verdict, seen: Seen) -> Verdict:
    first, second = seen.words if verdict.subject < verdict.other else reversed(seen.words)
    seen_there = Statement(StatementKind.DIFFERENT_PRINT, sides=(first, second))
    if verdict.relation is Relation.CONTAINED:
        return replace(verdict, statements=(*_certain(verdict), seen_there))
    said = Statement(StatementKind.EDITED), seen_there
    return replace(verdict, relation=Relation.REVISION, statements=said)


def _certain(verdict: Verdict) -> tuple[Statement, ...]:
    return tuple(one for one in verdict.statements if one.kind is not StatementKind.DOUBT)
