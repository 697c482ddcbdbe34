"""Checks an installation, part by part; says what to fix."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping

from hook.commands.check.line import Level, Line, fail, grouped, ok, warn
from hook.commands.check.script import VARIABLE, next_script_lines, script_lines
from hook.commands.check.server import our_lines, server_lines
from hook.commands.check.service import report_only_lines, webhook_lines
from hook.commands.check.store import index_lines
from hook.commands.terminal import print_json
from hook.deadline import Deadline
from hook.errors import DedupeError, IndexFault, SettingsError, TokenError
from hook.paperless.client import connect
from hook.semantic.factory import embedder_of, leaves_machine
from hook.semantic.vectors import Vectors
from hook.session import open_archive
from hook.settings.environment import paperless_variables
from hook.settings.loading import load_settings, unknown_variables
from hook.settings.model import Settings
from hook.settings.types import Semantic


def run(args: argparse.Namespace) -> int:
    lines = list(check(args.environ, full=args.full, repair=args.repair))
    sound = all(line.level is not Level.FAIL for line in lines)
    if args.json:
        rows = [{"name": at.name, "level": at.level, "text": at.text, "fix": at.fix} for at in lines]
        print_json({"ok": sound, "checks": rows}, indent=1)
    else:
        print("\n".join(grouped(lines, quiet=args.quiet)))
    return 0 if sound else 1


def check(environ: Mapping[str, str], *, full: bool = False, repair: bool = False) -> Iterator[Line]:
    """Checks that an earlier failure makes pointless are left out."""
    try:
        misspelt = unknown_variables(environ)
        settings = load_settings(environ)
        environ = paperless_variables(environ)
    except SettingsError as error:
        yield fail("settings", str(error), "All settings are listed in docs/settings.md.")
        return
    yield from [fail("settings", problem) for problem in misspelt] or [
        ok("settings", "all settings are valid")
    ]
    of_paperless, documents = _paperless(settings, environ)
    yield from of_paperless
    yield from index_lines(settings, documents, full=full, repair=repair)
    yield from _semantic(settings)
    webhooks = [line.level is Level.OK for line in of_paperless if line.name == "webhooks"]
    yield from _reporting(settings, environ, is_needed=not webhooks or not all(webhooks))
    if settings.next_script is not None:
        yield from next_script_lines(settings.next_script, environ)


def _paperless(settings: Settings, environ: Mapping[str, str]) -> tuple[list[Line], int | None]:
    """And the number of documents that the token's user sees, if known."""
    lines: list[Line] = []
    try:
        with connect(settings) as client:
            lines += server_lines(client, settings)
            if any(line.level is Level.FAIL for line in lines):
                return lines, None
            lines += our_lines(client, settings)
            lines += webhook_lines(client, environ)
            return lines, len(client.document_ids())
    except DedupeError as error:
        return [*lines, fail("token" if isinstance(error, TokenError) else "paperless", str(error))], None


def _reporting(settings: Settings, environ: Mapping[str, str], *, is_needed: bool) -> list[Line]:
    """What tells us of new documents, other than webhooks."""
    if is_needed and not environ.get(VARIABLE, "").strip() and (lines := report_only_lines(settings)):
        return lines
    return script_lines(environ, is_needed=is_needed)


def _semantic(settings: Settings) -> Iterator[Line]:
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
    try:
        with open_archive(settings, create=False) as archive:
            vectors = Vectors(archive.index, embedder.model)
            vectors.check_model(len(vector))
            made, documents = len(vectors), len(archive.index)
    except IndexFault:
        return  # reported by the check of the index
    except DedupeError as error:
        yield fail("semantic-vectors", str(error))
        return
    text = f"{made} of {documents} documents have a vector"
    advice = "" if made >= documents else "Run `paperless-dedupe backfill --embeddings`."
    yield Line("semantic-vectors", text, advice, Level.WARN if advice else Level.OK)
