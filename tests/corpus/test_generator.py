"""The generator of labelled documents (scripts/corpus): the same seed gives the same corpus, and labels tell the truth."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations
from typing import Any

import pytest

from dedupe_core.facts.accounts import canonical, is_account
from dedupe_core.text.folding import fold
from scripts.corpus.generate import TEMPLATES, corpus
from scripts.corpus.papers import Paper, Scan, relation
from scripts.corpus.sender import Sender, tells_apart
from scripts.corpus.template import EDIT, Filler, Place, edited, edits_of, load, parse

Corpus = tuple[list[dict[str, Any]], list[dict[str, Any]]]
ALL = load(TEMPLATES)


@pytest.fixture(scope="module")
def made() -> Corpus:
    return corpus(ALL, 400, 7)


def test_the_same_seed_gives_the_same_corpus() -> None:
    """A fit can be repeated from the repository alone."""
    assert corpus(ALL, 60, 7) == corpus(ALL, 60, 7) != corpus(ALL, 60, 8)


def test_every_two_papers_of_a_sender_are_labelled(made: Corpus) -> None:
    """What is not listed is unrelated, so nothing of one sender may be missing."""
    docs, pairs = made
    families = defaultdict(list)
    for doc in docs:
        families[doc["family"]].append(doc["id"])
    expected = {frozenset(pair) for ids in families.values() for pair in combinations(ids, 2)}
    labelled = [frozenset((pair["a"], pair["b"])) for pair in pairs]
    bundles = {doc["id"] for doc in docs if doc["source"].startswith("bundle:")}
    assert {pair for pair in labelled if not pair & bundles} == expected
    assert len(set(labelled)) == len(labelled)


def test_duplicates_are_the_same_paper_and_nothing_else_is(made: Corpus) -> None:
    """`duplicate` is one group, anything else is two."""
    docs, pairs = made
    group = {doc["id"]: doc["group"] for doc in docs}
    for pair in pairs:
        assert (group[pair["a"]] == group[pair["b"]]) == (pair["label"] == "duplicate"), pair


def test_a_part_is_in_its_whole(made: Corpus) -> None:
    """`contained` has the part first: half of its words or more are in the other, whatever became of the accents."""
    docs, pairs = made
    words = {doc["id"]: Counter(fold(doc["content"]).split()) for doc in docs}
    clean = {doc["id"] for doc in docs if doc["noise"] in ("digital", "light")}
    found = [pair for pair in pairs if pair["label"] == "contained" and {pair["a"], pair["b"]} <= clean]
    assert found
    for pair in found:
        part, whole = words[pair["a"]], words[pair["b"]]
        assert (part & whole).total() > part.total() / 2, pair


def test_equal_texts_are_duplicates(made: Corpus) -> None:
    """Two papers with the same words are one paper, of one sender or of two: a label must be visible in the text."""
    docs, _ = made
    groups = defaultdict(set)
    for doc in docs:
        groups[" ".join(doc["content"].split())].add(doc["group"])
    assert [found for found in groups.values() if len(found) > 1] == []


def test_a_template_fills_completely_and_each_edit_changes_the_paper() -> None:
    """No blank, alternative or edit mark is left in a paper; a version differs from the first one in its words."""
    for template in ALL:
        filler = Filler(template, Place(1, 0))
        for section in template.sections.values():
            text = filler.wording(section)
            first = filler.fill(edited(text))
            assert not any(mark in first for mark in ("{", "}", "[[", "]]", "<<", "=>", ">>")), first
            for number in range(len(edits_of(text))):
                changed = filler.fill(edited(text, frozenset({number})))
                assert changed.split() != first.split(), (template.name, EDIT.findall(text)[number])


def test_papers_share_what_their_scope_shares() -> None:
    """Two copies of a mail merge differ in the m blanks alone, two months in the p blanks."""
    template = parse("x_en", "kind: x\n\n{s_a:id} {h_b:id} {p_c:id} {m_d:id}")
    here = Place(1, 1, 1, 1, 1)
    words = Filler(template, here).fill(template.text).split()
    copy = Filler(template, Place(1, 1, 1, 1, 2)).fill(template.text).split()
    month = Filler(template, Place(1, 1, 1, 2, 1)).fill(template.text).split()
    assert [a == b for a, b in zip(words, copy, strict=True)] == [True, True, True, False]
    assert [a == b for a, b in zip(words, month, strict=True)] == [True, True, False, False]


RULES = """kind: version
series: editions
step: 12

Rules of the {s_club:choice/Rowing Club;Choir} of {s_town.name:city}, adopted {p_day:date}
The fee is <<number:ten=>twenty>> pounds. Dogs are <<not:allowed=>not allowed>>. <<add:=>Keys are kept by the caretaker.>>
"""


def test_the_papers_of_an_edition_series_are_versions_of_each_other() -> None:
    """Each has a date of its own and edits; without `series` they are papers of a template."""
    labels = {}
    for source in (RULES, RULES.replace("series: editions\n", "")):
        papers = [
            paper for number in range(9) for paper in Sender(parse("rules_en", source), number, 1).papers()
        ]
        others = [
            (one, other)
            for one, other in combinations(papers, 2)
            if one.place.sender == other.place.sender and one.place != other.place
        ]
        assert others
        assert all(one.text.split("\n")[0] != other.text.split("\n")[0] for one, other in others)
        labels[source] = {relation(one, other)[0] for one, other in others}
    assert list(labels.values()) == [{"version"}, {"template_sibling"}]


def test_a_blank_without_a_kind_is_an_error() -> None:
    """A typing error in a template is named, not printed."""
    with pytest.raises(ValueError, match="p_x"):
        parse("x_en", "kind: x\n\n{p_x}")


def test_a_scan_that_lost_what_tells_it_apart_is_not_kept() -> None:
    """Two copies of a mail merge whose only difference was cut off cannot be told apart, by nobody."""
    template = parse("x_en", "kind: x\n\nDear {m_who:first}, the hall is closed on Sunday.")
    one, other = (
        Paper(template, Place(1, 0, copy=copy), text=f"Dear {name}, the hall is closed.")
        for copy, name in enumerate(("Alice", "Victor"))
    )
    assert tells_apart(Scan(one, "light", "scan", ("Dear Alico, the hall is closed.",)), [other])
    assert not tells_apart(Scan(one, "light", "scan", ("the hall is closed.",)), [other])


def test_what_households_scan_twice_is_in_the_corpus() -> None:
    """Blank forms and prints from a portal have duplicates; what one print has and another has not is its time."""
    templates = [one for one in ALL if one.forms or one.portal]
    senders = [Sender(template, 0, 1) for template in templates]
    scans = {sender.template.name: sender.scans() for sender in senders}
    blank = Counter(scan.paper.source for found in scans.values() for scan in found if scan.paper.empty)
    assert sum(count > 1 for count in blank.values()) > len([one for one in templates if one.forms]) / 2
    prints = [
        {*a.lines} ^ {*b.lines}
        for found in scans.values()
        for a, b in combinations(found, 2)
        if (a.how, b.how, a.noise, b.noise) == ("portal", "portal", "digital", "digital")
        and a.paper.identity == b.paper.identity
    ]
    assert prints
    assert all(len(lines) == 2 for lines in prints)


def test_accounts_exist() -> None:
    """Check digits are right, also those of an account that was put for another one."""
    found = [
        canonical(Filler(template, Place(1, 1)).value(name).text)
        for template in ALL
        for name, (kind, spec) in template.blanks.items()
        if kind == "iban" or (kind == "near" and template.blanks[spec][0] == "iban")
    ]
    assert found and all(map(is_account, found)), found
