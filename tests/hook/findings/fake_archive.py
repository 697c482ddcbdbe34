"""An archive whose judgement a test can predict: alike are documents that share words."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from dedupe_core.model import Document, Facts, Field, Fingerprint, Relation, Statement, StatementKind, Verdict
from hook.examination.archive import NotIndexed
from hook.index.index import Index
from tests.hook.index.index_kit import open_index


@dataclass(frozen=True, slots=True)
class FakeExamination:
    fingerprint: Fingerprint
    verdicts: tuple[Verdict, ...]
    changed: bool
    known: Fingerprint | None


class FakeArchive:
    """Documents in a dict; the index is real, for what is kept beside them.

    The same words are `identical`, the same first word is a `rescan` as sure as the share of common words,
    the same first word beginning with `form` is a sibling, beginning with `terms` a revision if half of the
    words are common.
    """

    judge_id = ""  # of an unknown judge: a finding follows the last verdict

    def __init__(self, directory: Path) -> None:
        self.index: Index = open_index(directory)
        self.documents: dict[int, Fingerprint] = {}

    def __enter__(self) -> FakeArchive:
        return self

    def __exit__(self, *_: object) -> None:
        self.index.close()

    def examine(
        self, document: Document, *, visible: Callable[[int | None], bool] = lambda owner: True
    ) -> FakeExamination:
        fingerprint = _fingerprint(document)
        known = self.documents.get(document.id)
        changed = known is None or (known.text, known.checksum) != (fingerprint.text, fingerprint.checksum)
        others = [
            other for other in self.documents.values() if other.id != document.id and visible(other.owner)
        ]
        verdicts = [_verdict(fingerprint, other) for other in others]
        told = [verdict for verdict in verdicts if verdict.relation is not Relation.UNRELATED]
        told.sort(key=lambda verdict: (-verdict.confidence, verdict.other))
        return FakeExamination(fingerprint, tuple(told), changed, known)

    def examine_and_store(
        self, document: Document, *, owners: Sequence[int | None] | None = None
    ) -> FakeExamination:
        found = self.examine(document, visible=lambda owner: owners is None or owner in owners)
        self.remember(found.fingerprint)
        return found

    def remember(self, fingerprint: Fingerprint) -> None:
        self.documents[fingerprint.id] = fingerprint

    def forget(self, document_id: int) -> bool:
        return self.documents.pop(document_id, None) is not None

    def __contains__(self, document_id: int) -> bool:
        return document_id in self.documents

    def fingerprint_of(self, document_id: int) -> Fingerprint | None:
        return self.documents.get(document_id)

    def explain(self, a: int, b: int) -> Verdict:
        raise NotIndexed(f"#{a} and #{b}: this archive keeps no evidence")

    @contextmanager
    def batch(self) -> Iterator[None]:
        with self.index.batch():
            yield


def _fingerprint(document: Document) -> Fingerprint:
    text = document.content
    digest = hashlib.sha256(text.encode()).digest()[:16] if text else b""
    return Fingerprint(
        document.id,
        "test-recipe",
        signature=b"",
        content_hash=digest,
        text=text,
        words=len(text.split()),
        facts=Facts(),
        title=document.title,
        checksum=document.checksum,
        created=document.created,
        added=document.added,
        owner=document.owner,
    )


def _verdict(subject: Fingerprint, other: Fingerprint) -> Verdict:
    mine, theirs = subject.text.split(), other.text.split()
    if mine and mine == theirs:
        return Verdict(
            subject.id, other.id, Relation.IDENTICAL, 1.0, True, (Statement(StatementKind.SAME_TEXT),)
        )
    if not mine or not theirs or mine[0] != theirs[0]:
        return Verdict(subject.id, other.id, Relation.UNRELATED, 0.0, False)
    common = len(set(mine) & set(theirs)) / len(set(mine) | set(theirs))
    if mine[0].startswith("form"):
        return Verdict(subject.id, other.id, Relation.SIBLING, common, False)
    if mine[0].startswith("terms"):
        edited = (Statement(StatementKind.EDITED),)
        return Verdict(subject.id, other.id, Relation.REVISION, common, common >= 0.5, edited)
    agrees = (Statement(StatementKind.AGREES, Field.REFERENCE, ("RE-1",), (1,)),)
    return Verdict(subject.id, other.id, Relation.RESCAN, common, common >= 0.3, agrees)
