"""`groups`: one document to keep of those that are connected, and what says nothing about it beside them."""

from __future__ import annotations

from typing import Any

import pytest

from dedupe_core.model import Relation
from hook.commands.groups import as_json
from hook.findings.findings import Finding
from hook.findings.keeper import Choice
from hook.paperless.values import RawDocument
from hook.review_page.cards import Card, Tie, choice_of
from hook.review_page.waiting import Group


def tie(left: int, right: int, keep: int | None = None) -> Tie:
    choice = None if keep is None else Choice(keep, left + right - keep, "more pages")
    return Tie(left, right, Finding(left, Relation.RESCAN, 0.9), choice=choice)


@pytest.mark.parametrize(
    ("ties", "keeper", "members", "beside"),
    [
        ([tie(1, 2, 1), tie(2, 3, 2)], 1, [2], [[2, 3]]),  # 1 and 3 were not found similar
        ([tie(1, 2, 2), tie(2, 3, 2)], 2, [1, 3], []),  # both were compared with 2
        (
            [tie(1, 2, 1), tie(1, 3, 1), tie(2, 3, 3)],
            1,
            [2, 3],
            [],
        ),  # what to keep of 2 and 3 does not matter
        ([tie(1, 2)], 2, [1], []),  # nothing is suggested: the later one
    ],
)
def test_each_member_was_compared_with_the_one_to_keep(
    ties: list[Tie], keeper: int, members: list[int], beside: list[list[int]]
) -> None:
    papers = tuple(RawDocument(number) for number in (1, 2, 3))
    shown: dict[str, Any] = as_json(Card(Group(()), papers, tuple(ties), choice_of(ties)))
    assert (shown["keeper"], shown["beside"]) == (keeper, beside)
    assert [member["document"] for member in shown["members"]] == members
