"""Everything that uses an index at once, for a while: the service with its review page and people at it, hooks, syncs,
backfills and other commands, as real processes that are killed, suspended and started again. Prints a table.

    python -m scripts.drills together [--seconds 60] [--steps N] [--store directory|redis] [--lease-s 5] [--seed 1]

Every few seconds everything comes to rest. Then each document that a hook or the service has acknowledged is in the index
or in the queue; each decision that the page has accepted is in the index, or still a tag in Paperless; of two people who
decide on the same card at the same moment one wins, the other is told, and what the winner chose is done; the service sees
what other processes have stored; no process has a deleted file of the index open; and SQLite finds the database intact. In
the end, after undisturbed syncs, every pair looks as one of an undisturbed run. Now and then Paperless fails when it is
asked for notes or links. It ends with the first round that shows a
problem, and leaves the files; the exit code is 1 then.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from scripts.drills.handles import Watch
from scripts.drills.ledger import DISMISSED, Pair
from scripts.drills.people import Workflow, busy
from scripts.drills.rest import Rest, Wanted, undisturbed
from scripts.drills.stage import Running, Stage
from scripts.drills.world import HEAD, PERSON, SHARES, TAGGER, Result, World, world
from scripts.subcommands import make_parser
from tests.e2e.serve_kit import until
from tests.fakes import BAD_GATEWAY, SERVER_ERROR, Cut, Drop

PROCESSES: Final = 5  # at once, with the service
STEPS_A_ROUND: Final = 80
SERVICE: Final = "serve"
FAULTS: Final = (BAD_GATEWAY, SERVER_ERROR, Cut(), Drop(), Drop(done=True))


class Drill:
    """One index. Rounds of disturbance, each followed by a rest in which everything is compared."""

    def __init__(self, world: World, watch: Watch, result: Result, seed: int) -> None:
        self._world, self._watch, self._result = world, watch, result
        self._chance = random.Random(seed)
        self._stage = Stage(self._chance, sent=result.sent, codes=result.codes)
        self.rest = Rest(world, result)

    def close(self) -> None:
        self._stage.kill()

    def round(self, steps: int, ends_s: float) -> int:
        """How many steps were made."""
        self._result.rounds += 1
        workflow, done = Workflow(self._world.at.post, self._world.ledger), 0
        person = self._world.person(PERSON, f"{self._chance.random()}")
        rivals = self._world.rivals(self._result.problem, f"{self._chance.random()}")
        with busy(workflow, person, rivals):
            while done < steps and time.monotonic() < ends_s and not self._watch.faults:
                self._stage.tick()
                self._keep_service()
                if len(self._stage.running) < PROCESSES:
                    self._step(workflow)
                    done += 1
                time.sleep(0.02)
            self._stage.calm(but=SERVICE)
        for answers in (workflow.answers, person.answers, rivals.answers):
            self._result.answers.update(answers)
        self._result.duels += rivals.duels
        self._result.told += rivals.told
        self._pause()
        return done

    def _keep_service(self) -> None:
        if self._stage.has(SERVICE):
            return
        at_s = time.monotonic() + self._chance.uniform(2.0, 8.0)
        end = signal.SIGTERM if self._chance.random() < 0.3 else signal.SIGKILL
        stop = [(at_s, signal.SIGSTOP), (at_s + self._chance.uniform(0.1, 1.5), signal.SIGCONT)]
        self._serve([*stop, (at_s + self._chance.uniform(2.0, 6.0), end)])

    def _serve(self, fate: Sequence[tuple[float, int]] = ()) -> None:
        self._stage.add(Running(SERVICE, self._world.command("serve"), self._service_ended, list(fate)))

    def _service_ended(self, code: int) -> None:
        if code not in (0, -signal.SIGKILL, -signal.SIGTERM):  # the last one: told to end before it was up
            self._result.problem("other", f"the service ended with {code}")

    def _step(self, workflow: Workflow) -> None:
        drawn, pairs = self._chance.random(), self._world.ledger.pairs
        if self._chance.random() < 0.05:
            self._world.fake.faults.add("*", "/notes/|/custom_fields/", self._chance.choice(FAULTS))
        if drawn < 0.4 or not pairs:
            for document in self._world.ledger.arrive(self._world.fake):
                self._announce(document, workflow)
        elif drawn < 0.5:
            self._announce(self._chance.choice(self._chance.choice(pairs)), workflow)
        elif drawn < 0.6:
            self._dismiss(self._chance.choice(pairs))
        else:
            words = self._chance.choice(self._world.commands(self._chance))
            self._stage.run(words[0], self._world.command(*words))

    def _announce(self, document: int, workflow: Workflow) -> None:
        """By the hook, by its script, by webhook, or not at all: the next sync finds it."""
        drawn = self._chance.random()
        if drawn < 0.5:
            self._stage.run("hook", self._world.hook(document), self._ended(document))
        elif drawn < 0.55:
            script = self._world.hook(document, script=True)
            self._stage.run("hook", script, self._ended(document), longest_s=2.0)
        elif drawn < 0.85:
            workflow.send(document)

    def _ended(self, document: int) -> Callable[[int], None]:
        def ended(code: int) -> None:
            if code == 0:
                self._world.ledger.announce(document)
            elif code != -signal.SIGKILL:
                self._result.problem("other", f"the hook for #{document} ended with {code}")

        return ended

    def _dismiss(self, pair: Pair) -> None:
        """By tag, as a person does it in Paperless."""
        shown = [number for number in pair if "dedupe:rescan" in self._world.fake.document(number).tags]
        if shown and pair[0] // 2 % SHARES == TAGGER and self._world.ledger.begin(pair):
            self._world.fake.tag(shown[0], "dedupe:not-duplicate")
            self._world.ledger.accepted(pair, DISMISSED)

    def _pause(self) -> None:
        """Everything but the service has ended; afterwards it has ended, too."""
        self._world.fake.faults.clear()
        if not self._stage.has(SERVICE):
            self._serve()
        pair = self._world.ledger.arrive(self._world.fake)
        for document in pair:
            self._stage.add(Running("hook", self._world.hook(document), self._ended(document)))
            self._stage.calm(but=SERVICE)
        self._watch.settle()
        for handle in self._watch.take():
            self._result.problem("deleted handles", str(handle))
        if not self._result.problems:
            self.rest.probe(pair)
        self._stage.send(self._chance.choice((signal.SIGTERM, signal.SIGKILL)))
        self._stage.calm()
        until(lambda: self._world.fake.connections == 0)
        self.rest.compare()


def drill(
    place: Path, store: str, wanted: Wanted, *, steps: int, seconds: float, seed: int, lease_s: float
) -> Result:
    result, ends_s = Result(store), time.monotonic() + seconds
    with world(place, store, lease_s) as one, Watch(one.at.index_dir) as watch:
        running = Drill(one, watch, result, seed)
        try:
            while steps > 0 and time.monotonic() < ends_s and not result.problems:
                steps -= running.round(min(steps, STEPS_A_ROUND), ends_s)
            if not result.problems:
                running.rest.finish(wanted)
        except TimeoutError as error:
            result.problem("other", str(error))
        finally:
            running.close()
    return result


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--steps", type=int, default=10**9, help="end after this many, whatever the time")
    parser.add_argument("--store", choices=("directory", "redis"), default="directory")
    parser.add_argument(
        "--lease-s", type=float, default=5.0, help="on redis, until the lock of a killed process expires"
    )
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    place = Path(tempfile.mkdtemp(prefix="drill-"))
    with world(place / "undisturbed", "directory") as calm:
        wanted = undisturbed(calm)
    result = drill(
        place / "together",
        options.store,
        wanted,
        steps=options.steps,
        seconds=options.seconds,
        seed=options.seed,
        lease_s=options.lease_s,
    )
    print(f"{HEAD}\n{result}")
    print(
        f"exit codes: {dict(sorted(result.codes.items()))}; answers: {dict(sorted(result.answers.items()))}"
    )
    if result.problems:
        print(f"the files are in {place}", file=sys.stderr)
        return 1
    shutil.rmtree(place)
    return 0
