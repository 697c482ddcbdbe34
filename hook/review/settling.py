"""Takes a decided pair out of what a document shows: our tags, note and link, or only the tags.

Everything can be repeated: the decision tag goes last, so that a run that was killed is taken up again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from hook.findings.apply import apply
from hook.findings.examine import Examiner
from hook.findings.findings import Finding, Record
from hook.findings.plan import Examined, Plan, TagChange
from hook.findings.snapshot import plans_for
from hook.findings.tagging import change_tags
from hook.paperless.values import HEAD_FIELDS, RawDocument
from hook.queue import Queue


def settle(
    examiner: Examiner,
    queue: Queue,
    subject: int,
    rest: tuple[Finding, ...],
    *,
    add: Iterable[str] = (),
    remove: Iterable[int] = (),
    is_gone: bool = False,
) -> None:
    """Afterwards the subject shows only the findings in `rest`; tags named by `add` and `remove` are changed
    with the same call. `is_gone`: it is in the trash, so only what we wrote on others is taken back.

    Hold the writing lock.
    """
    record = examiner.findings.get(subject)
    plan = _plan(examiner, subject, record, rest, is_gone=is_gone)
    if is_gone:
        elsewhere = tuple(change for change in plan.tags if change.document != subject)
        if elsewhere:
            apply([Plan(subject, record, elsewhere)], examiner.client, examiner.findings, examiner.labels)
        return
    own = next((change for change in plan.tags if change.document == subject), TagChange(subject))
    others = tuple(change for change in plan.tags if change is not own)
    applied = apply([replace(plan, tags=others)], examiner.client, examiner.findings, examiner.labels)
    if applied.stopped:
        raise applied.stopped
    if applied.kept:
        queue.add(subject, applied.kept[subject])
    _change_own_tags(examiner, queue, own, frozenset(add), frozenset(remove))


def _plan(
    examiner: Examiner, subject: int, record: Record, rest: tuple[Finding, ...], *, is_gone: bool
) -> Plan:
    head = RawDocument(subject) if is_gone else examiner.client.document(subject, fields=HEAD_FIELDS)
    examined = Examined(head, rest, content_hash=record.content_hash)
    chunk = [replace(examined, document=replace(head, content=""))]
    (made,) = plans_for(
        chunk,
        examiner.client,
        examiner.settings,
        examiner.findings,
        examiner.labels,
        examiner.cleanliness,
    )
    return made


def _change_own_tags(
    examiner: Examiner, queue: Queue, own: TagChange, add: frozenset[str], remove: frozenset[int]
) -> None:
    removing = own.remove | remove
    if not (own.add or add or removing):
        return
    documents = frozenset({own.document})
    tagged = change_tags(examiner.client, examiner.labels, own.add | add, removing, documents)
    if reason := tagged.failed.get(own.document):
        queue.add(own.document, reason)
        return
    record = examiner.findings.get(own.document)
    ours = examiner.labels.known().tags
    kept = {pair for pair in record.tagged if pair[0] != own.document or pair[1] not in removing}
    kept |= {(own.document, ours[name]) for name in own.add}
    examiner.findings.put([replace(record, tagged=frozenset(kept))])
