"""The options of every command, in a function of its name, whose docstring is the help. Nothing heavy is imported here: help
and wrong usage need no settings, no index and no client."""

from __future__ import annotations

import argparse
from datetime import date
from pathlib import Path
from typing import Final

from dedupe_core.recipe import NAMED

OBJECT: Final = "print one JSON object, see above"
LINES: Final = "print one JSON object a line, see above"
_LETTERS: Final = {"dry_run": "n", "quiet": "q", "verbose": "v"}
_INDEX: Final = "the index to use (default: that of the settings)"

# Of a backfill
_MODES: Final = {
    "dry_run": "show what would be written; write nothing",
    "sync": "only what is new, changed or gone since the last run",
    "full": "with --sync: compare every text (done every week anyway)",
    "accept_deletions": "with --sync: even if most documents were deleted",
    "index_only": "fill the index; examine and mark nothing",
    "examine_only": "examine and keep the findings; write nothing to Paperless: the next run without this writes them",
    "again": "examine unchanged documents, too: after a change of settings",
    "embeddings": "only make the vectors of the semantic tier that are missing",
    "rebuild": "build the index again, beside the old one: after a change of the recipe",
    "ink": "then look at the pages of pairs with doubts; needs the extra `ink`",
}

Parser = argparse.ArgumentParser


def setup(parser: Parser) -> None:
    """Creates what shows findings in Paperless: tags under one parent, a link field, a saved view.

    Running it again changes nothing. The hook creates the tags and the field by itself when it needs them. With this
    command you can see and arrange them before the first finding; it also adds the saved view.
    """
    text = "also create the workflows that post to the service at this address"
    parser.add_argument("--webhooks", metavar="URL", help=text)


def check(parser: Parser) -> None:
    """Checks an installation: address, token, permissions, version, index, hook; says what to fix.

    The result is in three groups: what is ok, what works but deserves a look, and what is broken. The exit code is 1 if
    anything is broken, else 0.
    The output of --json is one object: "schema", "ok", and "checks" with name, level, text and fix.
    """
    _flags(
        parser,
        full="verify every entry of the index",
        repair="the same, and repair what can be repaired",
        json=OBJECT,
        quiet="leave out what is ok",
    )


def backfill(parser: Parser) -> None:
    """Examines the documents that are in Paperless already, and marks those that are similar.

    Can be interrupted at any time, even killed: the next run continues. Documents that were examined and have not
    changed are skipped. --sync is for cron: it updates the index with what is new, changed, re-OCRed, deleted or
    in the trash, and removes findings that no longer hold.

    With --json each line is an object with "schema": 1 and an "event":
      finding     subject, other, relation, confidence, reason: a new finding
      taken back  subject, other, relation: a finding that no longer holds
      write       document, write: what would be written (--dry-run only)
      gone        document: deleted, in the trash, or not visible to the token's user
      skipped     document, reason, detail: this document could not be examined
      put off     document, reason: Paperless refused a write; the next run tries again
      summary     examined, found (by relation), taken_back, skipped (by reason), forgotten, put_off,
                  documents_written, bulk_edits, decided, seconds, dry_run, complete: the last line. An error that ended
                  the run (complete is false) is on standard error; if nothing was done before it, there is no summary
    """
    _flags(parser, **_MODES)
    since = "only documents added since, as 2025-01-31"
    parser.add_argument("--since", type=_iso_date, metavar="DATE", help=since)
    _number(parser, "--limit", "stop after N documents examined")
    _jobs(parser)
    _flags(parser, json=LINES, quiet="print errors only", verbose="log every request and decision, too")


def pending(parser: Parser) -> None:
    """Lists the findings that wait for your decision: pairs of similar documents, the strongest first.

    Findings of `backfill --examine-only`, which are not in Paperless yet, are listed too.

    With --json each line is an object with "schema": 1, "subject", "other", "relation", "confidence", "reason",
    "subject_title", "other_title", "keeper", "keeper_reason" (null and "" if both are to be kept) and "written" (false if
    the finding is not in Paperless yet; the suggestion is made when it is written). --csv has the same as a table for a spreadsheet, with the
    addresses of both; a title that a spreadsheet would take for a formula begins with an apostrophe there.
    """
    form = parser.add_mutually_exclusive_group()
    _flags(form, json=LINES, csv="a table with a header, for a spreadsheet")


def report(parser: Parser) -> None:
    """Writes the findings that wait for a decision into one HTML file, with both documents side by side.

    The file needs nothing else: pictures and style are in it, and it contains no script. With --dry-run, the documents that
    are new or changed are examined first, and nothing is written to Paperless. What was examined is kept: a later backfill
    only writes. The file contains text of your documents; only you can read it.

    With --json the summary is one object: "schema": 1, "file", "cards", "left_out", "images" and "images_left_out".
    """
    parser.add_argument("--html", metavar="FILE", type=Path, required=True, help="the file to write")
    _flags(parser, dry_run="examine first what is new or changed; write nothing to Paperless")
    _number(parser, "--limit", "show at most N cards (default: 500)", default=500)
    _flags(parser, quiet="print errors only", json=OBJECT)


def groups(parser: Parser) -> None:
    """Shows groups of similar documents, and which one of each group to keep.

    It is the suggestion of the review page. Each member was compared with the one to keep, and found similar. If A is similar to B
    and B to C, that says nothing about A and C: such a C is listed below the group and is not a member of it.

    With --json each line is an object with "schema": 1, "keeper", "members" (each with "document", "relation",
    "confidence", "reason") and "beside" (pairs of ids that are similar, but not to the keeper).
    """
    _flags(parser, json=LINES)


def decisions(parser: Parser) -> None:
    """Lists, exports or imports your decisions on pairs of documents.

    `decisions` lists them in words, the newest first. `decisions export` writes them to standard output as JSON lines,
    `decisions import FILE` reads them (- for standard input). A pair that is decided already stays as it is. Each line has "schema": 1, "a" and "b" (document ids, the smaller first),
    "kind" (dismissed or confirmed), "relation", "confidence", "reason", "evidence", "action" and "decided_at".

    `decisions --json` lists them as such lines, with "by" (person, or setting if nobody asked), "kept" and "moved" (the ids, if one is in the
    trash) and "undo_until" (when Paperless empties its trash; null: no limit).
    """
    _flags(parser, json=LINES)
    verbs = parser.add_subparsers(dest="verb", metavar="export|import")
    verbs.add_parser("export", help="write all decisions to standard output")
    reading = verbs.add_parser("import", help="add decisions that were exported")
    reading.add_argument("file", metavar="FILE", help="JSON lines; - for standard input")


def stats(parser: Parser) -> None:
    """Shows figures: documents in the index, findings and decisions by month and relation, and the size of the index.

    A finding counts for the month in which its document was added. Documents that you had moved to the trash do not count. Only the
    index is read: no Paperless, no network. With --json one object: "schema": 1, "documents", "findings" (by month and relation), "waiting_to_be_written", "decisions" (by
    month, kind and relation), "queued", "given_up" and "index_bytes" (of an index on a server its memory there, null if the account
    may not ask for it). A month that is not known is "".
    """
    _flags(parser, json=OBJECT)


def undo(parser: Parser) -> None:
    """Undoes a decision: restores the document from the trash, and removes from the kept one what it took over.

    A value that somebody has changed since stays as it is. The finding is shown again afterwards; to get rid of it,
    put the tag for "not a duplicate" on the document. If there is nothing to restore, the decisions on the document
    are deleted.

    With --json one object: "schema": 1, "document", "messages" (what was done, in words) and "examined" (the ids of both).
    """
    parser.add_argument("document", metavar="ID", type=int, help="id of either of the two documents")
    _flags(parser, json=OBJECT)


def adopt(parser: Parser) -> None:
    """Lets this index take over from another one that is lost.

    A Paperless is used with one index, whose id is kept in Paperless. A command that finds another id there stops: a second
    index does not know what was reported and decided, and would report it again. If the other index still exists, use that
    one. If it is lost, this command writes the id of this index and reads the decisions that are kept in Paperless; then run
    `paperless-dedupe backfill`.
    """


def retract(parser: Parser) -> None:
    """Takes back everything that this program has written to Paperless: tags, notes, links, the link field, the saved view and
    the workflows.

    What you have written stays, also notes merged from a document in the trash. Your decisions and the index stay,
    too; delete the index directory to remove them. Switch the hook or the service off first, or it begins again.

    The index says which notes and links are ours. If it is lost, --lost-index goes by what Paperless shows: our tags, the link
    field if all links in it are of documents with our tags or of pairs that you decided, the saved view and the workflows. Notes
    without a record stay, and are listed where our tags or links are; --unrecorded-notes looks for them in all documents, also
    in a later run, and removes those that the token's user wrote in our words.

    With --json one object: "schema": 1, "dry_run", "notes" (pairs of a document and a note), "links" (a document and the others), "tags" (deleted), "untagged"
    (tag, documents), "link_field" (or null), "saved_views", "workflows" and "stays" (what is not removed, and why).
    """
    _flags(
        parser,
        json=OBJECT,
        dry_run="show what would be removed; remove nothing",
        lost_index="the index is lost: remove what can be recognised without it",
        unrecorded_notes="also remove notes of the token's user that begin as ours do, but are not recorded",
    )


def tune(parser: Parser) -> None:
    """Measures the threshold on your own decisions, and proposes another one if it fits them better.

    Below 20 decisions nothing is proposed. Caps are never raised: a pair with contradicting dates or numbers is not
    reported, whatever you decided on others.

    With --json one object: "schema": 1, "decisions", "threshold", "proposed" (null if there is none), "precision",
    "told" (pairs that are reported), "false_alarms", "missed", "would_change" (pairs), "bands" (from, to, pairs, mean
    confidence, share confirmed).
    """
    _flags(parser, json=OBJECT)


def scan(parser: Parser) -> None:
    """Finds similar documents in a file, without Paperless: one JSON line for each pair; on a terminal, a table.

    The file has one JSON object per line: {"id", "content"} and, where known, "title", "checksum", "created", "owner".
    Documents are examined in the order of the file, as the hook does it: each is compared with those before it, then
    indexed. Pairs go to standard output, errors and the summary to standard error.
    """
    add = parser.add_argument
    add("documents", metavar="DOCS.jsonl", help="the documents, one JSON object per line; - for stdin")
    add("--index", metavar="DIR", type=Path, help="keep the index here (default: a temporary one)")
    add("--recipe", default="", help=f"one of {', '.join(NAMED)} (default: default)")
    policy = "TOML file with [recipe], [policy] and [classical] values"
    add("--policy", metavar="FILE", type=Path, help=policy)
    _flags(parser, all="also print pairs that would not be reported", json="print the summary as JSON, too")
    _jobs(parser)
    _flags(parser, quiet="print no summary")


def serve(parser: Parser) -> None:
    """Runs the service: accepts webhooks, and examines documents as they arrive.

    It stays in memory, so a document costs milliseconds instead of a start of Python. At its start and every
    DEDUPE_SWEEP_MINUTES it does a periodic sync, as `backfill --sync` does. Endpoints: POST /events, GET /healthz,
    GET /metrics, the API and the review page (docs/service.md). It shuts down cleanly on SIGTERM; if it is killed, nothing is lost.
    """
    _flags(parser, report_only="examine documents and serve the review page, but write nothing to Paperless")
    text = "at the start, do what `setup --webhooks URL` does; repeated until Paperless answers"
    parser.add_argument("--webhooks", metavar="URL", help=text)


def queue(parser: Parser) -> None:
    """Lists the documents that wait to be examined and those that were given up, and retries them.

    Without options it lists both. With --json it is one object: "schema", "waiting" and "dead" (those given up), each a
    list of document, attempts, reason and since (UTC).
    """
    choice = parser.add_mutually_exclusive_group()
    retry = "retry these; without a number, all that were given up"
    choice.add_argument("--retry", nargs="*", type=int, metavar="ID", help=retry)
    choice.add_argument("--drop", nargs="+", type=int, metavar="ID", help="remove these from the queue")
    _flags(parser, json=OBJECT)


def find(parser: Parser) -> None:
    """Finds the documents that overlap with a given one: by its id, or by a text that is not in Paperless yet.

    The overlap is the percentage of the given document that appears in the other one. Only the index is read: no Paperless, no
    network.

    With --json each line is an object with "schema": 1, "id", "title", "url", "similarity", "contained" (share of the
    given document that appears in the other), "contains" (the reverse), "counted" (false: estimated from a sample),
    "relation", "confidence", "reason"; the last line is the "summary".

    With --semantic the documents nearest in meaning are listed, whatever their words, with the cosine of their vectors
    ("cosine" instead of the shares). It needs DEDUPE_SEMANTIC, and is for information: nothing is marked because of it.
    """
    add = parser.add_argument
    add("document", nargs="?", metavar="ID", help="a document id")
    add("--text", metavar="FILE", help="a text file instead of a document; - for stdin")
    add("--overlap", metavar="PERCENT", type=int, default=20, help="at least this much (default: 20)")
    which = parser.add_mutually_exclusive_group()
    for ask, text in (
        ("contained-in", "only documents that contain it"),
        ("contains", "only documents that it contains"),
        ("similar", "measure the overlap as Jaccard similarity"),
    ):
        which.add_argument(f"--{ask}", dest="ask", action="store_const", const=ask, help=text)
    parser.set_defaults(ask="overlapping")
    _flags(parser, semantic="list the documents nearest in meaning, with their cosine")
    add("--limit", type=int, default=50, help="show at most this many (default: 50)")
    add("--index", metavar="DIR", type=Path, help=_INDEX)
    _flags(parser, json=LINES)


def explain(parser: Parser) -> None:
    """Shows how two indexed documents relate, and why; also if they are siblings or unrelated.

    A finding is shown as it was made; then how the pair is judged today, and why that differs. With --json the verdict of today has
    "stored": the finding, or null.
    """
    parser.add_argument("a", metavar="A", type=int, help="id of a document")
    parser.add_argument("b", metavar="B", type=int, help="id of the other document")
    parser.add_argument("--index", metavar="DIR", type=Path, help=_INDEX)
    _flags(parser, json="print the verdict as the JSON line of `scan`")


def _flags(parser: Parser | argparse._MutuallyExclusiveGroup, **texts: str) -> None:
    """Options without a value, by name; those that several commands have are short as well."""
    for name, text in texts.items():
        letters = [f"-{_LETTERS[name]}"] if name in _LETTERS else []
        parser.add_argument(*letters, f"--{name.replace('_', '-')}", action="store_true", help=text)


def _number(parser: Parser, name: str, text: str, default: int | None = None) -> None:
    parser.add_argument(name, type=_positive, metavar="N", default=default, help=text)


def _jobs(parser: Parser) -> None:
    _number(parser, "--jobs", "worker processes (default: one for each core); 1 for none")


def _positive(text: str) -> int:
    if not text.isdecimal() or (number := int(text)) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return number


def _iso_date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a date like 2025-01-31") from None
