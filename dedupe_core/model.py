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
    """One named thing seen on a pair: what it is called and its measure; `words` is the name of a language."""

    name: str
    value: float
    words: str = ""


class Field(StrEnum):
    """What on a document a statement is about."""

    DATE = "date"
    AMOUNT = "amount"
    REFERENCE = "reference"
    NUMBER = "number"
    NAME = "name"
    ADDRESS = "address"
    WORD = "word"


class StatementKind(StrEnum):
    """What can be said of a pair; dedupe_core/explain/words.py has the words, and the tone."""

    SAME_FILE = "same file"
    SAME_TEXT = "same text"
    SAME_FILE_AND_TEXT = "same file and text"
    SAME_PAPER = "same paper"
    EDITED = "edited"
    SAME_TEMPLATE = "same template"
    NOTHING_SHARED = "nothing shared"
    PART = "part"  # documents: part, whole; place: its pages; counts: percent of the part, of the whole, before it
    TRANSLATION = "translation"  # field: the language of the subject
    SAME_MEANING = "same meaning"  # counts: the cosine in percent
    SIMILARITY = "similarity"  # counts: in percent, and the threshold
    LINKED = "linked"  # another copy is the same paper as both
    UNCERTAIN = "uncertain"
    BADLY_READ = "badly read"
    AS_SIMILAR = "as similar"  # to another document, which is a different one
    AGREES = "agrees"
    DIFFERS = "differs"
    CHANGED = "changed"  # sides: before, after
    ADDED = "added"
    REMOVED = "removed"
    SECTION_ADDED = "section added"  # counts: sections, words
    SECTION_REMOVED = "section removed"
    REWORDED = "reworded"
    MORE_DIFFERENCES = "more differences"
    OCR_DIFFERENCES = "ocr differences"
    ONE_READING = "one reading"
    EQUAL_WORDS = "equal words"  # counts: percent
    NEWER = "newer"
    LOOKS_THE_SAME = "looks the same"  # pages without text
    SAME_PRINT = "same print"
    DIFFERENT_PRINT = "different print"
    DOUBT = "doubt"  # could be content though it looks like a misreading; an empty side: only the other one has it


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that is said of a pair, as data.

    `sides` is what is printed: what the subject says and what the other one says, or what both have. `counts`: how many.
    `place`: the word it begins at in each of the two, counted from 0, words without a letter or digit left out.
    `documents`: those that it names. Without `sides` it says the same without any content of the documents.
    """

    kind: StatementKind
    field: str = ""
    sides: tuple[str, ...] = ()
    counts: tuple[int, ...] = ()
    place: tuple[int, ...] = ()
    documents: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """How two documents relate, how sure that is, and why; decided, nothing done yet.

    `direction` says which is the part when the relation is contained: -1 the subject is part of the other,
    1 the other is part of the subject, 0 otherwise.
    """

    subject: int
    other: int
    relation: Relation
    confidence: float
    flagged: bool
    statements: tuple[Statement, ...] = ()
    evidence: tuple[Observation, ...] = ()
    direction: int = 0

    @property
    def doubts(self) -> tuple[Statement, ...]:
        """Where a pair that is called the same paper might not be."""
        return tuple(one for one in self.statements if one.kind is StatementKind.DOUBT)
