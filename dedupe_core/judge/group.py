"""The verdicts on one document, made consistent with each other: what copies of one paper say about a third document."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from dedupe_core.compare.view import View
from dedupe_core.fingerprint.signature import resemblance
from dedupe_core.model import Relation, Statement, StatementKind, Verdict
from dedupe_core.policy import Policy

Ask = Callable[[View, View], Verdict]
AskWithout = Callable[[View, frozenset[int]], Verdict]

_SAME_PAPER = (Relation.IDENTICAL, Relation.RESCAN)
_SURELY_DIFFERENT, _HARDLY_DIFFERENT = 0.85, 0.7
_MOST_COPIES = 5  # compared among themselves: ten comparisons
# A copy that is less sure than this is compared with the documents that the subject is not: those most like it.
_HARDLY_DOUBTED, _MOST_RIVALS = 0.9, 3
_MOST_DOUBTFUL = 3
_PLAUSIBLE, _SURE_COPY = 0.95, 0.9  # sure of "another document": no more is asked; sure of "the same paper"
_CLEARLY_BETTER = 0.65  # of the odds: of two that are as likely, neither is reported


def only_one_paper(
    verdicts: Sequence[Verdict], view_of: Mapping[int, View], policy: Policy, ask: Ask
) -> list[Verdict]:
    """A document cannot be the same paper as two that are different papers: the odds are shared among them.

    So the clearly better one is reported; of two that are equally likely, neither is. That holds for the subject, and for a
    badly read document that is like the subject and like another one.
    """
    same = _copies(verdicts)
    rivals: dict[int, list[Verdict]] = {verdict.other: [] for verdict in same}
    for place, verdict in enumerate(same):
        for other in same[place + 1 :]:
            if other.relation is Relation.IDENTICAL:
                continue
            if _is_different(ask(view_of[verdict.other], view_of[other.other])):
                rivals[verdict.other].append(other)
                rivals[other.other].append(verdict)
    different = [view_of[verdict.other] for verdict in verdicts if _is_different(verdict)]
    for verdict in same:
        if verdict.confidence < _HARDLY_DOUBTED and not rivals[verdict.other]:
            rivals[verdict.other] += _taken_for(view_of[verdict.other], different, ask)
    return [_among(verdict, rivals.get(verdict.other, []), policy) for verdict in verdicts]


def without_copies(
    verdicts: Sequence[Verdict], view_of: Mapping[int, View], ask: Ask, again: AskWithout
) -> list[Verdict]:
    """A third copy makes what is own to a paper look like a template: what is doubtful is asked again without such copies."""
    plausible = [verdict for verdict in verdicts if verdict.flagged or verdict.confidence < _PLAUSIBLE]

    def is_sure(link: Verdict) -> bool:
        return is_same_paper(link) and link.confidence >= _SURE_COPY

    plausible.sort(key=lambda verdict: (not verdict.flagged, verdict.confidence, verdict.other))
    asked = {}
    for doubtful in [verdict for verdict in plausible if not verdict.flagged][:_MOST_DOUBTFUL]:
        document = view_of[doubtful.other]
        copies = frozenset(
            other.other
            for other in plausible[:_MOST_COPIES]
            if other is not doubtful and (is_sure(other) or is_sure(ask(document, view_of[other.other])))
        )
        if copies:
            asked[doubtful.other] = again(document, copies)
    return [asked.get(verdict.other, verdict) for verdict in verdicts]


def surest_links(
    verdicts: Sequence[Verdict], view_of: Mapping[int, View], policy: Policy, ask: Ask
) -> dict[int, float]:
    """Documents that the subject is not surely like, but that are the same paper as a copy of it; and how sure that is."""
    copies = _copies(verdicts)
    links: dict[int, float] = {}
    for doubtful in _doubtful(verdicts):
        for copy in copies:
            if copy.confidence < policy.flag_threshold:
                continue
            link = ask(view_of[copy.other], view_of[doubtful.other])
            sure = copy.confidence * link.confidence
            if is_same_paper(link) and sure >= policy.flag_threshold:
                links[doubtful.other] = max(sure, links.get(doubtful.other, 0.0))
    return links


def is_same_paper(verdict: Verdict) -> bool:
    return verdict.flagged and verdict.relation in _SAME_PAPER


def _copies(verdicts: Sequence[Verdict]) -> list[Verdict]:
    return sorted(filter(is_same_paper, verdicts), key=lambda verdict: (-verdict.confidence, verdict.other))[
        :_MOST_COPIES
    ]


def _is_different(verdict: Verdict) -> bool:
    return not verdict.flagged and verdict.confidence >= _SURELY_DIFFERENT


def _doubtful(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Not reported; those that are nearest to being reported."""
    doubtful = [
        verdict for verdict in verdicts if not verdict.flagged and verdict.confidence < _HARDLY_DIFFERENT
    ]
    return sorted(doubtful, key=lambda verdict: (verdict.confidence, verdict.other))[:_MOST_DOUBTFUL]


def _taken_for(copy: View, different: Sequence[View], ask: Ask) -> list[Verdict]:
    """The documents that the copy could be as well, of those that the subject is not."""
    mine = copy.fingerprint.signature
    nearest = sorted(different, key=lambda other: (-resemblance(mine, other.fingerprint.signature), other.id))
    return [verdict for other in nearest[:_MOST_RIVALS] if is_same_paper(verdict := ask(copy, other))]


def _among(verdict: Verdict, rivals: Sequence[Verdict], policy: Policy) -> Verdict:
    if not rivals or verdict.relation is Relation.IDENTICAL:
        return verdict
    odds = _odds(verdict)
    shared = odds / (1 + odds + sum(map(_odds, rivals)))
    if shared >= max(policy.flag_threshold, _CLEARLY_BETTER):
        return replace(verdict, confidence=round(shared, 3))
    best = max(rivals, key=lambda rival: (rival.confidence, -rival.other))
    rival = Statement(StatementKind.AS_SIMILAR, documents=(best.other,))
    said = [statement for statement in verdict.statements if statement.kind is not StatementKind.DOUBT]
    return replace(
        verdict,
        relation=Relation.SIBLING,
        confidence=round(min(max(1 - shared, 0.01), 0.999), 3),
        flagged=False,
        statements=(*said, rival),
    )


def _odds(verdict: Verdict) -> float:
    return verdict.confidence / max(1 - verdict.confidence, 1e-6)
