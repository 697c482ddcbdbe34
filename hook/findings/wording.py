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
from hook.language.translate import translator
from hook.log import TITLE_CHARACTERS, plain

REASON_CHARACTERS: Final = 300
NOTE_FINDINGS: Final = 3  # the strongest ones; a list of twenty would not be read

_CLAIMS: Final = {
    Relation.IDENTICAL: "is identical to #{other}",
    Relation.RESCAN: "looks like a rescan of #{other}",
    Relation.REVISION: "looks like a revision of #{other}",
    Relation.TRANSLATED: "looks like a translation of #{other}",
}
# For a document that not everybody who sees the note may see: neither its name nor what it says.
HIDDEN: Final = message(
    "Looks like a document that not everybody who sees this one may see - {relation}, {confidence} sure. "
    "`paperless-dedupe pending` names it"
)
_PART: Final = "looks like a part of #{other}"
_WHOLE: Final = "looks like it contains #{other}"


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
    template: str,
    named: Collection[int],
    language: str = "en",
) -> str | None:
    """One line for each of the strongest findings, and how many more there are; None if there is nothing to say.

    Only the documents in `named` may be named: not everybody who sees the note may see the others.
    """
    if not findings:
        return None
    lines = [
        _note_line(subject, titles, finding, template, named, language)
        if finding.other in named
        else _hidden(finding, language)
        for finding in findings[:NOTE_FINDINGS]
    ]
    lines[0] = _with_suggestion(lines[0], findings[0], language)
    if (more := len(findings) - NOTE_FINDINGS) > 0:
        lines.append(translator(language)("and {n} more", n=more))
    return "\n".join(lines).strip() or None


def _hidden(finding: Finding, language: str) -> str:
    say = translator(language)
    return say(HIDDEN, relation=say(finding.relation.value), confidence=percent(finding.confidence))


def _claim(subject: int, finding: Finding) -> str:
    if finding.relation is Relation.CONTAINED:
        pattern = _WHOLE if finding.direction > 0 else _PART
    else:
        pattern = _CLAIMS[finding.relation]
    claim = pattern.format(other=finding.other)
    return f"#{subject} {claim}, {percent(finding.confidence)} sure"


def _with_suggestion(line: str, finding: Finding, language: str) -> str:
    """Only for the first finding: `dedupe:confirm` acts on that one, and keeps the document named here."""
    if finding.keeper is None:
        return line
    say = translator(language)
    why = ", ".join(map(say, finding.keeper_reason.split(", ")))
    return f"{line.rstrip('.')}. {say('Suggestion: keep #{n} ({why})', n=finding.keeper, why=why)}"


def _note_line(
    subject: int,
    titles: Mapping[int, str],
    finding: Finding,
    template: str,
    named: Collection[int],
    language: str,
) -> str:
    visible = {subject, *named}  # an edition that not everybody may see is not named
    statements = [said for said in finding.statements if visible.issuperset(said.documents)]
    return template.format(
        relation=translator(language)(finding.relation.value),
        confidence=percent(finding.confidence),
        reason=plain(reason(statements, translator(language)), REASON_CHARACTERS),
        subject_id=subject,
        subject_title=plain(titles.get(subject, ""), TITLE_CHARACTERS),
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
        pair, said = (
            f"#{before.subject} and #{was.other}",
            f"{was.relation.value}, {percent(was.confidence)} sure",
        )
        becomes = (
            f"{current.relation.value}, {percent(current.confidence)} sure" if current else "not reported"
        )
        lines.append(f"{pair}: was {said}, is {becomes} now: {why_changed(before, was, after, current)}")
    return lines


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
