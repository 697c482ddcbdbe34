"""What the product has acknowledged during a drill, and whether it is there afterwards."""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from scripts.benchmarks.documents import SYLLABLES
from tests.fakes import FakePaperless

CONFIRMED: Final = "confirmed"
DISMISSED: Final = "dismissed"
DECISION_TAGS: Final = {"dedupe:confirm", "dedupe:not-duplicate"}
Pair = tuple[int, int]  # a letter and its second scan
Shape = tuple[tuple[frozenset[str], int, int], ...]


def text(pair: int, *, scan: bool) -> str:
    """A letter like no other, and its second scan with a misread word."""
    letter = random.Random(pair)
    words = ["".join(letter.choices(SYLLABLES, k=3)) for _ in range(120)]
    words[60] = "karniftas" if scan else "karnlftas"
    return (
        f"Invoice RE-{letter.randrange(10**8):08} of {letter.randrange(1, 29):02}.03.2024 over {pair}.50 EUR\n"
        f"{' '.join(words)}"
    )


@dataclass
class Ledger:
    """From any thread. `announced`: documents for which a hook has ended with 0, or the service has answered 2xx.
    `decided`: pairs with what a person decided, and was told that it is accepted; `unsure`: nobody answered. `moved`: the
    document of a pair that goes to the trash."""

    pairs: list[Pair] = field(default_factory=list)
    announced: set[int] = field(default_factory=set)
    decided: dict[Pair, str] = field(default_factory=dict)
    moved: dict[Pair, int] = field(default_factory=dict)
    unsure: set[Pair] = field(default_factory=set)
    guard: threading.Lock = field(default_factory=threading.Lock)

    def arrive(self, fake: FakePaperless) -> Pair:
        number = len(self.pairs)
        letter, scan = (
            fake.add_document(text(number, scan=scan), f"letter {number}") for scan in (False, True)
        )
        with self.guard:
            self.pairs.append((letter, scan))
        return letter, scan

    def announce(self, document: int) -> None:
        with self.guard:
            self.announced.add(document)

    def begin(self, pair: Pair) -> bool:
        """A person is about to decide on it; False if somebody has."""
        with self.guard:
            if pair in self.decided or pair in self.unsure:
                return False
            self.unsure.add(pair)
        return True

    def accepted(self, pair: Pair, kind: str, moved: int | None = None) -> None:
        with self.guard:
            self.unsure.discard(pair)
            self.decided[pair] = kind
            if moved is not None:
                self.moved[pair] = moved

    def refused(self, pair: Pair) -> None:
        with self.guard:
            self.unsure.discard(pair)

    def writes(self) -> int:
        return len(self.announced) + len(self.decided)

    def lost_documents(self, indexed: Iterable[int], waiting: Iterable[int]) -> set[int]:
        """Announced, and neither in the index nor in the queue."""
        return self.announced - set(indexed) - set(waiting)

    def lost_decisions(self, known: Mapping[Pair, str], fake: FakePaperless) -> Iterator[str]:
        """Accepted, and neither in the index nor still a tag in Paperless that waits to be acted on."""
        for pair, kind in self.decided.items():
            found = known.get(pair)
            waits = any(fake.document(number).tags & DECISION_TAGS for number in pair)
            if found != kind and not (found is None and waits):
                yield f"the decision on #{pair[0]} and #{pair[1]} is {found}, accepted was {kind}"


def shape(fake: FakePaperless, pair: Pair) -> Shape:
    """What people see of both documents, whichever shows the finding: tags, number of notes, number of links."""
    seen = (fake.document(number) for number in pair)
    return tuple(
        sorted(
            (
                (one.tags, len(one.notes), sum(len(links or ()) for links in one.custom_fields.values()))
                for one in seen
            ),
            key=lambda found: (sorted(found[0]), found[1:]),
        )
    )


def doubled(fake: FakePaperless) -> Iterator[str]:
    """Notes that are twice on a document, and names that two tags have."""
    for number in fake.documents:
        starts = Counter(note.split('"')[0] for note in fake.document(number).notes)
        yield from (f"#{number}: {count} notes {start!r}" for start, count in starts.items() if count > 1)
    yield from (f"{count} tags {name}" for name, count in Counter(fake.tag_names).items() if count > 1)


def history(fake: FakePaperless, pair: Pair) -> Iterator[str]:
    """What was written to the two documents, and by whom, in order."""
    names = {f"/documents/{number}/" for number in pair}
    for seen in fake.writes:
        named = set(seen.body.get("documents", ())) if isinstance(seen.body, dict) else set()
        if not named.isdisjoint(pair) or any(name in seen.path for name in names):
            yield f"  {seen.method} {seen.path} {seen.body} {seen.status}"
