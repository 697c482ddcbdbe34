"""The archive: each document is judged against what is indexed, never against itself, and nothing else."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dedupe_core.model import Document, Fingerprint, Relation, Verdict
from dedupe_core.policy import DEFAULT as POLICY
from dedupe_core.recipe import CLASSICAL
from dedupe_core.recipe import DEFAULT as RECIPE
from hook.errors import RecipeMismatch
from hook.examination import judging
from hook.examination.archive import Archive, NotIndexed
from hook.examination.codec import decode
from hook.examination.judging import keys_for
from hook.index.interface import BUCKET_CAP, BUCKET_SLACK
from scripts.benchmarks.family import again, letter
from tests.core.core_kit import LETTER, NEXT_LETTER
from tests.corpus.noise import scanned

RESCAN = scanned(LETTER, "medium", 4)


def add(archive: Archive, document_id: int, content: str, owner: int | None = None) -> None:
    archive.remember(archive.fingerprint(Document(document_id, content, owner=owner)))


def similar(archive: Archive, content: str, number: int = 99) -> list[tuple[int, Relation, bool]]:
    verdicts = archive.examine(Document(number, content), everything=True).verdicts
    return [(one.other, one.relation, one.flagged) for one in verdicts]


def test_a_rescan_is_found_a_sibling_is_named_and_the_document_itself_is_not(archive: Archive) -> None:
    """Verdicts come strongest first; with `everything`, siblings are among them, not flagged. Judging stores nothing."""
    add(archive, 1, LETTER)
    add(archive, 2, NEXT_LETTER)
    both = [(1, Relation.RESCAN, True), (2, Relation.SIBLING, False)]
    assert similar(archive, RESCAN) == both
    assert similar(archive, RESCAN, number=1) == both[1:]
    plain = archive.examine(Document(3, RESCAN)).verdicts
    assert [(one.other, one.relation, one.flagged) for one in plain] == both[:1]
    assert len(archive.index) == 2


def test_a_pair_that_only_the_full_comparison_would_report_is_not_reported(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A first look rules out a pair for a plain scan. --all compares it all the same, and shows it without a report."""
    ruled_out, other = (Verdict(9, number, Relation.RESCAN, 0.9, True) for number in (1, 2))

    def judged(*_: object, everything: bool = False, explained: bool = True) -> list[Verdict]:
        return [ruled_out, other] if everything else [other]

    monkeypatch.setattr(judging, "judge", judged)
    assert similar(archive, LETTER) == [(1, Relation.RESCAN, False), (2, Relation.RESCAN, True)]


def test_changed_says_whether_the_index_had_it(archive: Archive) -> None:
    """New, another text, another file: changed. The same again, in any layout: not."""
    assert archive.examine_and_store(Document(1, LETTER)).changed
    assert not archive.examine_and_store(Document(1, LETTER.replace("\n", "  "))).changed
    assert archive.examine(Document(1, RESCAN)).changed
    assert archive.examine(Document(1, LETTER, checksum="ab")).changed


def test_only_documents_of_visible_owners_give_a_verdict(archive: Archive) -> None:
    add(archive, 1, LETTER, owner=7)
    add(archive, 2, LETTER + " ", owner=None)
    subject = Document(3, RESCAN)
    shown = archive.examine(subject, owners=(None, 4)).verdicts
    assert [verdict.other for verdict in shown] == [2]
    assert archive.examine_and_store(subject, owners=(None, 4)).verdicts == shown
    assert {one.other for one in archive.examine_and_store(subject).verdicts} == {1, 2}


def test_explain_answers_for_any_two(archive: Archive) -> None:
    """Also for siblings and unrelated documents, the same in both directions, and as it was reported."""
    for number, text in enumerate([LETTER, NEXT_LETTER, "Plum cake of aunt Edith: stone a kilo of plums"], 1):
        add(archive, number, text)
    said = archive.examine_and_store(Document(4, RESCAN)).verdicts[0]
    assert archive.explain(4, 1) == said
    relations = {other: archive.explain(1, other).relation for other in (2, 3, 4)}
    assert relations == {2: Relation.SIBLING, 3: Relation.UNRELATED, 4: Relation.RESCAN}
    with pytest.raises(
        NotIndexed, match="#9 is not in the index: if it is in Paperless and not in the trash, run"
    ):
        archive.explain(1, 9)


def test_another_recipe_is_refused_and_a_rebuild_starts_over(tmp_path: Path) -> None:
    """An index that was built with other parameters is not used at all. The classical recipe judges classically."""
    with Archive.open(tmp_path, RECIPE, POLICY) as archive:
        add(archive, 1, LETTER)
    with pytest.raises(RecipeMismatch, match="backfill --rebuild"):
        Archive.open(tmp_path, CLASSICAL, POLICY)
    with Archive.open(tmp_path, CLASSICAL, POLICY, empty=True) as archive:
        assert len(archive.index) == 0
        add(archive, 1, LETTER)
        (verdict,) = archive.examine_and_store(Document(2, LETTER + " Danke")).verdicts
        assert [one.name for one in verdict.evidence] == ["jaccard", "fuzzy"]
        assert archive.explain(2, 1) == verdict


def test_the_oldest_of_a_large_family_is_found_by_its_second_scan(archive: Archive) -> None:
    """Its band keys lead to the newest letters only; its numbers lead to it. A look-up stays bounded."""
    letters = 400  # five times what a bucket keeps
    with archive.batch():
        for number in range(letters):
            archive.remember(archive.fingerprint(letter(number)))
    for number in (0, 7, letters - 1):
        document = again(number, 10_000)
        subject = archive.fingerprint(document)
        hits = archive.index.lookup(np.concatenate(keys_for(subject, RECIPE)))
        assert int(hits.sizes.max()) <= BUCKET_CAP + BUCKET_SLACK
        verdicts = archive.examine(document).verdicts
        assert len(archive.candidates(subject)) <= POLICY.candidates
        assert len(verdicts) <= POLICY.compared
        assert [verdict.other for verdict in verdicts if verdict.flagged] == [number]


def test_a_document_that_is_indexed_already_has_the_same_candidates(archive: Archive) -> None:
    """It finds itself under each of its keys, which must not make them count as more frequent."""
    for number in range(9):
        archive.remember(archive.fingerprint(letter(number)))
    subject = archive.fingerprint(again(4, 10_000))
    before = archive.candidates(subject)
    archive.remember(subject)
    assert archive.candidates(subject) == before != []


def test_opened_documents_are_bounded_and_decoded_once(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A backfill of long documents keeps a bounded number of them open, those that were used last."""
    decoded: list[int] = []

    def counting(record: bytes) -> Fingerprint:
        decoded.append(decode(record).id)
        return decode(record)

    monkeypatch.setattr(judging, "decode", counting)
    monkeypatch.setattr(
        judging, "_OPENED_CHARS", int(2.5 * len(archive.fingerprint(Document(1, LETTER)).text))
    )
    for number in range(3):
        add(archive, number, LETTER + f" Blatt {number}")
    for number in (0, 1, 0, 2, 0, 1):
        archive.fingerprint_of(number)
    assert decoded == [0, 1, 2, 1]


def test_a_document_replaced_by_another_process_is_judged_by_its_new_text(tmp_path: Path) -> None:
    with Archive.open(tmp_path, RECIPE, POLICY) as one, Archive.open(tmp_path, RECIPE, POLICY) as other:
        add(one, 1, LETTER)
        assert similar(other, RESCAN) == [(1, Relation.RESCAN, True)]
        add(one, 1, NEXT_LETTER)
        assert similar(other, RESCAN) == [(1, Relation.SIBLING, False)]
        assert other.fingerprint_of(1) == one.fingerprint_of(1)
