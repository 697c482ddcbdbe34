"""The output of a backfill or sync: a line for each finding as it is made, and a summary at the end."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from typing import Final

from dedupe_core.model import Relation
from hook.findings.findings import Finding, Record
from hook.findings.plan import Plan
from hook.findings.wording import many, sentence
from hook.log import plain
from hook.settings.types import RELATIONS

SCHEMA: Final = 1
_NOUNS: Final = {Relation.RESCAN, Relation.REVISION}  # the words of the other relations have no plural


@dataclass(slots=True)
class Counts:
    """Of one run; the summary lists them under these names."""

    examined: int = 0
    found: Counter[str] = field(default_factory=Counter)
    taken_back: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    forgotten: int = 0
    put_off: int = 0
    documents_written: int = 0
    bulk_edits: int = 0
    decided: int = 0


class Report(Counts):
    """Prints what it counts: to `out` as lines or JSON lines; `warn` gets errors."""

    def __init__(
        self,
        out: Callable[[str], None] = lambda line: None,
        warn: Callable[[str], None] = lambda line: None,
        *,
        as_json: bool = False,
        quiet: bool = False,
        dry_run: bool = False,
        examine_only: bool = False,
    ) -> None:
        super().__init__()
        self._out, self._warn = out, warn
        self._as_json, self._quiet, self._dry_run = as_json, quiet, dry_run
        self._examine_only = examine_only

    # As it happens

    def written(self, before: Record, after: Record) -> None:
        """The findings of one subject that are new, and those that no longer hold."""
        for finding in after.findings:
            if not before.has(finding):
                self._finding(after.subject, finding)
        for finding in before.findings:
            if not after.has(finding):
                self._taken_back(before.subject, finding)

    def planned(self, plan: Plan, before: Record) -> None:
        """For --dry-run: the finding, and below it what would be written."""
        self.written(before, plan.record)
        if plan:
            self.documents_written += 1
            note = f"note: {plan.note}" if self._as_json else "write it as a note"  # its line is above
            for line in described(plan, note):
                self._emit("write", f"  would: {plain(line)}", document=plan.subject, write=line)

    def skip(self, document: int, reason: str, detail: str = "") -> None:
        """This document could not be examined; the run continues."""
        self.skipped[reason] += 1
        line = f"#{document}: {reason}" + (f" ({detail})" if detail else "")
        self._complain("skipped", line, document=document, reason=reason, detail=plain(detail))

    def keep(self, document: int, reason: str) -> None:
        """Paperless refused a write; the document is in the queue for the next run."""
        self.put_off += 1
        line = f"#{document}: some of it could not be written, kept for the next run: {reason}"
        self._complain("put off", line, document=document, reason=plain(reason))

    def forget(self, document: int) -> None:
        self.forgotten += 1
        self._emit("gone", f"#{document}: deleted in Paperless, removed from the index", document=document)

    def _finding(self, subject: int, finding: Finding) -> None:
        self.found[finding.relation.value] += 1
        self._emit(
            "finding",
            sentence(subject, finding),
            subject=subject,
            other=finding.other,
            relation=finding.relation.value,
            confidence=finding.confidence,
            reason=plain(finding.reason),
        )

    def _taken_back(self, subject: int, finding: Finding) -> None:
        self.taken_back += 1
        relation = finding.relation.value
        line = f"#{subject}: no longer similar to #{finding.other} ({relation}), marks removed"
        self._emit("taken back", line, subject=subject, other=finding.other, relation=relation)

    # At the end

    @property
    def has_news(self) -> bool:
        """True if anything was done that a summary would tell."""
        counts = (self.examined, self.taken_back, self.forgotten, self.put_off, self.documents_written)
        return any(counts) or bool(self.decided)

    def summary(self, seconds: float, *, complete: bool = True) -> None:
        if self._as_json:
            counts = {entry.name: getattr(self, entry.name) for entry in fields(Counts)}
            ended = {"seconds": round(seconds, 3), "dry_run": self._dry_run, "complete": complete}
            self._emit("summary", "", **counts, **ended)
            return
        if not complete:
            self._emit("", "Stopped before the end. Done so far:")
        rate = f" ({self.examined / seconds:.0f}/s)" if seconds > 0 and self.examined > 1 else ""
        seen = [(relation, count) for relation in RELATIONS if (count := self.found[relation])]
        found = [many(n, name) if name in _NOUNS else f"{n} {name}" for name, n in seen]
        lines = [
            f"{many(self.examined, 'document')} examined in {seconds:.1f} s{rate}",
            f"found: {', '.join(found) or 'nothing new'}",
            self.taken_back and f"no longer similar: {self.taken_back}",
            *(f"skipped: {count}, {reason}" for reason, count in sorted(self.skipped.items()) if count),
            self.forgotten and f"removed from the index: {self.forgotten}, deleted in Paperless",
            self.put_off and f"kept for the next run: {many(self.put_off, 'document')}",
            self.decided and f"decisions carried out: {self.decided}",
            self._writes(),
        ]
        for line in filter(None, lines):
            self._emit("", str(line))

    def _writes(self) -> str:
        if self._dry_run:
            return f"dry run: {many(self.documents_written, 'document')} would be marked, nothing was written"
        if self._examine_only:
            return "nothing was written to Paperless: the next run without --examine-only writes the findings"
        if self.decided and not self.documents_written:
            return "written: the decisions, no other document was marked"
        edits = many(self.bulk_edits, "bulk edit")
        decisions = ", and the decisions" if self.decided else ""
        return f"written: {many(self.documents_written, 'document')} marked, {edits}{decisions}"

    def _complain(self, event: str, line: str, **values: object) -> None:
        if self._as_json:
            self._emit(event, line, **values)
        else:
            self._warn(plain(line))

    def _emit(self, event: str, line: str, **values: object) -> None:
        if self._as_json:
            self._out(json.dumps({"schema": SCHEMA, "event": event, **values}, ensure_ascii=False))
        elif not self._quiet:
            self._out(line)


def described(plan: Plan, note: str) -> list[str]:
    """The writes of a plan in words, for --dry-run."""
    lines = []
    for change in plan.tags:
        if change.add:
            lines.append(f"#{change.document}: add {', '.join(sorted(change.add))}")
        if change.remove:
            names = sorted(plan.tag_names[tag] for tag in change.remove)
            lines.append(f"#{change.document}: remove {', '.join(names)}")
    if plan.link:
        lines.append(f"#{plan.subject}: link to {_numbers(plan.link)}")
    if plan.unlink:
        lines.append(f"#{plan.subject}: remove the link to {_numbers(plan.unlink)}")
    if plan.note is not None:
        lines.append(f"#{plan.subject}: {note if plan.note else 'remove our note'}")
    return lines


def _numbers(documents: Iterable[int]) -> str:
    return ", ".join(f"#{number}" for number in sorted(documents))
