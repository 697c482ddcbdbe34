"""What is compared while no process of a drill is disturbed."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Final

from scripts.drills.handles import integrity
from scripts.drills.ledger import CONFIRMED, DECISION_TAGS, Pair, Shape, doubled, history, shape
from scripts.drills.people import GONE
from scripts.drills.world import READ_SECRET, Result, UnreadableError, World
from tests.forked import Ran

PATIENCE_S: Final = 180.0  # on a machine that has other things to do
LATER: Final = 6  # the exit code
# A process that says this has met an index that somebody else has broken.
DAMAGE: Final = ("Traceback", "malformed", "damaged", "not a database", "disk I/O error")


def patiently(fact: Callable[[], bool]) -> bool:
    ends_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < ends_s:
        try:
            if fact():
                return True
        except GONE:
            pass
        time.sleep(0.1)
    return False


def ended(world: World, *words: str) -> Ran:
    """Asked again while it says "try again later": on a server, the lock of a killed process expires."""
    ends_s = time.monotonic() + PATIENCE_S
    while (ran := world.run(*words)).code == LATER and time.monotonic() < ends_s:
        time.sleep(0.5)
    return ran


Wanted = dict[str | None, Shape]  # how a pair looks, by what was decided on it


class Rest:
    def __init__(self, world: World, result: Result) -> None:
        self._world, self._result = world, result
        self._verified = set[int]()
        self._read = 0

    def probe(self, pair: Pair) -> None:
        """The service, which has run for a while, sees what a hook has just stored, and the page takes a decision on it."""
        at, secret = self._world.at, {"X-Dedupe-Secret": READ_SECRET}
        letter, scan = pair
        path = f"/api/documents/{letter}/similar"
        if not patiently(lambda: f'"id":{scan},' in at.ask("GET", path, headers=secret)[1]):
            self._result.problem("lost", f"the service does not see #{letter} and #{scan}")
        person = self._world.person(0, "probe")
        if not patiently(lambda: person.decides_on(pair, "same") or self._is_tagged(pair)):
            self._result.problem("lost", f"the page does not see the finding on #{letter} and #{scan}")
        self._result.answers.update(person.answers)

    def _is_tagged(self, pair: Pair) -> bool:
        tags = {tag for number in pair for tag in self._world.fake.document(number).tags}
        return bool(tags & {*DECISION_TAGS, "dedupe:confirmed"})

    def compare(self) -> None:
        """With no process running."""
        self._integrity()
        self._messages()
        try:
            self._documents()
            self._decisions()
        except UnreadableError as error:
            self._result.problem("lost", str(error))
        for message in doubled(self._world.fake):
            self._result.problem("doubled", message)
        self._result.acknowledged = self._world.ledger.writes()

    def _integrity(self) -> None:
        if self._result.store == "directory":
            if (said := integrity(self._world.at.index_dir)) != "ok":
                self._result.problem("integrity", said)
        elif (checked := self._world.run("check", "--full")).code != 0:
            self._result.problem("integrity", checked.out)

    def _messages(self) -> None:
        """Of the processes that were started since the last time."""
        said = sorted(self._world.said.iterdir())
        for path in said[self._read :]:
            for line in dict.fromkeys(path.read_text(errors="replace").splitlines()):
                if any(word in line for word in DAMAGE):
                    self._result.problem("other", f"{path.name}: {line}")
        self._read = len(said)

    def _documents(self) -> None:
        """Each one that was acknowledged since the last time; and as many as there were then."""
        ledger, gone = self._world.ledger, set(self._world.fake.trashed)
        self._verified -= gone
        if (count := self._world.documents()) < len(self._verified):
            self._result.problem("lost", f"{count} documents in the index, {len(self._verified)} before")
        new = ledger.announced - self._verified
        for pair in ledger.pairs:
            if not new.isdisjoint(pair):
                self._verified |= self._world.indexed(pair)
        for number in sorted(ledger.lost_documents(self._verified, self._world.waiting()) - gone):
            self._result.problem("lost", f"#{number} is neither in the index nor in the queue")

    def _decisions(self) -> None:
        for message in self._world.ledger.lost_decisions(self._world.decisions(), self._world.fake):
            self._result.problem("lost", message)

    # at the end

    def finish(self, wanted: Wanted) -> None:
        """After undisturbed syncs: nothing waits, and every pair looks as one of an undisturbed run."""
        self._verified.clear()
        self._documents()
        self._work_off()
        decided = self._world.decisions()
        for pair in self._world.ledger.pairs:
            self._judge(pair, decided.get(pair), wanted)
        for pair, kind in self._world.ledger.decided.items():
            if decided.get(pair) != kind:
                self._result.problem("lost", f"#{pair[0]} and #{pair[1]}: {decided.get(pair)}, was {kind}")

    def _work_off(self) -> None:
        if waiting := self._world.waiting():
            self._world.run("queue", "--retry", *map(str, waiting))
        for words in (("backfill", "--sync"), ("backfill", "--sync"), ("check", "--full")):
            if (ran := ended(self._world, *words)).code != 0:
                self._result.problem("other", f"{' '.join(words)} ended with {ran.code}: {ran.out}{ran.err}")
        if waiting := self._world.waiting():
            self._result.problem("other", f"still in the queue: {sorted(waiting)}")

    def _judge(self, pair: Pair, kind: str | None, wanted: Wanted) -> None:
        moved = set(self._world.fake.trashed).intersection(pair)
        if moved or pair in self._world.ledger.moved:
            self._judge_moved(pair, kind, moved)
            return
        found, expected = shape(self._world.fake, pair), wanted[kind]
        if found != expected:
            is_more = sum(one[1] for one in found) > sum(one[1] for one in expected)
            column = "doubled" if is_more else "lost"
            self._result.problem(column, f"#{pair[0]} and #{pair[1]}: {found}, undisturbed {expected}")
            for line in history(self._world.fake, pair):
                print(line, file=sys.stderr)

    def _judge_moved(self, pair: Pair, kind: str | None, moved: set[int]) -> None:
        """The one that the person chose, and only this one; of a decision that nobody answered, one at most."""
        chosen = self._world.ledger.moved.get(pair)
        is_unsure = pair in self._world.ledger.unsure
        expected = {chosen} if chosen is not None else moved if is_unsure else set[int]()
        if len(moved) > 1 or moved != expected or kind != CONFIRMED:
            self._result.problem(
                "other", f"#{pair[0]} and #{pair[1]}: {moved} moved, chosen {chosen}, {kind}"
            )


def undisturbed(world: World) -> Wanted:
    """How a pair looks that nobody has decided on, and one of each decision."""
    world.at.start()
    pairs = [world.ledger.arrive(world.fake) for _ in range(3)]
    for document in (number for pair in pairs for number in pair):
        assert world.hook(document).wait() == 0
    person = world.person(0, "undisturbed")
    assert person.decides_on(pairs[1], "same") and person.decides_on(pairs[2], "not-same")
    world.at.settle()
    world.at.stop()
    assert (synced := ended(world, "backfill", "--sync")).code == 0, synced.err
    kinds = (None, *(world.decisions()[pair] for pair in pairs[1:]))
    assert kinds[1] == CONFIRMED
    return {kind: shape(world.fake, pair) for kind, pair in zip(kinds, pairs, strict=True)}
