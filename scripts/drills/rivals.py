"""Two people at the review page who decide on the same card at the same moment, each in another way."""

from __future__ import annotations

import random
import re
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from html import unescape
from typing import Final
from urllib.parse import urlencode

from scripts.drills.ledger import CONFIRMED, DISMISSED, Ledger, Pair
from scripts.drills.people import GONE, LOG_IN, PAUSE_S, Busy, pair_of
from tests.e2e.review_page.page_kit import Answer, Plain

ALL_TICKS: Final = re.compile(r'type="checkbox" name="looked" value="(\w+)"')
# What the one who comes second may be told; the last one if the service was started again meanwhile.
TOLD: Final = ("has just decided on", "was decided in the meantime", "Log in")


@dataclass(frozen=True)
class Wish:
    """`moved`: the document that goes to the trash for it."""

    kind: str
    form: dict[str, str]
    moved: int | None = None


def wishes(pair: Pair) -> list[Wish]:
    one, other = pair
    return [
        Wish(DISMISSED, {"action": "not-same"}),
        Wish(CONFIRMED, {"action": "same", "do": "keep"}),
        Wish(CONFIRMED, {"action": "same", "do": "trash", "keep": str(one)}, other),
        Wish(CONFIRMED, {"action": "same", "do": "trash", "keep": str(other)}, one),
    ]


class Rivals(Busy):
    """`problem` is told of a pair that both won, and of one who lost without being told so."""

    def __init__(
        self,
        port: int,
        users: tuple[str, str],
        is_mine: Callable[[Pair], bool],
        ledger: Ledger,
        seed: str,
        problem: Callable[[str, str], None],
    ) -> None:
        super().__init__()
        self._users, self._is_mine, self._ledger, self._problem = users, is_mine, ledger, problem
        self._chance = random.Random(seed)
        self._pages = [Plain(port) for _ in users]
        self.duels = 0  # in which one has won
        self.told = 0  # of these, those in which the other one got an answer

    def run(self) -> None:
        with ThreadPoolExecutor(2) as pool:
            while not self.ended.wait(PAUSE_S * self._chance.random()):
                lists = list(pool.map(self._list, self._users, self._pages))
                shown = sorted(set(lists[0]) & set(lists[1]))
                cards = [(key, pair) for key in shown if (pair := pair_of(key)) and self._is_mine(pair)]
                if cards:
                    self._duel(pool, *self._chance.choice(cards))

    def _list(self, user: str, page: Plain) -> list[str]:
        answer = self._asked(page.get)
        if answer is not None and LOG_IN in answer.text:
            entered = self._asked(lambda: page.log_in(user))
            if entered is not None and entered.status == 429:
                self.ended.wait(float(entered.headers["retry-after"]))
            answer = self._asked(page.get)
        return [] if answer is None else answer.cards

    def _duel(self, pool: ThreadPoolExecutor, key: str, pair: Pair) -> None:
        wanted = self._chance.sample(wishes(pair), 2)
        barrier = threading.Barrier(2)

        def press(page: Plain, wish: Wish) -> Answer | None:
            plan = self._asked(lambda: page.get(f"/plan?{urlencode({'card': key, **wish.form})}"))
            looked = ALL_TICKS.findall(plan.text) if plan is not None else []
            form: dict[str, str | list[str]] = {**wish.form, "key": key, "looked": looked}
            barrier.wait()
            return self._asked(lambda: page.post("/decide", form, Accept="application/json"))

        self._ledger.begin(pair)
        self._judge(pair, wanted, list(pool.map(press, self._pages, wanted)))

    def _judge(self, pair: Pair, wanted: Sequence[Wish], answers: Sequence[Answer | None]) -> None:
        won = [place for place, answer in enumerate(answers) if answer is not None and answer.status < 400]
        if len(won) == 2 or (won and pair in self._ledger.decided):
            self._problem("doubled", f"a second decision on #{pair[0]} and #{pair[1]}: {wanted}")
        if not won:
            if all(answer is not None and answer.status < 500 for answer in answers):
                self._ledger.refused(pair)
            return
        wish, other = wanted[won[0]], answers[1 - won[0]]
        self._ledger.accepted(pair, wish.kind, wish.moved)
        self.duels += 1
        if other is None or other.status >= 500:
            return  # killed before it answered
        self.told += 1
        if not any(words in unescape(other.text) for words in TOLD):
            self._problem(
                "other", f"who lost #{pair[0]} and #{pair[1]} got {other.status}: {other.text[:200]}"
            )

    def _asked(self, ask: Callable[[], Answer]) -> Answer | None:
        try:
            answer = ask()
        except GONE:
            self.answers[0] += 1
            self.ended.wait(PAUSE_S)
            return None
        self.answers[answer.status] += 1
        return answer
