"""The measures of a pair: the name of each, which way it points, when it is taken, and what it means.

`RISES`: more of it can only make "the same paper" likelier; `FALLS`: only less likely; `FREE`: depends on the rest. The
fitted trees are held to these directions, so that no agreement ever speaks against a pair and no contradiction for it.
A fact or word that no neighbour has weighs 1, one that n have 1/(1+n): what all have belongs to the template.
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
    means: str


def _measures(stage: Stage, direction: Direction, lines: str) -> list[Measure]:
    named = (line.split(maxsplit=1) for line in lines.strip().splitlines())
    return [Measure(name, direction, stage, means) for name, means in named]


REGISTRY: tuple[Measure, ...] = (
    *_measures(Stage.GLANCE, Direction.RISES, """
        resemblance           estimated Jaccard similarity of the passages
        coverage_exact        words of the shorter text that the other one has letter for letter
        numbers_rare          weight of the numbers in common
        numbers_beside_words  share of numbers in common, less that of words: a rescan loses both alike
        dates_share           weight of dates in common, of these and those that the side with fewer has alone
        amounts_share         the same of amounts
        references_share      the same of reference numbers
        first_date            1 if the first date is the same, 0 if it is not, 0.5 without one
        identity_own          numbers, dates and references in common that no third document has
        contained_high        sampled passages of a text that are in the other, the higher share
        passages_share        weight of passages in common, of these and those that one side has alone
        """),
    *_measures(Stage.GLANCE, Direction.FALLS, """
        dates_conflict        weight of the dates that each side has alone, the lower one
        amounts_conflict      the same of amounts
        references_conflict   the same of reference numbers
        """),
    *_measures(Stage.GLANCE, Direction.FREE, """
        length                words of the shorter text
        length_ratio          of the shorter text to the longer one
        passages_shared       sampled passages in common
        passages_own          share of these that no third document has
        neighbours            documents that resemble the subject
        """),
    *_measures(Stage.CLOSE, Direction.RISES, """
        in_order              words of the shorter text that are equal and in order
        words_own             words in common that no third document has
        digit_runs_share      weight of runs of four digits in common, of these and those the side with fewer has alone
        digit_runs_share_low  the same for the side with more
        runs_own              runs of five letters in common that hardly a neighbour has
        runs_own_share        of these and those that the side with fewer has alone
        runs_own_share_low    the same for the side with more
        above_best            how much more the two resemble each other than their best other neighbour
        """),
    *_measures(Stage.CLOSE, Direction.FALLS, """
        dates_contradict      dates that each side has alone and that are not misread
        contradiction         log odds that the place which says so most clearly has the values of two papers
        contradiction_mean    the mean chance of that, of all places where something is replaced
        contradiction_sum     the sum of these chances
        certain_surprise      how unlikely noise made the places where surely something else is printed
        certain_names_share   names and addresses that surely differ, beside those that are equal
        surprise_highest      how unlikely noise made the clean place that differs most
        surprise_beside_noise the sum of the surprise of clean places, beside the number of misread words
        left_over             numbers, names and addresses that each text has and the other lacks, wherever they are
        left_over_beside_noise  names, numbers and addresses left over, beside the number of misread words
        inserted_words        words that only one text has inside a line
        number_words          numbers written out that differ
        largest_replaced      letters of the largest clean place that was replaced
        """),
    *_measures(Stage.CLOSE, Direction.FREE, """
        ledger_error_rate     misread letters, of those that were read twice
        noise_share           misread words, of the shorter text
        in_order_high         words that are equal and in order, of the longer text
        left_over_words_high  words that the other text lacks wherever they are, the higher side
        left_over_names_high  the same of names
        edge_words            words of a margin or page that only one text has
        scattered             words that only the longer text has, the share outside their two largest places
        """),
)  # fmt: skip

GLANCE = tuple(measure.name for measure in REGISTRY if measure.stage is Stage.GLANCE)
ALL = tuple(measure.name for measure in REGISTRY)
DIRECTIONS = {measure.name: measure.direction for measure in REGISTRY}
# What follows from the two texts alone, whatever else is in the archive: the question "edited?" is asked of the pair.
OF_THE_PAIR = (
    "contradiction", "contradiction_mean", "contradiction_sum", "certain_surprise", "certain_names_share", "surprise_highest", "surprise_beside_noise", "left_over",
    "left_over_beside_noise", "inserted_words", "number_words", "largest_replaced", "ledger_error_rate", "noise_share",
    "in_order", "in_order_high", "left_over_words_high", "left_over_names_high", "edge_words",
    "length_ratio", "length", "dates_contradict", "first_date",
)  # fmt: skip
