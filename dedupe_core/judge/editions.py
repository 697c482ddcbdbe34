"""Editions and parts that the trees take for papers of one template: of texts that nothing else resembles, known by their
measures, and editions that say which they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from dedupe_core.compare.evidence import Evidence
from dedupe_core.compare.printed import Printed
from dedupe_core.text.vocabulary import is_edition_word

# Another edition: most of the words of the shorter text are in the longer one and in order, and words of running text
# differ, not only fields; no reference, web or mail address was replaced, which makes it another paper of a template. A
# shorter text has passages that are in no other document, so that it is not a template; a text of 500 words and more needs
# none, because its older editions have the same. Of the pairs of three labelled corpora that have all this, 48 are
# revisions, parts or duplicates, 2 siblings and 2 unrelated.
EDITION, _EDITION_WORDS, _EDITION_PASSAGES, _EDITION_OWN = 0.8, 60, 8, 0.6
_EDITION_COVERED, _EDITION_IN_ORDER, _EDITION_LENGTH, _EDITION_ERRORS, _OTHER_WORDS = 0.9, 0.7, 0.6, 0.015, 4
# A shorter text than this with another name on it is the same form, filled in for somebody else.
_NAMED_EDITION = 180
# Two long texts that share most of their passages with each other and with no other document are editions of one text,
# however much was rewritten between them: none of the pairs of the labelled corpora that have this is a sibling.
_OWN_LONG_PASSAGES, _OWN_LONG_SHARE, _OWN_LONG_COVERED = 30, 0.5, 0.84
_OWN_LONG_IN_ORDER, _OWN_LONG_LENGTH = 0.45, 0.4
_LONG_EDITION, _LONG_COVERED, _LONG_IN_ORDER, _LONG_OTHER_WORDS = 500, 0.88, 0.8, 8

# An edition that says which it is: how much of the text is the same, words above that, and words that name it ("of 3 March 2024").
_TITLED_COVERED, _TITLED_IN_ORDER, _TITLE_WORDS, _EDITION_NAME = 0.7, 0.5, 40, 5
# A part of a text so long that the index keeps only its ends is known by its sampled passages alone: half of
# them are in it (10 letters survive 5% of misread letters with p=0.6), and no neighbour has them.
_PART_SHARE, _PART_PASSAGES, _PART_OWN, _PART_LENGTH = 0.5, 8, 0.6, 0.4
# The same of shorter texts, where the words are at hand, too.
OWN_PART, _OWN_PART_SHARE, _OWN_PART_PASSAGES, _OWN_PART_COVERED, _OWN_PART_LENGTH = 0.8, 0.6, 6, 0.9, 0.6


def is_edition(measures: Mapping[str, float]) -> bool:
    """True for two texts of one origin, of which one was rewritten in places, whatever became of dates and amounts."""
    if _is_long_own_edition(measures):
        return True
    if measures["ledger_error_rate"] > _EDITION_ERRORS or measures["length_ratio"] < _EDITION_LENGTH:
        return False
    if (
        measures["references_conflict"] > 0
        or measures["certain_contacts"] > 0
        or measures["left_over_contacts"] >= 1
    ):
        return False
    return _is_own_edition(measures) or _is_long_edition(measures)


def _is_own_edition(measures: Mapping[str, float]) -> bool:
    is_own = measures["passages_shared"] >= _EDITION_PASSAGES and measures["passages_own"] >= _EDITION_OWN
    is_there = measures["coverage_high"] >= _EDITION_COVERED and measures["in_order"] >= _EDITION_IN_ORDER
    if measures["certain_names"] and measures["length"] < _NAMED_EDITION:
        return False
    return (
        is_own and is_there and measures["length"] >= _EDITION_WORDS and _rewritten(measures) >= _OTHER_WORDS
    )


def _is_long_edition(measures: Mapping[str, float]) -> bool:
    is_there = measures["coverage_high"] >= _LONG_COVERED and measures["in_order"] >= _LONG_IN_ORDER
    other_words = _rewritten(measures) + measures["left_over_words_high"]
    return is_there and measures["length"] >= _LONG_EDITION and other_words >= _LONG_OTHER_WORDS


def _is_long_own_edition(measures: Mapping[str, float]) -> bool:
    is_own = measures["passages_own"] >= _OWN_LONG_SHARE and measures["passages_shared"] >= _OWN_LONG_PASSAGES
    is_there = measures["coverage_high"] >= _OWN_LONG_COVERED and measures["in_order"] >= _OWN_LONG_IN_ORDER
    is_long = measures["length"] >= _LONG_EDITION and measures["length_ratio"] >= _OWN_LONG_LENGTH
    return is_own and is_there and is_long and not measures["certain_contacts"]


def _rewritten(measures: Mapping[str, float]) -> float:
    return measures["inserted_words"] + measures["inserted_lines_words"] + measures["left_over_words"]


def is_new_edition(evidence: Evidence) -> bool:
    """Both have the same title and say below it which edition they are, and it is another one: statutes, terms of use."""
    measures, ledger = evidence.measures, evidence.ledger
    is_alike = measures["coverage_high"] >= _TITLED_COVERED and measures["in_order"] >= _TITLED_IN_ORDER
    if not is_alike or measures["references_conflict"] or measures["certain_contacts"]:
        return False
    left, right = _edition(ledger.left), _edition(ledger.right)
    if left is None or right is None or left.numbers == right.numbers:
        return False
    return len(left.title) == len(right.title) and all(map(_is_same_word, left.title, right.title))


class _Edition(NamedTuple):
    title: tuple[str, ...]
    numbers: tuple[str, ...]


def _edition(side: Printed) -> _Edition | None:
    for place, key in enumerate(side.keys[:_TITLE_WORDS]):
        if place and is_edition_word(key):
            behind = side.keys[place + 1 : place + 1 + _EDITION_NAME]
            if numbers := tuple(one for one in behind if any(map(str.isdigit, one))):
                return _Edition(side.keys[:place], numbers)
    return None


def _is_same_word(a: str, b: str) -> bool:
    """The same word; of a long one, a letter in five may be misread."""
    return Levenshtein.distance(a, b) <= len(a) // 5


def share_in_long(measures: Mapping[str, float]) -> float:
    """How much of the shorter text is in the long one, if it is not boilerplate; else 0."""
    is_own = measures["passages_shared"] >= _PART_PASSAGES and measures["passages_own"] >= _PART_OWN
    is_part = measures["contained_high"] >= _PART_SHARE and measures["length_ratio"] <= _PART_LENGTH
    return measures["contained_high"] if is_own and is_part else 0.0


def is_own_part(measures: Mapping[str, float]) -> bool:
    """Most passages and nearly all words of the shorter text are in the longer one, and no other document has them."""
    is_own = measures["passages_own"] >= _PART_OWN and measures["passages_shared"] >= _OWN_PART_PASSAGES
    is_there = (
        measures["contained_high"] >= _OWN_PART_SHARE and measures["coverage_high"] >= _OWN_PART_COVERED
    )
    return is_own and is_there and measures["length_ratio"] <= _OWN_PART_LENGTH
