"""A subject and the documents that resemble it in, verdicts out; bounded, symmetric, deterministic."""

from __future__ import annotations

from collections.abc import Sequence

from dedupe_core.compare.evidence import Evidence, Glance, compare, compare_fully, containment, glance
from dedupe_core.compare.view import Neighbourhood, View
from dedupe_core.judge.fitted import FITTED
from dedupe_core.judge.group import only_one_paper, surest_links, without_copies
from dedupe_core.judge.translated import translated_verdict, translations
from dedupe_core.judge.trees import Ensembles
from dedupe_core.judge.verdict import can_skip, decide, has_certain_conflict, linked_verdict
from dedupe_core.model import Fingerprint, Relation, Verdict
from dedupe_core.policy import Policy
from dedupe_core.statements.statements import exact

# A pair is worth a glance if most words of the shorter text are also in the other one, or fewer of them and a
# long number or two numbers of four digits; or if sampled passages of one are in the other, wherever they are.
# Each bound is below what related pairs of the labelled corpus have, and rules out half of the unrelated ones.
_RESEMBLING, _FAINT = 0.06, 0.1
_SHARED_WORDS, _SHARED_BESIDE_NUMBER = 0.38, 0.25
_LONG_NUMBER = 6
_SHARED_PASSAGES, _FEWEST_PASSAGES = 0.3, 3


def judge(
    subject: View,
    others: Sequence[View],
    policy: Policy,
    *,
    everything: bool = False,
    explained: bool = True,
    trees: Ensembles = FITTED,
) -> list[Verdict]:
    """Verdicts on the subject against each document worth comparing, the surest first.

    A pair that a first glance rules out has none, unless `everything` is set. Without `explained`, only the verdicts on
    pairs that are reported have statements.
    """
    around = Neighbourhood(others)
    verdicts = [
        verdict for other in others if (verdict := exact_verdict(subject.fingerprint, other.fingerprint))
    ]
    verdicts += translations(subject, _without(others, verdicts), around, policy)
    unsettled = _without(others, verdicts)
    for other in rank_candidates(subject, unsettled, around, policy.compared):
        seen = glance(subject, other, around)
        if everything or not can_skip(seen, trees):
            verdicts.append(_decided(subject, other, seen, around, policy, trees, explained=explained))
    verdicts = _consistent(subject, verdicts, others, around, policy, trees)
    return sorted(verdicts, key=lambda verdict: (not verdict.flagged, -verdict.confidence, verdict.other))


def classify(
    subject: View,
    other: View,
    around: Neighbourhood,
    policy: Policy,
    trees: Ensembles = FITTED,
    *,
    explained: bool = True,
) -> Verdict:
    """The verdict on one pair among its neighbours."""
    settled = exact_verdict(subject.fingerprint, other.fingerprint)
    settled = settled or translated_verdict(subject, other, around, policy)
    if settled is not None:
        return settled
    seen = glance(subject, other, around)
    return _decided(subject, other, seen, around, policy, trees, explained=explained)


def _without(others: Sequence[View], settled: Sequence[Verdict]) -> list[View]:
    numbers = {verdict.other for verdict in settled}
    return [other for other in others if other.id not in numbers]


def _decided(
    subject: View,
    other: View,
    seen: Glance,
    around: Neighbourhood,
    policy: Policy,
    trees: Ensembles,
    *,
    explained: bool = True,
) -> Verdict:
    evidence = compare_fully(seen, around)
    return decide(subject.fingerprint, other.fingerprint, evidence, policy, trees, explained=explained)


def _consistent(
    subject: View,
    verdicts: Sequence[Verdict],
    others: Sequence[View],
    around: Neighbourhood,
    policy: Policy,
    trees: Ensembles,
) -> list[Verdict]:
    """Two copies of one paper are copies of the same papers, and of no others."""

    def ask(one: View, other: View) -> Verdict:
        return classify(one, other, around, policy, trees, explained=False)

    def again(other: View, copies: frozenset[int]) -> Verdict:
        fewer = Neighbourhood(document for document in others if document.id not in copies)
        return classify(subject, other, fewer, policy, trees)

    view_of = {other.id: other for other in others}
    verdicts = without_copies(verdicts, view_of, ask, again)
    verdicts = only_one_paper(verdicts, view_of, policy, ask)
    by_other = {verdict.other: verdict for verdict in verdicts}
    for number, confidence in surest_links(verdicts, view_of, policy, ask).items():
        other = view_of[number]
        evidence = compare(subject, other, around)
        if not has_certain_conflict(evidence):
            by_other[number] = linked_verdict(
                subject.fingerprint, other.fingerprint, evidence, confidence, trees
            )
    return list(by_other.values())


def exact_verdict(subject: Fingerprint, other: Fingerprint) -> Verdict | None:
    """The exact tier: the same text, or the same file. Empty text equals nothing."""
    same_text = bool(subject.content_hash) and subject.content_hash == other.content_hash
    same_file = bool(subject.checksum) and subject.checksum.lower() == other.checksum.lower()
    if not same_text and not same_file:
        return None
    said, evidence = exact(same_text=same_text, same_file=same_file)
    return Verdict(subject.id, other.id, Relation.IDENTICAL, 1.0, True, (said,), evidence)


def rank_candidates(subject: View, others: Sequence[View], around: Neighbourhood, limit: int) -> list[View]:
    """Those that share most of what is rare, at most `limit`."""
    worth = [other for other in others if _worth_comparing(subject, other, around)]
    if len(worth) <= limit:
        return worth
    scored = [(_promise(subject, other, around), other) for other in worth]
    return [other for _, other in sorted(scored, key=lambda pair: (-pair[0], pair[1].id))[:limit]]


def _worth_comparing(subject: View, other: View, around: Neighbourhood) -> bool:
    """The cheapest questions first: most candidates are answered before their text is split into tokens."""
    alike = around.resemblance(subject, other)
    if alike < _FAINT and not _shares_fact(subject, other):
        return len(subject.parts & other.parts) >= _FEWEST_PASSAGES and _is_part(subject, other)
    if not (subject.words and other.words):
        return True
    shared = len(subject.words & other.words) / min(len(subject.words), len(other.words))
    if shared < _SHARED_BESIDE_NUMBER:
        return _is_part(subject, other)
    lengths = [len(number) for number in subject.numbers & other.numbers]
    if any(length >= _LONG_NUMBER for length in lengths) or sum(length >= 4 for length in lengths) >= 2:
        return True
    return (shared >= _SHARED_WORDS and alike >= _RESEMBLING) or _is_part(subject, other)


def _shares_fact(subject: View, other: View) -> bool:
    """A reference, or a date beside an amount: in a large archive many papers share a date."""
    if not subject.references.isdisjoint(other.references):
        return True
    return not (subject.dates.isdisjoint(other.dates) or subject.amounts.isdisjoint(other.amounts))


def _is_part(subject: View, other: View) -> bool:
    passages = len(subject.parts & other.parts)
    return passages >= _FEWEST_PASSAGES and max(containment(subject, other)) >= _SHARED_PASSAGES


def _promise(subject: View, other: View, around: Neighbourhood) -> float:
    rare = around.rarity("numbers", subject.numbers & other.numbers, subject, other)
    rare += around.rarity("dates", subject.dates & other.dates, subject, other)
    fewer = 1 + min(len(subject.numbers), len(other.numbers))
    alike = around.resemblance(subject, other)
    return rare / fewer + 2 * alike + max(containment(subject, other))


__all__ = ["Evidence", "classify", "exact_verdict", "judge", "rank_candidates"]
