"""The threads that answer the review page: apart from those of events, and shared fairly among people.

A request of the page waits for Paperless, perhaps for as long as DEDUPE_TIMEOUT_S, several times. So its threads are its own,
one person has only some of them, and what waits for them is bounded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from anyio import CapacityLimiter

from hook.review_page.exchange import BusyError

THREADS: Final = 8  # each opens the index for its request, so there are at most as many openings
THREADS_OF_ONE: Final = 4
MOST_OF_ONE: Final = 48  # waiting and in progress; a page has a picture for each document on its ten cards
MOST: Final = 200


class PageThreads:
    """For one event loop. `all` limits what runs at a time."""

    def __init__(self) -> None:
        self.all = CapacityLimiter(THREADS)
        self._of_one: dict[str, CapacityLimiter] = {}
        self._requests: Counter[str] = Counter()

    @contextmanager
    def admitted(self, person: str) -> Iterator[CapacityLimiter]:
        """Counts a request of this person, and gives what limits theirs; all who are not logged in count as one.

        Raises BusyError at once if too many wait already.
        """
        if self._requests[person] >= MOST_OF_ONE:
            raise BusyError(429)
        if self._requests.total() >= MOST:
            raise BusyError(503)
        self._requests[person] += 1
        try:
            yield self._of_one.setdefault(person, CapacityLimiter(THREADS_OF_ONE))
        finally:
            self._requests[person] -= 1
            if not self._requests[person]:
                del self._requests[person], self._of_one[person]
