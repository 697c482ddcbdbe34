"""The words for a finding: the line in the log, the line on the terminal and the note in Paperless.

Each is of bounded length and safe to display, whatever a title contains.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from dedupe_core.explain.say import message
from dedupe_core.explain.words import brief, reason
from dedupe_core.model import Relation
from hook.findings.findings import Finding, Record
from hook.language.names import NOTE
from hook.language.translate import Translate, translator
from hook.log import TITLE_CHARACTERS, plain

REASON_CHARACTERS: Final = 300
NOTE_FINDINGS: Final = 3  # the strongest ones; a list of twenty would not be read

_CLAIMS: Final = {
    Relation.IDENTICAL: "is identical to",
    Relation.RESCAN: "looks like a rescan of",
    Relation.REVISION: "looks like a revision of",
    Relation.CONTAINED: "looks like a part of",
    Relation.TRANSLATED: "looks like a translation of",
}
# For a document that not everybody who sees the note may see: neither its name nor what it says.
HIDDEN: Final = message(
    "Looks like a document that not everybody who sees this one may see - {relation}, {confidence} sure. "
    "`paperless-dedupe pending` names it"
)


def sentence(subject: int, finding: Finding) -> str:
    """For the terminal: `#1234 looks like a rescan of #817, 97% sure: reference RE-45588 agrees; ...`."""
    return plain(": ".join(filter(None, (_claim(subject, finding), finding.reason))))


def logged(subject: int, finding: Finding) -> str:
    """For the log, which never contains anything that is written in a document; the note has the rest."""
    return plain(": ".join(filter(None, (_claim(subject, finding), brief(finding.statements)))))


def many(count: int, noun: str) -> str:
    """`1 document`, `2 documents`."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def percent(confidence: float) -> str:
    """100% only for real equality: 0.999 is not rounded up to it."""
    return f"{confidence if confidence >= 1 else min(confidence, 0.99):.0%}"


def note_text(
    subject: int,
    titles: Mapping[int, str],
    findings: Sequence[Finding],
    named: Collection[int],
    language: str = "en",
) -> str | None:
    """One line for each of the strongest findings, and how many more there are; None if there is nothing to say.

    Only the documents in `named` may be named: not everybody who sees the note may see the others.
    """
    if not findings:
        return None
    say = translator(language)
    lines = [
        _note_line(subject, titles, finding, named, say)
        if finding.other in named
        else say(HIDDEN, relation=say(finding.relation.value), confidence=percent(finding.confidence))
        for finding in findings[:NOTE_FINDINGS]
    ]
    lines[0] = _with_suggestion(lines[0], findings[0], say)
    if (more := len(findings) - NOTE_FINDINGS) > 0:
        lines.append(say("and {n} more", n=more))
    return "\n".join(lines)


def _claim(subject: int, finding: Finding) -> str:
    is_whole = finding.relation is Relation.CONTAINED and finding.direction > 0
    claim = "looks like it contains" if is_whole else _CLAIMS[finding.relation]
    return f"#{subject} {claim} #{finding.other}, {percent(finding.confidence)} sure"


def _with_suggestion(line: str, finding: Finding, say: Translate) -> str:
    """Only for the first finding: `dedupe:confirm` acts on that one, and keeps the document named here."""
    if finding.keeper is None:
        return line
    why = ", ".join(map(say, finding.keeper_reason.split(", ")))
    return f"{line.rstrip('.')}. {say('Suggestion: keep #{n} ({why})', n=finding.keeper, why=why)}"


def _note_line(
    subject: int,
    titles: Mapping[int, str],
    finding: Finding,
    named: Collection[int],
    say: Translate,
) -> str:
    visible = {subject, *named}  # a third document that not everybody may see is not named either
    statements = [said for said in finding.statements if visible.issuperset(said.documents)]
    return say(
        NOTE,
        relation=say(finding.relation.value),
        confidence=percent(finding.confidence),
        reason=plain(reason(statements, say), REASON_CHARACTERS),
        other_id=finding.other,
        other_title=plain(titles.get(finding.other, ""), TITLE_CHARACTERS),
    )


def changes(before: Record, after: Record) -> list[str]:
    """What an examination has changed of what was reported, and why: a line for each pair, for the log."""
    now = {finding.other: finding for finding in after.findings}
    lines = []
    for was in before.findings:
        current = now.get(was.other)
        if current is not None and current.relation is was.relation:
            continue
        why = why_changed(before, was, after, current)
        becomes = _judged(current) if current else "not reported"
        lines.append(f"#{before.subject} and #{was.other}: was {_judged(was)}, is {becomes} now: {why}")
    return lines


def _judged(finding: Finding) -> str:
    return f"{finding.relation.value}, {percent(finding.confidence)} sure"


def why_changed(before: Record, was: Finding, after: Record, current: Finding | None) -> str:
    if before.content_hash != after.content_hash:
        return f"the text of #{before.subject} has changed"
    if current is not None and current.other_hash != was.other_hash:
        return f"the text of #{was.other} has changed"
    if current is not None and not current.is_on_same_texts(was):
        return "somebody looked at the pages"
    if before.judge != after.judge:
        return "paperless-dedupe judges by other rules now"
    return "documents around it, owners or settings have changed"
