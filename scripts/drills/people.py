"""People at the review page: they log in, open cards and decide, while the service is killed and suspended."""

from __future__ import annotations

import http.client
import queue
import random
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from scripts.drills.ledger import CONFIRMED, DISMISSED, Ledger, Pair
from tests.e2e.review_page.page_kit import Answer, Plain

KINDS: Final = {"same": CONFIRMED, "not-same": DISMISSED}
LOG_IN: Final = 'name="password"'
PAUSE_S: Final = 0.1
GONE: Final = (OSError, http.client.HTTPException)  # killed while it answered, or not up yet


def pair_of(key: str) -> Pair | None:
    """Of a card with one finding."""
    found = re.fullmatch(r"(\d+):(\d+)", key)
    if found is None:
        return None
    one, other = sorted(map(int, found.groups()))
    return one, other


class Busy(threading.Thread):
    """Asks the service again and again until it is `ended`."""

    def __init__(self) -> None:
        super().__init__()
        self.ended = threading.Event()
        self.answers = Counter[int]()  # by status; 0: none


class Person(Busy):
    """Decides on every second card at most. `share` of `shares`: no two people decide on one pair."""

    def __init__(self, port: int, token: str, share: int, shares: int, ledger: Ledger, seed: str) -> None:
        super().__init__()
        self._page, self._port, self._token, self._ledger = Plain(port), port, token, ledger
        self._share, self._shares, self._chance = share, shares, random.Random(seed)

    def run(self) -> None:
        while not self.ended.wait(PAUSE_S * self._chance.random()):
            try:
                self._visit()
            except GONE:
                self.answers[0] += 1
                self.ended.wait(PAUSE_S)

    def _visit(self) -> None:
        answer = self._counted(self._page.get())
        if answer.status != 200 or LOG_IN in answer.text:
            self._log_in()
            return
        cards = [(key, pair) for key in answer.cards if (pair := pair_of(key)) and self._is_mine(pair)]
        if cards:
            self._open(*self._chance.choice(cards))

    def _open(self, key: str, pair: Pair) -> None:
        for path in (f"/thumb/{pair[0]}", "/bulk", "/history"):
            if self._chance.random() < 0.3:
                self._counted(self._page.get(path))
        if self._chance.random() < 0.5:
            self.decide(key, pair, self._chance.choice(tuple(KINDS)))

    def decide(self, key: str, pair: Pair, action: str) -> int:
        """The status. Below 400 the decision is accepted; from 500 on nobody knows what came of it."""
        if not self._ledger.begin(pair):
            return 0
        status = self._counted(self._page.decide(action, key)).status
        if status < 400:
            self._ledger.accepted(pair, KINDS[action])
        elif status < 500:
            self._ledger.refused(pair)
        return status

    def decides_on(self, pair: Pair, action: str) -> bool:
        """On one that has been found; True if it is accepted."""
        if not self.sees_the_list():
            return False
        for key in (f"{pair[1]}:{pair[0]}", f"{pair[0]}:{pair[1]}"):
            if self._counted(self._page.decide(action, key)).status < 400:
                self._ledger.accepted(pair, KINDS[action])
                return True
        return False

    def sees_the_list(self) -> bool:
        """After logging in."""
        self._log_in()
        answer = self._counted(self._page.get())
        return answer.status == 200 and LOG_IN not in answer.text

    def _log_in(self) -> None:
        self._page = Plain(self._port)
        self._counted(self._page.post("/login", {"token": self._token}))

    def _is_mine(self, pair: Pair) -> bool:
        return pair[0] // 2 % self._shares == self._share

    def _counted(self, answer: Answer) -> Answer:
        self.answers[answer.status] += 1
        return answer


class Workflow(Busy):
    """Paperless, which tells the service of documents by webhook; it tells nobody twice."""

    def __init__(self, post: Callable[[int], int], ledger: Ledger) -> None:
        super().__init__()
        self._post, self._ledger, self._waiting = post, ledger, queue.SimpleQueue[int]()

    def send(self, document: int) -> None:
        self._waiting.put(document)

    def run(self) -> None:
        while not self.ended.is_set():
            try:
                self._tell(self._waiting.get(timeout=PAUSE_S))
            except queue.Empty:
                continue
            except GONE:
                self.answers[0] += 1

    def _tell(self, document: int) -> None:
        status = self._post(document)
        self.answers[status] += 1
        if status < 300:
            self._ledger.announce(document)


@contextmanager
def busy(*people: Busy) -> Iterator[None]:
    for person in people:
        person.start()
    try:
        yield
    finally:
        for person in people:
            person.ended.set()
        for person in people:
            person.join()
