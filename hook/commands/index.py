"""Copies an index between stores."""

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
