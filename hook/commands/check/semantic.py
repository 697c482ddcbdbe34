"""Checks the semantic tier: whether it is on, answers, has vectors, and whether documents leave the machine."""

from __future__ import annotations

from collections.abc import Iterator

from hook.commands.check.line import Line, fail, ok, warn
from hook.deadline import Deadline
from hook.errors import DedupeError, IndexFault
from hook.semantic.factory import embedder_of, leaves_machine
from hook.semantic.vectors import Vectors
from hook.session import open_archive
from hook.settings.model import Settings
from hook.settings.types import Semantic


def semantic_lines(settings: Settings) -> Iterator[Line]:
    """One text is embedded, so that a wrong address, key or model is found here and not by the hook."""
    if settings.semantic is Semantic.OFF:
        yield ok("semantic", "the semantic tier is off: translations are found by their facts alone")
        return
    if host := leaves_machine(settings):
        advice = "Use DEDUPE_SEMANTIC=local to keep them on this machine."
        yield warn("semantic-privacy", f"the text of your documents is sent to {host}", advice)
    try:
        embedder = embedder_of(settings)
        vector = embedder.embed(["a letter"], Deadline.never())[0]
    except DedupeError as error:
        yield fail("semantic", str(error))
        return
    yield ok("semantic", f"{embedder.model} answers with {len(vector)} dimensions")
    yield from _stored(settings, embedder.model, len(vector))


def _stored(settings: Settings, model: str, dimension: int) -> Iterator[Line]:
    advice = "Run `paperless-dedupe backfill --embeddings`."
    try:
        with open_archive(settings, create=False) as archive:
            vectors = Vectors(archive.index, model)
            vectors.check_model(dimension)
            made, documents = len(vectors), len(archive.index)
    except IndexFault:
        return  # reported by the check of the index
    except DedupeError as error:
        yield fail("semantic-vectors", str(error))
        return
    text = f"{made} of {documents} documents have a vector"
    yield ok("semantic-vectors", text) if made >= documents else warn("semantic-vectors", text, advice)
