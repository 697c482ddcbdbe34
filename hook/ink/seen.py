"""What was seen on the pages of a pair, kept in the index, and what follows for its verdict. Needs nothing of the extra.

Kept with the hashes of both texts: if one of them changes, nobody has looked yet.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from dedupe_core.model import Relation, Statement, StatementKind, Verdict
from hook.examination.codec import read_json
from hook.index.ids import number_key

if TYPE_CHECKING:
    from hook.index.interface import DocumentIndex

NAMESPACE: Final = "ink"
_LONGEST: Final = 60  # characters of a side


@dataclass(frozen=True, slots=True)
class Seen:
    """Counts of places. `words` are those of the first place whose print is different, the smaller document first.

    `reason` says why nobody could look.
    """

    same: int = 0
    different: int = 0
    open: int = 0
    words: tuple[str, str] = ("", "")
    reason: str = ""

    @property
    def clears(self) -> bool:
        return bool(self.same) and not (self.different or self.open)

    def applied_to(self, verdict: Verdict) -> Verdict:
        """Same print at every doubt: a rescan without doubts. Different print: edited, whatever the text alone says."""
        if self.different:
            return _edited(verdict, self)
        if not self.clears:
            return verdict
        certain = [one for one in verdict.statements if one.kind is not StatementKind.DOUBT]
        return replace(verdict, statements=(*certain, Statement(StatementKind.SAME_PRINT)))


class SeenPairs:
    def __init__(self, index: DocumentIndex) -> None:
        self._index = index
        self._pairs = index.namespace(NAMESPACE)

    def get(self, one: tuple[int, str], two: tuple[int, str]) -> Seen | None:
        """Of two documents with these texts, each an id and a hash; in either order."""
        (a, hash_a), (b, hash_b) = sorted((one, two))
        raw = self._pairs.get(_key(a, b))
        known = read_json(raw, dict) if raw else {}
        if not known or known.get("hashes") != [hash_a, hash_b]:
            return None
        words = [str(word) for word in known.get("words", ("", ""))][:2]
        same, different, left = (int(known.get(name, 0)) for name in ("same", "different", "open"))
        return Seen(same, different, left, (words[0], words[1]), str(known.get("reason", "")))

    def put(self, one: tuple[int, str], two: tuple[int, str], seen: Seen) -> None:
        (a, hash_a), (b, hash_b) = sorted((one, two))
        body = {
            "hashes": [hash_a, hash_b],
            "same": seen.same,
            "different": seen.different,
            "open": seen.open,
            "words": [word[:_LONGEST] for word in seen.words],
            "reason": seen.reason,
        }
        with self._index.batch(durable=True):
            self._pairs.put(_key(a, b), json.dumps(body, separators=(",", ":")).encode("ascii"))

    def forget(self, pairs: Iterable[tuple[int, int]]) -> None:
        with self._index.batch():
            for one, two in pairs:
                self._pairs.delete(_key(*sorted((one, two))))


def _key(a: int, b: int) -> bytes:
    return number_key(a) + number_key(b)


def _edited(verdict: Verdict, seen: Seen) -> Verdict:
    sides = seen.words if verdict.subject < verdict.other else seen.words[::-1]
    said = Statement(StatementKind.EDITED), Statement(StatementKind.DIFFERENT_PRINT, sides=sides)
    return replace(verdict, relation=Relation.REVISION, statements=said)
