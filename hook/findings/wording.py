"""What people read of a finding: the line in the log and the text of the note; whatever a title holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from dedupe_core.model import Relation
from hook.findings.findings import Finding
from hook.plain_text import TITLE_CHARACTERS, plain

REASON_CHARACTERS: Final = 300
NOTE_FINDINGS: Final = 3  # a note that lists twenty look-alikes is read by nobody

_SENTENCES: Final = {
    Relation.IDENTICAL: "#{subject} is the same as #{other}",
    Relation.RESCAN: "#{subject} looks like #{other} scanned again",
    Relation.REVISION: "#{subject} looks like #{other} in another wording",
    Relation.TRANSLATED: "#{subject} looks like #{other} in another language",
}
_PART: Final = "#{subject} looks like a part of #{other}"
_WHOLE: Final = "#{subject} looks like it contains #{other}"


def sentence(subject: int, finding: Finding) -> str:
    """For the person who asked: `#1234 looks like #817 scanned again (0.97): reference RE-45588 agrees; ...`."""
    return plain(f"{_claim(subject, finding)}: {finding.reason}")


def logged(subject: int, finding: Finding, gist: str) -> str:
    """For a log, which holds nothing of what stands in a document: the note has the rest."""
    return plain(f"{_claim(subject, finding)}: {gist}" if gist else _claim(subject, finding))


def _claim(subject: int, finding: Finding) -> str:
    if finding.relation is Relation.CONTAINED:
        pattern = _WHOLE if finding.direction > 0 else _PART
    else:
        pattern = _SENTENCES[finding.relation]
    words = pattern.format(subject=subject, other=finding.other)
    return f"{words} ({shown_confidence(finding.confidence)})"


def shown_confidence(confidence: float) -> str:
    """1.00 is kept for real equality, so 0.999 is not rounded up to it."""
    return f"{confidence if confidence >= 1 else min(confidence, 0.99):.2f}"


def note_text(
    subject: int, titles: Mapping[int, str], findings: Sequence[Finding], template: str
) -> str | None:
    """The strongest few findings, a line each, and how many more there are; None if there are none."""
    if not findings:
        return None
    lines = [_note_line(subject, titles, finding, template) for finding in findings[:NOTE_FINDINGS]]
    lines[0] += _keeping(findings[0])
    if (more := len(findings) - NOTE_FINDINGS) > 0:
        lines.append(f"and {more} more")
    return "\n".join(lines).strip() or None


def _keeping(finding: Finding) -> str:
    """What `dedupe:confirm` would keep: said before anyone confirms, for the finding that it would act on."""
    if finding.keeper is None:
        return ""
    return f"; would keep #{finding.keeper}: {finding.keeper_reason}"


def _note_line(subject: int, titles: Mapping[int, str], finding: Finding, template: str) -> str:
    return template.format(
        relation=finding.relation.value,
        confidence=shown_confidence(finding.confidence),
        reason=plain(finding.reason, REASON_CHARACTERS),
        subject_id=subject,
        subject_title=plain(titles.get(subject, ""), TITLE_CHARACTERS),
        other_id=finding.other,
        other_title=plain(titles.get(finding.other, ""), TITLE_CHARACTERS),
    )
