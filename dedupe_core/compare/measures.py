"""The measures of a pair: the name of each, which way it points, and when it is taken.

`RISES`: more of it can only make "the same paper" likelier; `FALLS`: only less likely; `FREE`: depends on the rest. The
fitted trees are held to these directions, so that no agreement ever speaks against a pair and no contradiction for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum


class Direction(IntEnum):
    FALLS = -1
    FREE = 0
    RISES = 1


class Stage(StrEnum):
    GLANCE = "glance"  # from sets of tokens: cheap, and enough to tell most pairs apart
    CLOSE = "close"  # from the texts side by side


@dataclass(frozen=True, slots=True)
class Measure:
    name: str
    direction: Direction
    stage: Stage


def _measures(stage: Stage, direction: Direction, names: str) -> list[Measure]:
    return [Measure(name, direction, stage) for name in names.split()]


REGISTRY: tuple[Measure, ...] = (
    *_measures(Stage.GLANCE, Direction.RISES, """
        resemblance coverage_exact numbers_rare long_numbers_rare numbers_beside_words
        dates_rare dates_share dates_share_low amounts_rare amounts_share amounts_share_low
        references_rare references_share references_share_low first_date top_amount identity identity_own
        contained_high passages_share passages_share_low"""),
    *_measures(Stage.GLANCE, Direction.FALLS, "dates_conflict amounts_conflict references_conflict kinds_lost"),
    *_measures(Stage.GLANCE, Direction.FREE, "length length_ratio numbers contained_low passages_shared passages_own neighbours"),
    *_measures(Stage.CLOSE, Direction.RISES, """
        likeness coverage_low coverage_high words_support numbers_support numbers_support_high numbers_share
        numbers_share_low in_order equal_long_numbers equal_names
        digits_alike digits_beside_text digit_runs_rare digit_runs_share digit_runs_share_low
        above_usual above_usual_low above_best above_best_low"""),
    *_measures(Stage.CLOSE, Direction.FALLS, """
        words_absent words_absent_high words_absent_share words_content long_words_absent
        numbers_absent numbers_changed dates_contradict
        slips clear_slips clear_slips_surprise slips_share
        replaced replaced_long_numbers replaced_numbers replaced_names replaced_words replaced_contacts
        replaced_unclear replaced_amid_noise largest_replaced
        certain certain_long_numbers certain_numbers certain_names certain_words certain_contacts certain_passages
        certain_surprise certain_beside_noise certain_names_share certain_numbers_share
        inserted inserted_words inserted_longest inserted_numbers inserted_contacts inserted_both inserted_weight
        numbers_beyond_noise words_beyond_noise inserted_beyond_noise
        negations number_words surprise surprise_highest surprise_beside_noise
        left_over left_over_long_numbers left_over_numbers left_over_names left_over_words left_over_contacts
        left_over_beside_noise left_over_numbers_share left_over_names_share"""),
    *_measures(Stage.CLOSE, Direction.FREE, """
        error_rate misread_words numbers_slipped dates_slipped
        ledger_error_rate in_order_high noise_share moved_share replaced_weakly
        inserted_lines inserted_lines_words inserted_lines_longest inserted_one lost_words edge_words
        left_over_long_numbers_high left_over_numbers_high left_over_names_high left_over_words_high
        left_over_contacts_high"""),
)  # fmt: skip

GLANCE = tuple(one.name for one in REGISTRY if one.stage is Stage.GLANCE)
ALL = tuple(one.name for one in REGISTRY)
DIRECTIONS = {one.name: one.direction for one in REGISTRY}
# What differs, from the ledger alone: it does not depend on what else is in the archive, nor on how much is equal.
_NOT_OF_DIFFERENCES = (
    "words_", "long_words", "numbers_", "dates_", "error_rate", "misread_words", "likeness", "coverage_", "in_order", "equal_",
    "digit", "above_",
)  # fmt: skip
LEDGER = tuple(
    one.name
    for one in REGISTRY
    if one.stage is Stage.CLOSE
    and (one.name.endswith("_beyond_noise") or not one.name.startswith(_NOT_OF_DIFFERENCES))
)
