"""The use case of one document: fetch, fingerprint, look up, judge, remember, plan, apply.

A finding on a pair is carried by one document of the two: the newer one, unless only the older one may show
the other (`carries`). So what is found does not depend on the order in which documents are examined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from dedupe_core.model import Document, Fingerprint, Relation, Verdict
from hook.deadline import Deadline
from hook.errors import NotFoundError
from hook.findings.apply import Applied, Examined, Plan, apply
from hook.findings.chains import chained, with_chain
from hook.findings.decisions import Decisions
from hook.findings.findings import Finding, Findings, Record
from hook.findings.keeper import cleanliness
from hook.findings.plan import may_show
from hook.findings.snapshot import plans_for
from hook.findings.wording import logged
from hook.locks import writing_lock
from hook.paperless.client import COMMIT_PATIENCE_S, Paperless
from hook.paperless.labels import Labels
from hook.paperless.values import RawDocument
from hook.settings.model import Settings
from hook.settings.types import RELATIONS, Mark, Scope

if TYPE_CHECKING:
    from hook.index.archive import Archive

WRITTEN_AT_ONCE: Final = 50  # subjects per hold of the writing lock: some 5 s, which a hook can wait
_SAME_FILE: Final = "same file, byte for byte"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run on one document came to: the line to log, and what is left to do, if anything.

    `document_id` is the document that was examined: for a file version, its root.
    """

    document_id: int
    line: str
    findings: tuple[Finding, ...] = ()
    new: tuple[Finding, ...] = ()  # those of them that were not said before
    kept: str = ""  # why something is still to be done
    stopped: bool = False  # and that reason is no fault of this document
    elsewhere: tuple[int, ...] = ()  # to be examined next
    bulk_edits: int = 0
    is_news: bool = True  # the text, the findings or the marks are others than before


class Examiner:
    """Everything that one run needs. Belongs to the thread that opened the archive."""

    def __init__(
        self,
        archive: Archive,
        client: Paperless,
        settings: Settings,
        log: Callable[[str], None] = lambda line: None,
        *,
        deadline: Deadline | None = None,
        dismissed: Callable[[int, int], bool] | None = None,
    ) -> None:
        self.archive, self.client, self.settings = archive, client, settings
        self.findings = Findings(archive.index)
        self.labels = Labels(client, settings, archive.index)
        self._log = log
        self._deadline = deadline or Deadline.never()
        self.dismissed = dismissed or Decisions(archive.index).settled

    def run(self, document_id: int, *, patience_s: float = COMMIT_PATIENCE_S) -> Outcome:
        """The whole way for one document. Raises what stops it; what concerns single writes is `kept`."""
        try:
            raw = self.client.await_document(document_id, patience_s=patience_s)
        except NotFoundError:
            gone = "not there: deleted, or hidden from the token's user"
            return Outcome(document_id, f"#{document_id}: {gone}", elsewhere=self.forget(document_id))
        before = self.findings.get(raw.id)
        examined = self.document(raw)
        applied = self.write([examined])
        record = self.findings.get(raw.id)
        line = self._line(examined, before, record)
        if raw.id in applied.gone:
            line = f"#{raw.id}: deleted meanwhile"
        if raw.id != document_id:
            line = f"#{document_id} is a file version of #{raw.id}; {line}"
        kept = applied.kept.get(raw.id, "")
        stopped = applied.stopped is not None
        new = tuple(finding for finding in record.findings if not before.knows(finding))
        is_news = examined.changed or record != before or bool(kept)
        return Outcome(
            raw.id, line, record.findings, new, kept, stopped, examined.elsewhere, applied.bulk_edits, is_news
        )

    def document(self, raw: RawDocument) -> Examined:
        """Fingerprint, look up, judge, remember. Nothing is asked of Paperless or written to it.

        Looked up and remembered in one transaction: of two documents that come in at once, the later one
        sees the other. Group many in `archive.batch()`.
        """
        with self.archive.batch():
            known = self.archive.fingerprint_of(raw.id)
            examination = self.archive.examine(document_of(raw), visible=self._is_comparable(raw.owner))
            fingerprint = examination.fingerprint
            if known != fingerprint:
                self.archive.remember(fingerprint)
        told = [verdict for verdict in self._verdicts(raw, examination.verdicts) if self._is_told(verdict)]
        carried = {verdict.other: self._carries(raw, verdict.other) for verdict in told}
        has_moved = known is not None and (examination.changed or known.owner != raw.owner)
        elsewhere = {v.other for v in told if not carried[v.other] and not self._has(v.other, v)}
        return Examined(
            document=replace(raw, content=""),
            findings=with_chain(
                [self._finding(verdict) for verdict in told if carried[verdict.other]],
                fingerprint,
                self._editions(raw.owner, told),
            ),
            elsewhere=tuple(sorted(elsewhere.union(self.findings.about(raw.id) if has_moved else ()))),
            changed=examination.changed,
            content_hash=fingerprint.content_hash.hex(),
        )

    def plans(self, examined: Sequence[Examined]) -> list[Plan]:
        """What `write` would do; for --dry-run."""
        return [made for chunk in self._chunks(examined) for made in self._plans(chunk)]

    def write(self, examined: Sequence[Examined]) -> Applied:
        """Brings Paperless in line with the findings; nothing is asked where nothing is or was found.

        Not inside `archive.batch()`: others would have to wait for the index while we wait for Paperless.
        """
        total = Applied()
        for chunk in self._chunks(examined):
            if total.stopped:
                put_off = {entry.document.id: str(total.stopped) for entry in chunk}
                total = replace(total, kept=total.kept | put_off)
                continue
            with writing_lock(self.settings.index_dir, self._deadline):
                total = _sum(total, apply(self._plans(chunk), self.client, self.findings, self.labels))
        return total

    def forget(self, document_id: int) -> tuple[int, ...]:
        """A document that is gone; returns those to examine next. Its record stays: it may be restored.

        Not those that are gone as well, or two that name each other would be asked for in turn.
        """
        self.archive.forget(document_id)
        about = self.findings.about(document_id)
        return tuple(number for number in about if self.archive.fingerprint_of(number) is not None)

    # Judging

    def _is_comparable(self, owner: int | None) -> Callable[[int | None], bool]:
        scope = self.settings.scope
        return lambda other: may_show(scope, owner, other) or may_show(scope, other, owner)

    def _verdicts(self, raw: RawDocument, verdicts: Sequence[Verdict]) -> list[Verdict]:
        """Those of the index, and those of Paperless itself, which also knows files that have no text."""
        known = {verdict.other for verdict in verdicts}
        copies = [
            Verdict(raw.id, other, Relation.IDENTICAL, 1.0, flagged=True, reason=_SAME_FILE, gist=_SAME_FILE)
            for other in raw.duplicates
            if other not in known and other != raw.id
        ]
        return [*copies, *verdicts]

    def _is_told(self, verdict: Verdict) -> bool:
        if verdict.relation not in RELATIONS or not self.settings.marks_for(verdict.relation):
            return False
        if self.dismissed(verdict.subject, verdict.other):
            return False
        return verdict.flagged

    def _carries(self, raw: RawDocument, other: int) -> bool:
        known = self.archive.fingerprint_of(other)
        owner = known.owner if known else raw.owner
        return carries(self.settings.scope, (raw.id, raw.owner), (other, owner))

    def _has(self, subject: int, verdict: Verdict) -> bool:
        """Does the document that carries the finding on this pair have it already?"""
        found = self.findings.get(subject).findings
        return any((f.other, f.relation) == (verdict.subject, verdict.relation) for f in found)

    def _editions(self, owner: int | None, told: Sequence[Verdict]) -> list[Fingerprint]:
        """The other editions of an edited document that may be named on it."""
        found = [verdict for verdict in told if verdict.relation is Relation.REVISION]
        if not found:
            return []
        numbers = set(chained((verdict.other for verdict in found), self.findings.editions_of))
        known = map(self.archive.fingerprint_of, sorted(numbers - {found[0].subject}))
        return [one for one in known if one and may_show(self.settings.scope, owner, one.owner)]

    def _finding(self, verdict: Verdict) -> Finding:
        known = self.archive.fingerprint_of(verdict.other)
        other_hash = known.content_hash.hex() if known else ""
        return Finding(
            verdict.other,
            verdict.relation,
            round(verdict.confidence, 4),
            verdict.reason,
            verdict.direction,
            other_hash,
            gist=verdict.gist,
        )

    # Planning

    def _chunks(self, examined: Sequence[Examined]) -> Iterator[list[Examined]]:
        due = [entry for entry in examined if entry.findings or self.findings.get(entry.document.id)]
        for start in range(0, len(due), WRITTEN_AT_ONCE):
            yield due[start : start + WRITTEN_AT_ONCE]

    def _plans(self, chunk: Sequence[Examined]) -> list[Plan]:
        chunk = [replace(entry, findings=self._undecided(entry)) for entry in chunk]
        made = plans_for(chunk, self.client, self.settings, self.findings, self.labels, self.cleanliness)
        problem = self.labels.known().problem
        if problem and any(
            Mark.LINK in self.settings.marks_for(f.relation) for e in chunk for f in e.findings
        ):
            self._log(problem)
        return made

    def _undecided(self, examined: Examined) -> tuple[Finding, ...]:
        """A finding may have been kept for a while before it is written."""
        number = examined.document.id
        return tuple(finding for finding in examined.findings if not self.dismissed(number, finding.other))

    def cleanliness(self, document_id: int) -> float:
        known = self.archive.fingerprint_of(document_id)
        return cleanliness(known.text) if known else 0.0

    def _line(self, examined: Examined, before: Record, record: Record) -> str:
        number = examined.document.id
        if record.findings:
            first, more = record.findings[0], len(record.findings) - 1
            why = next((found.gist for found in examined.findings if found.other == first.other), "")
            return logged(number, first, why) + (f"; and {more} more" if more else "")
        if (
            examined.findings
            and self.labels.known().tags.get(self.settings.tag_skip) in examined.document.tags
        ):
            return f"#{number}: has {self.settings.tag_skip}, left alone"
        if before.findings:
            return f"#{number}: nothing alike any more, what was said before is taken back"
        return f"#{number}: nothing alike"


def carries(scope: Scope, subject: tuple[int, int | None], other: tuple[int, int | None]) -> bool:
    """Does the subject carry the finding on this pair? Each is an id and an owner; at most one does."""
    (number, owner), (other_number, other_owner) = subject, other
    here, there = may_show(scope, owner, other_owner), may_show(scope, other_owner, owner)
    return here and (number > other_number or not there)


def document_of(raw: RawDocument) -> Document:
    return Document(raw.id, raw.content, raw.title, raw.checksum, raw.created, raw.added, raw.owner)


def _sum(total: Applied, more: Applied) -> Applied:
    return Applied(
        total.written + more.written,
        total.gone | more.gone,
        {**total.kept, **more.kept},
        total.bulk_edits + more.bulk_edits,
        more.stopped,
    )
