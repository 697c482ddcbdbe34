"""Moves an index between stores.

`index copy FROM TO` copies documents, findings, decisions and the journal; FROM and TO are a directory or the address of a
Redis or Valkey server, as in DEDUPE_INDEX_URL. Every record is compared afterwards and every key checked. A run that was
interrupted continues. FROM stays as it is. Stop backfills meanwhile; what hooks store is copied, too.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from pathlib import Path

from hook.examination.archive import Archive
from hook.examination.copying import copy_index
from hook.findings.wording import many
from hook.session import open_archive, settings_of
from hook.settings.address import parse_address
from hook.settings.model import Settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="copy")
    copying = verbs.add_parser("copy", help="copy an index into an empty place")
    copying.add_argument("source", metavar="FROM", help="a directory, or the address of a server")
    copying.add_argument("target", metavar="TO", help="a directory, or the address of a server")


def run(args: argparse.Namespace) -> int:
    settings = settings_of(args.environ)
    with ExitStack() as stack:
        source = stack.enter_context(_opened(settings, args.source, create=False))
        target = stack.enter_context(_opened(settings, args.target, create=True))
        stack.enter_context(source.index.run_lock())
        copied = copy_index(source.index, target.index)
    print(
        f"{many(copied.documents, 'document')} and {copied.others} other entries are equal in both places"
        f" ({many(copied.copied, 'document')} copied)",
        file=sys.stderr,
    )
    return 0


def _opened(settings: Settings, place: str, *, create: bool) -> Archive:
    if "://" in place:
        return open_archive(settings, create=create, address=parse_address(place))
    update = {"index_url": None, "index_dir": Path(place).absolute()}
    return open_archive(settings.model_copy(update=update), create=create)
