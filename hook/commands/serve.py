"""Runs the service."""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from importlib.util import find_spec
from threading import Thread

from hook import log
from hook.backfill.pending_work import all_records
from hook.errors import SettingsError
from hook.paperless.webhooks import events_url
from hook.session import settings_of


def run(args: argparse.Namespace) -> int:
    _require_extra()
    from hook.service.own_commands import set_up
    from hook.service.run import serve
    from hook.service.server import listening_socket, require_secret

    settings = settings_of(args.environ)
    settings.required_token()
    require_secret(settings)
    if args.webhooks and args.report_only:
        raise SettingsError("--report-only writes nothing to Paperless, --webhooks does: use one of them")
    if args.webhooks is not None:
        events_url(args.webhooks)  # a wrong address ends the service at once, instead of being logged again
    if args.report_only:
        settings = settings.model_copy(update={"review": True})
    with ExitStack() as stack:
        listening = stack.enter_context(listening_socket(settings))
        timed = "JOURNAL_STREAM" not in args.environ  # systemd sets it, and adds the time itself
        stack.callback(log.close, log.set_up(settings.log_level, settings.log_file, timed=timed))
        if args.webhooks is not None:
            Thread(target=set_up, args=(args.environ, args.webhooks), name="setup", daemon=True).start()
        serve(settings, args.environ, listening, all_records, report_only=args.report_only)
    return 0


def _require_extra() -> None:
    for name in ("starlette", "uvicorn"):
        if find_spec(name) is None:
            raise SettingsError(
                f"the module {name} is missing: the service needs `pip install 'paperless-dedupe[serve]'`"
            )
