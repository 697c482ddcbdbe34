"""Measures in, answers out: what is certain from a few of them, and what the fitted trees have seen too little of.

None of these rules is wrong on more than two pairs of the labelled corpus; what each may look at is bounded by a
number beside its reason.
"""

from __future__ import annotations

from collections.abc import Mapping

# Another edition: letters in a row that say something else, and words that the other side has nowhere ...
_SENTENCE, _SENTENCE_WORDS = 40, 4
_IN_ORDER = 0.1  # of the words stand in another place: then whole columns were read in another order
# ... or, where no more than one letter in 200 is misread, a phrase of three words, or of two beside another amount.
_PHRASE, _CLEAR, _PHRASE_WORDS, _WORDS_BESIDE_AMOUNT = 10, 0.005, 3, 1.5

# An edition with a paragraph more: nearly all words of the shorter stand in the longer, in order, and hardly any
# is replaced; the passages are in no neighbour, so it is no form.
_EDITION_WORDS, _EDITION_PASSAGES, _EDITION_LENGTH, _EDITION_OWN = 100, 12, 0.6, 0.8
_EDITION_COVERED, _EDITION_EQUAL, _EDITION_ERRORS = 0.95, 0.85, 0.01
_ADDED_WORDS, _REPLACED_WORDS = 6, 2

# A larger paper: it has the other's words and dozens of its own, clearly read.
_MOST_WORDS, _FEWER_WORDS, _DOZENS, _READABLE = 0.9, 0.7, 25, 0.01
_WORD_FOR_WORD, _ALL_WORDS, _LONGER, _EVEN = 0.98, 0.97, 0.85, 0.5

# A part of a text so long that the index keeps only its ends is known by its sampled passages alone: half of
# them stand there (10 letters survive 5% of misread letters with p=0.6), and they are no boilerplate.
_PART_SHARE, _PART_PASSAGES, _PART_OWN, _PART_LENGTH = 0.5, 8, 0.6, 0.4
_PROSE_SHARE, _PROSE_PASSAGES, _PROSE_OWN, _PROSE_COVERED = 0.75, 20, 0.8, 0.85


def is_rewritten(measures: Mapping[str, float]) -> bool:
    """A sentence says something else on either side, in its place: no scan of one paper. If it is clearly
    read, a few words are enough, and fewer beside another amount."""
    if measures["error_rate"] <= _CLEAR and measures["disorder"] <= _IN_ORDER / 2:
        is_other_amount = not measures["amounts_share"] and not measures["top_amount"]
        words = _WORDS_BESIDE_AMOUNT if is_other_amount else _PHRASE_WORDS
        return measures["passage_replaced"] >= _PHRASE and measures["words_absent"] >= words
    return (
        measures["passage_replaced"] >= _SENTENCE
        and measures["aligned_content"] >= _SENTENCE_WORDS
        and measures["disorder"] <= _IN_ORDER
    )


def has_much_more(measures: Mapping[str, float]) -> bool:
    """The one has all of the other's words, clearly read, and dozens of its own: it is the larger paper.

    A few are enough where the other stands in it word for word.
    """
    if measures["error_rate"] <= _CLEAR and measures["aligned_equal"] >= _WORD_FOR_WORD:
        is_longer = measures["length_ratio"] <= _LONGER and measures["words_absent_high"] >= _ADDED_WORDS
        return is_longer and measures["coverage_high"] >= _ALL_WORDS and measures["words_absent"] <= _EVEN
    return (
        measures["error_rate"] <= _READABLE
        and measures["coverage_high"] >= _MOST_WORDS
        and measures["coverage_low"] <= _FEWER_WORDS
        and measures["words_absent_high"] >= _DOZENS
    )


def share_in_long(measures: Mapping[str, float]) -> float:
    """How much of the shorter text stands in the long one, if that is no boilerplate; else 0."""
    is_own = measures["passages_shared"] >= _PART_PASSAGES and measures["passages_own"] >= _PART_OWN
    is_part = measures["contained_high"] >= _PART_SHARE and measures["length_ratio"] <= _PART_LENGTH
    return measures["contained_high"] if is_own and is_part else 0.0


def share_of_prose(measures: Mapping[str, float]) -> float:
    """The same where both texts are known whole: then its words and numbers must all stand there, too.

    For pages without a date or number, of which the fitted questions see nothing that identifies; on the
    labelled corpus it raises no alarm of its own.
    """
    is_own = measures["passages_shared"] >= _PROSE_PASSAGES and measures["passages_own"] >= _PROSE_OWN
    is_there = measures["coverage_high"] >= _PROSE_COVERED and not measures["dates_contradict"]
    is_there = is_there and measures["numbers_absent"] <= 0.1 * (measures["numbers"] + 1)
    is_part = measures["contained_high"] >= _PROSE_SHARE and measures["length_ratio"] <= _PART_LENGTH
    return measures["contained_high"] if is_own and is_there and is_part else 0.0


def share_of_edition(measures: Mapping[str, float]) -> float:
    """How much of the prose two editions share, if one has sentences more; else 0.

    What a form changes from one instance to the next is replaced, not added: then words are absent on both
    sides. For editions of which the date and the amounts have changed as on the next bill.
    """
    is_own = measures["passages_shared"] >= _EDITION_PASSAGES and measures["passages_own"] >= _EDITION_OWN
    is_long = measures["length"] >= _EDITION_WORDS and measures["length_ratio"] > _EDITION_LENGTH
    is_there = measures["coverage_high"] >= _EDITION_COVERED and measures["aligned_equal"] >= _EDITION_EQUAL
    has_more = measures["words_absent_high"] >= _ADDED_WORDS and measures["words_absent"] <= _REPLACED_WORDS
    is_clean = measures["error_rate"] <= _EDITION_ERRORS
    is_edition = is_own and is_long and is_there and has_more and is_clean
    return measures["passages_share_low"] if is_edition else 0.0
