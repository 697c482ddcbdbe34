"""DEDUPE_TRASH_SAME_FILE on a real server: files that two people send twice, at once."""

from __future__ import annotations

import random
import secrets
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.live.pdf import text_pdf
from tests.live.servers import HOOK, Server, output
from tests.live.texts import Texts

pytestmark = pytest.mark.live
FILES, HOOKS_AT_ONCE = 30, 4
TRASH = {"DEDUPE_TRASH_SAME_FILE": "true"}


def test_thirty_files_sent_twice_by_two_owners(real: Server) -> None:
    """Each file twice by its owner, ten of them by the other, too: 30 go, none of the other, and undo brings all back."""
    if real.runs_hook:
        pytest.skip("this scenario runs the hook itself, with the setting on")
    real.run("setup")
    texts, tag = Texts(secrets.randbelow(10**6)), f"tax {secrets.token_hex(4)}"
    files = [text_pdf(texts.letter()) for _ in range(FILES)]
    owners = [real.user("anna"), real.user("bert")]
    sent = [(n, n % 2) for n in range(FILES)] * 2 + [(n, 1 - n % 2) for n in range(0, FILES, 3)]
    real.runs_hook = True  # not one after the other
    tasks = [real.send_file(files[n], f"file {n}") for n, _ in sent]
    documents = [number for task in tasks if (number := real.finished(task).document) is not None]
    for number, (_, who) in zip(documents, sent, strict=True):
        real.own(number, owners[who])
    twice = [sorted(pair) for pair in zip(documents[:FILES], documents[FILES : 2 * FILES], strict=True)]
    for _, newer in twice:
        real.tag(newer, tag)
    environ = {**real.environ(), **TRASH}
    with ThreadPoolExecutor(HOOKS_AT_ONCE) as pool:
        shuffled = random.Random(4).sample(documents, len(documents))
        list(pool.map(lambda number: output([str(HOOK)], {**environ, "DOCUMENT_ID": str(number)}), shuffled))
    real.run("backfill", "--sync", **TRASH)  # takes up what a hook could not finish in its time

    assert real.trashed().intersection(documents) == {newer for _, newer in twice}
    for older, newer in twice:
        shown = real.shown(older)
        assert tag in shown.tags
        assert any(f"#{newer} " in note and "has the same file" in note for note in shown.notes)
        assert real.document(older).owner == owners[sent[documents.index(older)][1]]
    for _, newer in twice:
        real.run("undo", str(newer), **TRASH)
    real.run("backfill", "--sync", "--full", **TRASH)
    assert real.trashed().isdisjoint(documents)
    assert [tag in real.shown(number).tags for pair in twice for number in pair] == [False, True] * FILES
