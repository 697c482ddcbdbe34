"""The archive: each document is judged against what is indexed, never against itself, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from dedupe_core.fingerprint.fingerprint import fingerprint
from dedupe_core.model import Document, Fingerprint, Relation
from dedupe_core.policy import DEFAULT as POLICY
from dedupe_core.recipe import CLASSICAL, Recipe
from dedupe_core.recipe import DEFAULT as RECIPE
from hook.errors import IndexMissing, RecipeMismatch
from hook.examination import keyed
from hook.examination import views as open_views
from hook.examination.archive import Archive, NotIndexed
from hook.examination.codec import decode
from tests.core.core_kit import LETTER, NEXT_LETTER
from tests.corpus.noise import scanned

RESCAN = scanned(LETTER, "medium", 4)


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive.open(tmp_path / "index", RECIPE, POLICY) as opened:
        yield opened


def add(archive: Archive, document_id: int, content: str, owner: int | None = None) -> None:
    archive.remember(archive.examine(Document(document_id, content, owner=owner)).fingerprint)


def test_a_rescan_is_found_and_a_sibling_is_named(archive: Archive) -> None:
    """Verdicts come strongest first; with `everything`, siblings are among them, not flagged."""
    with archive:
        add(archive, 1, LETTER)
        add(archive, 2, NEXT_LETTER)
        verdicts = archive.judge(archive.fingerprint(Document(3, RESCAN)), everything=True)
    assert [(one.other, one.relation, one.flagged) for one in verdicts] == [
        (1, Relation.RESCAN, True),
        (2, Relation.SIBLING, False),
    ]


def test_examining_stores_nothing(archive: Archive) -> None:
    """Only `remember` does."""
    with archive:
        archive.examine(Document(1, LETTER))
        assert len(archive.index) == 0


def test_a_document_is_never_compared_with_itself(archive: Archive) -> None:
    """Not even when it is examined again with another text."""
    with archive:
        add(archive, 1, LETTER)
        assert archive.examine(Document(1, LETTER)).verdicts == ()
        assert archive.examine(Document(1, RESCAN)).verdicts == ()


def test_changed_says_whether_the_index_had_it(archive: Archive) -> None:
    """New, another text, another file: changed. The same again, in any layout: not."""
    with archive:
        assert archive.examine(Document(1, LETTER)).changed
        add(archive, 1, LETTER)
        assert not archive.examine(Document(1, LETTER.replace("\n", "  "))).changed
        assert archive.examine(Document(1, RESCAN)).changed
        assert archive.examine(Document(1, LETTER, checksum="ab")).changed


def test_remembering_again_replaces(archive: Archive) -> None:
    """A document whose text was corrected is found by its new text, not by its old one."""
    with archive:
        add(archive, 1, LETTER)
        add(archive, 1, "Ein ganz anderer Brief über Rosen, Tulpen und Nelken im Garten der Tante")
        assert archive.examine(Document(2, RESCAN)).verdicts == ()
        assert len(archive.index) == 1
        assert archive.index.check().sound


def test_what_is_forgotten_is_not_found(archive: Archive) -> None:
    """A document that was deleted in Paperless."""
    with archive:
        add(archive, 1, LETTER)
        assert archive.forget(1)
        assert not archive.forget(1)
        assert archive.examine(Document(2, RESCAN)).verdicts == ()
        assert archive.fingerprint_of(1) is None


def test_documents_that_are_not_visible_give_no_verdict(archive: Archive) -> None:
    """`visible` decides by the owner of the other document."""
    with archive:
        add(archive, 1, LETTER, owner=7)
        add(archive, 2, LETTER + " ", owner=None)
        shown = archive.examine(Document(3, RESCAN), visible=lambda owner: owner != 7).verdicts
        assert [one.other for one in shown] == [2]
        assert len(archive.examine(Document(3, RESCAN)).verdicts) == 2


def test_fingerprints_survive_the_process(tmp_path: Path) -> None:
    """What is read back is what was remembered."""
    with Archive.open(tmp_path, RECIPE, POLICY) as archive:
        examined = archive.examine(Document(1, LETTER, "Water", "ab12", "2023-02-03", "", 4))
        archive.remember(examined.fingerprint)
    with Archive.open(tmp_path, RECIPE, POLICY, create=False) as archive:
        assert archive.fingerprint_of(1) == examined.fingerprint
        assert [one.relation for one in archive.examine(Document(2, LETTER)).verdicts] == [Relation.IDENTICAL]


def test_a_batch_is_all_or_nothing(archive: Archive) -> None:
    """What was remembered in a batch that failed is not there; inside the batch it is found."""
    with archive:
        with pytest.raises(ZeroDivisionError), archive.batch():
            add(archive, 1, LETTER)
            assert len(archive.examine(Document(2, RESCAN)).verdicts) == 1
            raise ZeroDivisionError
        assert archive.fingerprint_of(1) is None
        assert archive.examine(Document(2, RESCAN)).verdicts == ()


def test_explain_answers_for_any_two(archive: Archive) -> None:
    """Also for siblings and unrelated documents, and the same in both directions."""
    with archive:
        for number, text in enumerate(
            [LETTER, RESCAN, NEXT_LETTER, "Plum cake of aunt Edith: stone a kilo of plums"], 1
        ):
            add(archive, number, text)
        relations = {other: archive.explain(1, other).relation for other in (2, 3, 4)}
        assert relations == {2: Relation.RESCAN, 3: Relation.SIBLING, 4: Relation.UNRELATED}
        assert archive.explain(2, 1).relation is Relation.RESCAN


def test_explain_agrees_with_examine(archive: Archive) -> None:
    """The reason that was written into Paperless can be shown again."""
    with archive:
        add(archive, 1, LETTER)
        add(archive, 2, NEXT_LETTER)
        said = archive.examine(Document(3, RESCAN)).verdicts[0]
        add(archive, 3, RESCAN)
        assert archive.explain(3, 1) == said


def test_explain_names_what_is_not_indexed(archive: Archive) -> None:
    """With the command that helps."""
    with archive:
        add(archive, 1, LETTER)
        with pytest.raises(
            NotIndexed, match="#9 is not in the index: if it is in Paperless and not in the trash, run"
        ):
            archive.explain(1, 9)


def test_another_recipe_is_refused_and_a_rebuild_starts_over(tmp_path: Path) -> None:
    """An index that was built with other parameters is not used at all."""
    with Archive.open(tmp_path, RECIPE, POLICY) as archive:
        add(archive, 1, LETTER)
    with pytest.raises(RecipeMismatch, match="backfill --rebuild"):
        Archive.open(tmp_path, CLASSICAL, POLICY)
    with Archive.rebuild(tmp_path, CLASSICAL, POLICY) as archive:
        assert len(archive.index) == 0


def test_no_index_is_created_unless_asked(tmp_path: Path) -> None:
    with pytest.raises(IndexMissing):
        Archive.open(tmp_path / "none", RECIPE, POLICY, create=False)


def test_the_classical_recipe_judges_classically(tmp_path: Path) -> None:
    """Similarity against a threshold, as a baseline."""
    with Archive.open(tmp_path, CLASSICAL, POLICY) as archive:
        add(archive, 1, LETTER)
        (verdict,) = archive.examine(Document(2, LETTER + " Danke")).verdicts
    assert [one.name for one in verdict.evidence] == ["jaccard", "fuzzy"]


def test_a_rescan_inside_a_family_of_hundreds_is_found(archive: Archive) -> None:
    """Candidates are bounded and ranked by rarity: the one letter among 300 of its template is found."""
    with archive:
        with archive.batch():
            for number in range(300):
                archive.remember(fingerprint(Document(number, _instance(number)), RECIPE))
        found = archive.examine(Document(1000, scanned(_instance(17), "light", 1)))
        assert len(found.verdicts) <= POLICY.compared
        assert [one.other for one in found.verdicts if one.flagged] == [17]


def test_a_document_that_is_indexed_already_has_the_same_candidates(archive: Archive) -> None:
    """It finds itself under each of its keys, which must not make them count as more frequent."""
    with archive:
        for number in range(9):
            add(archive, number, _instance(number))
        found = fingerprint(Document(1000, scanned(_instance(4), "light", 1)), RECIPE)
        before = archive.candidates(found)
        archive.remember(found)
        assert before
        assert archive.candidates(found) == before


def _instance(number: int) -> str:
    letter = NEXT_LETTER.replace("RE-2023-51207", f"RE-2023-{10_000 + 37 * number}")
    letter = letter.replace(
        "06.03.2023", f"{number % 28 + 1:02}.{number // 28 % 12 + 1:02}.{2012 + number // 200}"
    )
    return letter.replace("175,56", f"{100 + number},{number % 90 + 10}").replace(
        "7710982", f"77{number * 131:05}"
    )


def test_opened_documents_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A backfill of long documents keeps a bounded number of them open."""
    monkeypatch.setattr(open_views, "_OPENED_CHARS", 3000)
    with Archive.open(tmp_path, RECIPE, POLICY) as archive:
        for number in range(20):
            add(archive, number, LETTER + f" Blatt {number}")
            views = archive._views
            assert views._chars <= 3000
            assert views._chars == sum(len(one.view.fingerprint.text) for one in views._opened.values())


def test_an_examination_decodes_each_record_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if the caller asks for the document itself and for those it was compared with, and stores it."""
    decoded: list[bytes] = []

    def counting(record: bytes) -> Fingerprint:
        decoded.append(record)
        return decode(record)

    with Archive.open(tmp_path, RECIPE, POLICY) as archive:
        add(archive, 1, LETTER)
        add(archive, 2, RESCAN)
    monkeypatch.setattr(keyed, "decode", counting)
    monkeypatch.setattr(open_views, "decode", counting)
    with Archive.open(tmp_path, RECIPE, POLICY) as archive, archive.batch():
        known = archive.fingerprint_of(2)
        examination = archive.examine(Document(2, NEXT_LETTER))
        assert examination.known == known is not None
        archive.remember(examination.fingerprint)
        assert archive.fingerprint_of(1) == archive.fingerprint_of(1) is not None
        assert len(decoded) == len(set(decoded)) == 2


def test_an_examination_computes_its_keys_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To look up and to store."""
    computed: list[Fingerprint] = []
    keys_for = keyed.keys_for

    def counting(found: Fingerprint, recipe: Recipe) -> object:
        computed.append(found)
        return keys_for(found, recipe)

    monkeypatch.setattr(keyed, "keys_for", counting)
    with Archive.open(tmp_path, RECIPE, POLICY) as archive:
        archive.remember(archive.examine(Document(1, LETTER)).fingerprint)
    assert len(computed) == 1


def test_a_document_that_was_compared_is_read_again_after_a_change(tmp_path: Path) -> None:
    """By ourselves or by another process."""
    with Archive.open(tmp_path, RECIPE, POLICY) as one, Archive.open(tmp_path, RECIPE, POLICY) as other:
        add(one, 1, LETTER)
        other.examine(Document(2, RESCAN))
        add(one, 1, NEXT_LETTER)
        assert other.fingerprint_of(1) == one.fingerprint_of(1)
        other.examine(Document(2, RESCAN))
        add(other, 1, LETTER)
        assert other.fingerprint_of(1) == one.fingerprint_of(1)
        assert other.forget(1)
        assert other.fingerprint_of(1) is None


def test_a_document_replaced_by_another_process_is_read_again(tmp_path: Path) -> None:
    """Two archives on one index: what one replaces, the other judges by its new text."""
    with Archive.open(tmp_path, RECIPE, POLICY) as one, Archive.open(tmp_path, RECIPE, POLICY) as other:
        add(one, 1, LETTER)
        assert other.examine(Document(2, RESCAN)).verdicts[0].relation is Relation.RESCAN
        add(one, 1, NEXT_LETTER)
        assert not any(verdict.flagged for verdict in other.examine(Document(2, RESCAN)).verdicts)


def test_the_policy_decides_what_is_flagged(tmp_path: Path) -> None:
    """With a threshold above everything but equality, only equal documents are flagged."""
    with Archive.open(tmp_path, RECIPE, replace(POLICY, flag_threshold=0.995)) as archive:
        add(archive, 1, LETTER)
        assert not archive.examine(Document(2, RESCAN)).verdicts[0].flagged
        assert archive.examine(Document(2, LETTER)).verdicts[0].flagged
