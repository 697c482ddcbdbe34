"""Decisions that were refused: a note on a document says why, and the tags stay as the user set them.

A refused decision is not tried again while the documents look the same: their decision tags and owners. When neither of them
has a decision tag any more, it is forgotten, and the note goes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from dedupe_core.explain.say import message
from hook.findings.decisions import now, pair_key, pair_of
from hook.index.interface import DocumentIndex
from hook.language.translate import translator
from hook.review.asked import known_tags
from hook.review.kept.own_notes import OwnNotes
from hook.session import Session

_NAME: Final = "refusals"
_NOT_FOR_ALL: Final = message(
    "The reason names a document that not everybody who sees this one may see: the log of paperless-dedupe has it."
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """`state` is that of the documents, empty if it is to be tried again; what was asked for and why it was not done are in the
    language of notes. `notes`: the document and the digest of each note that says so."""

    pair: tuple[int, int]
    state: str
    goal: str = ""
    reason: str = ""
    at: str = ""
    notes: tuple[tuple[int, str], ...] = ()


class Refusals:
    """By pair, in either order; a document without a finding makes a pair with itself."""

    def __init__(self, index: DocumentIndex) -> None:
        self._pairs = index.namespace(_NAME)

    def get(self, one: int, two: int) -> Refusal | None:
        key = pair_key(one, two)
        raw = self._pairs.get(key)
        return None if raw is None else _refusal(key, raw)

    def put(self, new: Refusal) -> None:
        """The notes of an earlier refusal of the same pair stay until both go."""
        known = self.get(*new.pair)
        notes = dict.fromkeys((*(known.notes if known else ()), *new.notes))
        row = [new.state, new.goal, new.reason, new.at, list(notes)]
        self._pairs.put(pair_key(*new.pair), json.dumps(row).encode("ascii"))

    def try_again(self, one: int, two: int) -> None:
        if (known := self.get(one, two)) is not None:
            self.put(replace(known, state=""))

    def withdraw(self, refusal: Refusal, notes: OwnNotes) -> None:
        """With its notes, unless it was refused again since. Hold the writing lock."""
        if self.get(*refusal.pair) == refusal:
            for document, digest in refusal.notes:
                notes.remove(document, digest)
            self._pairs.delete(pair_key(*refusal.pair))

    def all(self) -> list[Refusal]:
        return [_refusal(key, raw) for key, raw in self._pairs.items()]

    def __iter__(self) -> Iterator[Refusal]:
        """Those that are not tried again."""
        return (refusal for refusal in self.all() if refusal.state)


def refuse(
    session: Session,
    pair: tuple[int, int],
    goal: str,
    reason: str,
    *,
    on: int,
    names: str = "",
    is_for_all: bool = True,
    is_withdrawn: bool = False,
) -> None:
    """A note on a document says why, with `names` of the documents; no tag is changed. It is tried again when the user changes
    something, or has done so. Unless `is_for_all`, the note does not say what only some may know."""
    say = translator(session.settings.language)
    what = f"{goal} ({names})" if names else goal or say("your decision")
    note = say("Not done: {goal}. Reason: {reason}.", goal=what, reason=reason)
    if not is_for_all:
        note = f"{say('Not done: {goal}.', goal=say('your decision'))} {say(_NOT_FOR_ALL)}"
    digest = OwnNotes(session.client, session.archive.index).add_once(on, note)
    state = "" if is_withdrawn else state_now(session, *pair)
    Refusals(session.archive.index).put(Refusal(pair, state, goal, reason, now(), ((on, digest),)))


def state_now(session: Session, one: int, two: int) -> str:
    """All of the documents that a decision depends on, without their texts."""
    ours = set(known_tags(session).values())
    heads = session.client.documents_by_id(sorted({one, two}), fields=("id", "tags", "owner"))
    return json.dumps(sorted((head.id, head.owner, sorted(ours & set(head.tags))) for head in heads))


def _refusal(key: bytes, raw: bytes) -> Refusal:
    pair, text = pair_of(key), raw.decode("ascii")
    body = json.loads(text)
    if not (body and isinstance(body[0], str)):  # of 0.1, which stored the state only
        return Refusal(pair, text)
    state, goal, reason, at, *notes = body
    return Refusal(
        pair, state, goal, reason, at, tuple((number, digest) for number, digest in (notes or [[]])[0])
    )
