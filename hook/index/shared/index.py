"""The index in Redis or Valkey, for many hosts: the same questions and answers as the index in a directory.

No change needs a lock or reads before it writes. A record is stored before its keys, and keys are added before they are
looked up: of two documents that come in at once, at least one sees the other. Entries whose record is gone are harmless.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np

from hook.batching import batched
from hook.errors import IndexDamaged, IndexFault, IndexMissing
from hook.index.ids import valid_id
from hook.index.interface import MAX_KEYS, Closing, Hits, Keys, KeysOf
from hook.index.shared.layout import IDS_AT_ONCE, Names, State, expect_recipe, generation_of, state_of
from hook.index.shared.lease import LEASE_S
from hook.index.shared.members import FULL_MARK, Hashed
from hook.index.shared.server import Command, Server
from hook.index.shared.values import SharedValues, prepare
from hook.locks import polling
from hook.settings.address import Address

if TYPE_CHECKING:
    from hook.index.verify import Report

_AT_ONCE: Final = 1000


class SharedIndex(SharedValues, Closing):
    """Belongs to the thread that opened it. `directory` is local: there are the locks between processes of this host."""

    def __init__(
        self, address: Address, directory: Path, recipe_id: str, keys_of: KeysOf, timeout_s: float
    ) -> None:
        """Use `open` or `rebuild`."""
        super().__init__(Server(address, timeout_s), Names(address.prefix), directory)
        self._recipe_id, self.keys_of = recipe_id, keys_of
        self._later: list[Command] = []  # drops of overfull buckets, sent with the next round trip
        self._depth = 0  # of batches in each other
        self.state = State(recipe_id)

    @classmethod
    def open(
        cls,
        address: Address,
        directory: Path,
        recipe_id: str,
        keys_of: KeysOf,
        *,
        create: bool = True,
        timeout_s: float = 10.0,
    ) -> Self:
        index = cls(address, directory, recipe_id, keys_of, timeout_s)
        value = index.server.one("GET", index.names.state)
        if value is None and not create:
            raise IndexMissing(address, "DEDUPE_INDEX_URL")
        if value is None:
            index.server.one("SET", index.names.state, State(recipe_id).to_bytes(), "NX")
        prepare(directory)
        index.refresh()
        return index

    @classmethod
    def rebuild(
        cls, address: Address, directory: Path, recipe_id: str, keys_of: KeysOf, *, timeout_s: float = 10.0
    ) -> Self:
        """Begins a new generation without documents, unless a backfill is running; meta values and namespaces stay."""
        index = cls(address, directory, recipe_id, keys_of, timeout_s)
        prepare(directory)
        with index.run_lock():
            index._begin_anew()
        return index

    def _begin_anew(self) -> None:
        before = generation_of(self.server.one("GET", self.names.state))
        self.state = State(self._recipe_id, before + 1)
        self.server.one("SET", self.names.state, self.state.to_bytes())
        for some in batched(self.server.scan(self.names.generation(before)), _AT_ONCE):
            self.server.run([("UNLINK", key) for key in some])

    def close(self) -> None:
        self.flush()
        self.server.close()

    @contextmanager
    def batch(self, *, durable: bool = False) -> Iterator[None]:
        """Changes are made one by one, each of them as it comes: repeating them after a kill changes nothing."""
        self.confirm()
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1
        self.flush()

    @property
    def in_batch(self) -> bool:
        return self._depth > 0

    @contextmanager
    def exclusive(self, *, durable: bool = False) -> Iterator[None]:
        """What is read inside is not changed by others before it is written. Not to be nested."""
        with self._leased("change", polling(self.server.address, 2 * LEASE_S)), self.batch():
            yield

    def lookup_and_put(self, document_id: int, keys: Keys, record: bytes) -> tuple[bytes | None, Hits]:
        """The look-up drops what overfull buckets have too many."""
        before = self._store(document_id, record)
        hashed = Hashed.of(keys)
        entries = self._entries(document_id, keys, before, record)
        answers = self._send([*entries, *self._reads(hashed)])
        return before, self._hits(hashed, answers[len(entries) :])

    def remove(self, document_id: int) -> bool:
        """The record last: a kill in between leaves a document with fewer keys, which `check` reports."""
        self.confirm()
        record = self.get(document_id)
        if record is None:
            return False
        hashed = self._hashed_of(document_id, record)
        self._send([*self._changes_of(hashed, document_id, "SREM"), *self._listed(document_id, 0)])
        return bool(self._send([("DEL", self.names.record(self.state, document_id))])[0])

    def drop(self, document_id: int) -> None:
        """A document whose record cannot be read; its entries are found and removed by `check`."""
        place = self.names.record(self.state, document_id)
        self._send([("DEL", place), *self._listed(document_id, 0)])

    def get(self, document_id: int) -> bytes | None:
        return self.get_many([document_id]).get(document_id)

    def get_many(self, document_ids: Iterable[int]) -> dict[int, bytes]:
        wanted = [valid_id(number) for number in document_ids]
        records: dict[int, bytes] = {}
        for some in batched(wanted, _AT_ONCE):
            answers = self._send([("GET", self.names.record(self.state, number)) for number in some])
            records.update(
                (number, value) for number, value in zip(some, answers, strict=True) if value is not None
            )
        return records

    def lookup(self, keys: Keys) -> Hits:
        if len(keys) > MAX_KEYS:
            raise ValueError(f"{len(keys)} keys; at most {MAX_KEYS} are looked up at once")
        hashed = Hashed.of(keys)
        return self._hits(hashed, self._send(self._reads(hashed)))

    def ids(self) -> Iterator[int]:
        for number in sorted(map(int, self.server.one("SMEMBERS", self.names.ids(self.state)))):
            bits = self.server.one("GET", self.names.some_ids(self.state, number)) or b""
            for place in np.flatnonzero(np.unpackbits(np.frombuffer(bits, np.uint8))).tolist():
                yield number * IDS_AT_ONCE + place

    def __contains__(self, document_id: int) -> bool:
        return bool(self.server.one("EXISTS", self.names.record(self.state, document_id)))

    def __len__(self) -> int:
        numbers = self.server.one("SMEMBERS", self.names.ids(self.state))
        return sum(
            self.server.run(
                [("BITCOUNT", self.names.some_ids(self.state, int(number))) for number in numbers]
            )
        )

    def size_bytes(self) -> int | None:
        """Of all its keys, as the server counts its memory; None if the account may not ask."""
        keys = sorted(set(self.server.scan(self.names.all())))
        try:
            asked = [[("MEMORY USAGE", key) for key in some] for some in batched(keys, _AT_ONCE)]
            return sum(size or 0 for commands in asked for size in self.server.run(commands))
        except IndexFault:
            return None

    def was_replaced(self) -> bool:
        return False

    def check(self, *, repair: bool = False) -> Report:
        from hook.index.shared.verify import check  # the hook never needs it

        self.refresh()
        return check(self, repair=repair)

    def refresh(self) -> State:
        value = self.server.one("GET", self.names.state)
        return self._known(value)

    def flush(self) -> None:
        if self._later:
            self._send([])

    def hashed(self, record: bytes) -> Hashed:
        return Hashed.of(self.keys_of(record)).distinct()

    def _known(self, value: bytes | None) -> State:
        if value is None:
            raise IndexDamaged(self.server.address, "its state is missing")
        self.state = expect_recipe(state_of(value, self.server.address), self._recipe_id, self.server.address)
        return self.state

    def _store(self, document_id: int, record: bytes) -> bytes | None:
        """The first round trip: the state as it is now, and the record in place before any of its keys."""
        self.confirm()
        valid_id(document_id)
        generation, place = self.state.generation, self.names.record(self.state, document_id)
        state, before = self._send([("GET", self.names.state), ("GETSET", place, record)])
        try:
            is_current = self._known(state).generation == generation
        except IndexFault:
            self.server.one("DEL", place)
            raise
        if not is_current:  # rebuilt by another host just now
            self.server.one("DEL", place)
            return self._store(document_id, record)
        return before if before is None else bytes(before)

    def _entries(self, document_id: int, keys: Keys, before: bytes | None, record: bytes) -> list[Command]:
        hashed = Hashed.of(keys).distinct()
        commands = self._changes_of(hashed, document_id, "SADD")
        if before is not None and before != record:
            known = self._hashed_of(document_id, before)
            gone = Hashed(np.setdiff1d(known.hashes, hashed.hashes, assume_unique=True))
            commands = self._changes_of(gone, document_id, "SREM") + commands
        return [*commands, *self._listed(document_id, 1)]

    def _changes_of(self, hashed: Hashed, document_id: int, change: str) -> list[Command]:
        pairs = zip(hashed.pages(), hashed.members(document_id), strict=True)
        return [(change, self.names.page(self.state, page), member) for page, member in pairs]

    def _listed(self, document_id: int, bit: int) -> list[Command]:
        number, place = divmod(document_id, IDS_AT_ONCE)
        return [
            ("SADD", self.names.ids(self.state), number),
            ("SETBIT", self.names.some_ids(self.state, number), place, bit),
        ]

    def _reads(self, hashed: Hashed) -> list[Command]:
        return [("SMEMBERS", self.names.page(self.state, page)) for page in hashed.pages()]

    def _hits(self, hashed: Hashed, answers: list[Any]) -> Hits:
        hits, dropped = hashed.hits([list(answer) for answer in answers])
        for number, ids in dropped.items():
            self._drop(Hashed(hashed.hashes[number : number + 1]), ids)
        return hits

    def _drop(self, key: Hashed, ids: list[int]) -> None:
        """The oldest of an overfull bucket, and a mark that some were dropped."""
        page = self.names.page(self.state, key.pages()[0])
        self._later.append(("SREM", page, *(key.members(number)[0] for number in ids)))
        self._later.append(("SADD", page, key.members(FULL_MARK)[0]))

    def _send(self, commands: list[Command]) -> list[Any]:
        """With what was left for later; the answers to these commands only."""
        later, self._later = self._later, []
        return self.server.run([*commands, *later])[: len(commands)]

    def _hashed_of(self, document_id: int, record: bytes) -> Hashed:
        try:
            return self.hashed(record)
        except Exception as error:  # whatever a damaged record makes the decoder raise
            raise IndexDamaged(
                self.server.address, f"the record of document {document_id} cannot be read"
            ) from error
