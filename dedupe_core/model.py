"""The vocabulary: the frozen values that the stages of the core hand to each other."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Relation(StrEnum):
    """How two documents relate; the word is the same in code, log, README and tags."""

    IDENTICAL = "identical"
    RESCAN = "rescan"
    REVISION = "revision"
    CONTAINED = "contained"
    TRANSLATED = "translated"
    SIBLING = "sibling"
    UNRELATED = "unrelated"


@dataclass(frozen=True, slots=True)
class Document:
    """A Paperless document as we see it: `content` is Paperless's raw field, never our normalised text."""

    id: int
    content: str
    title: str = ""
    checksum: str = ""
    created: str = ""
    added: str = ""
    owner: int | None = None


@dataclass(frozen=True, slots=True)
class Facts:
    """What is printed on the document that tells it from its siblings; canonical, in order of appearance.

    dates are ISO (`2024-01-15`), amounts are hundredths (`123456` for 1.234,56), references are upper-case
    letters and digits only (`RE202345588`).
    """

    dates: tuple[str, ...] = ()
    amounts: tuple[int, ...] = ()
    references: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """All that a verdict needs of one document, and what the index keeps of it.

    `parts` is a sample of shingle hashes (32 bits each) by which a part finds its whole;
    `signature` is packed to one byte a value; `printed` is the bounded text with its lines and capitals, `text` the
    same normalised; `content_hash` is empty for a document without text. What the index finds it by follows from
    the rest.
    """

    id: int
    recipe_id: str
    signature: bytes
    content_hash: bytes
    text: str
    words: int
    facts: Facts
    printed: str = ""
    parts: bytes = b""
    title: str = ""
    checksum: str = ""
    created: str = ""
    added: str = ""
    owner: int | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A document worth comparing: how many band keys and how many rare facts led to it."""

    id: int
    bands: int
    rarity: float


@dataclass(frozen=True, slots=True)
class Observation:
    """One named thing seen on a pair: what it is called, its measure, and the words a person reads."""

    name: str
    value: float
    words: str = ""


class DoubtKind(StrEnum):
    """What reads differently; `missing`: only one of the two has it."""

    NUMBER = "number"
    NAME = "name"
    ADDRESS = "address"
    WORD = "word"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Doubt:
    """A difference that could be content though it looks like a misreading.

    `left` is what the subject says, `right` what the other one says; `place` is the word it begins at in each of them,
    counted from 0, words without a letter or digit left out.
    """

    left: str
    right: str
    kind: DoubtKind
    place: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Verdict:
    """How two documents relate, how sure that is, and why; decided, nothing done yet.

    `direction` says which is the part when the relation is contained: -1 the subject is part of the other,
    1 the other is part of the subject, 0 otherwise. `gist` is the reason without any content of the documents.
    `contradicted`: something that was read clearly rules out that it is the same paper. `doubts`: where a pair that is
    called the same paper might not be.
    """

    subject: int
    other: int
    relation: Relation
    confidence: float
    flagged: bool
    reason: str
    evidence: tuple[Observation, ...] = ()
    direction: int = 0
    gist: str = ""
    contradicted: bool = False
    doubts: tuple[Doubt, ...] = ()
