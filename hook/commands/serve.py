"""Runs the service: accepts webhooks and the events of the forwarder script, and examines documents as they arrive.

It stays in memory, so a document costs milliseconds instead of a start of Python. At its start and every
DEDUPE_SWEEP_MINUTES it does a periodic sync, as `backfill --sync` does. Endpoints: POST /events, GET /healthz,
GET /metrics, the API and the review page (docs/service.md). It shuts down cleanly on SIGTERM; if it is killed, nothing is lost.
"""

from __future__ import annotations

import argparse
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hook.deadline import Deadline

if TYPE_CHECKING:
    from socket import socket

    from hook.queue import Queue
    from hook.review.kept.history import TrashDelay
    from hook.service.app import Application, Endpoint
    from hook.service.metrics import Metrics
    from hook.service.periodic_sync import PeriodicSync
    from hook.service.self_setup import SelfSetup
    from hook.service.worker import Worker
    from hook.settings.model import Settings

STOP_S: Final = 7.0  # from the signal to the end, whatever is stuck; `docker stop` kills after 10

log = logging.getLogger(__name__)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """All else is configured by the environment."""
    parser.add_argument(
        "--report-only",
        action="store_true",
        help="examine documents and serve the review page, but write nothing to Paperless",
    )
    parser.add_argument(
        "--webhooks",
        metavar="URL",
        help="at the start, do what `setup --webhooks URL` does; repeated until Paperless answers",
    )


def run(args: argparse.Namespace) -> int:
    from hook import log as logs
    from hook.session import settings_of

    _require_extra()
    from hook.service.server import listening_socket, require_secret
    from hook.settings.api_secrets import ApiSecrets

    settings = settings_of(args.environ)
    settings.required_token()
    require_secret(settings)
    ApiSecrets.of(settings)
    self_setup = _self_setup(args)
    if args.report_only:
        settings = settings.model_copy(update={"review": True})
    with ExitStack() as stack:
        listening = stack.enter_context(listening_socket(settings))
        timed = "JOURNAL_STREAM" not in args.environ  # systemd sets it, and adds the time itself
        stack.callback(logs.close, logs.set_up(settings.log_level, settings.log_file, timed=timed))
        if self_setup is not None:
            self_setup.start()
            stack.callback(self_setup.stop)
        _serve(args, settings, stack, listening)
    return 0


def _self_setup(args: argparse.Namespace) -> SelfSetup | None:
    """A wrong address ends the service at once, instead of being logged again and again."""
    from hook.errors import SettingsError
    from hook.paperless.webhooks import events_url
    from hook.service.self_setup import SelfSetup

    if args.webhooks is None:
        return None
    if args.report_only:
        raise SettingsError("--report-only writes nothing to Paperless, --webhooks does: use one of them")
    events_url(args.webhooks)
    return SelfSetup(args.environ, args.webhooks)


def _serve(args: argparse.Namespace, settings: Settings, stack: ExitStack, listening: socket) -> None:
    """With --report-only no worker is started: events stay on disk, and only the periodic sync examines."""
    from hook.queue import Queue
    from hook.semantic.factory import embedder_of
    from hook.service.metrics import Metrics
    from hook.service.periodic_sync import COMMAND, PeriodicSync
    from hook.service.server import HttpServer
    from hook.service.spool import Spool
    from hook.service.worker import Worker
    from hook.session import inspector_of, opened
    from hook.settings.types import Semantic

    environ, report_only = args.environ, args.report_only
    metrics, spool, inspector = Metrics(), Spool(settings.spool_dir), inspector_of(settings)
    queue = stack.enter_context(closing(Queue(settings.index_dir)))
    queue.refresh()  # before anything new is accepted: events from before come first
    spool.prepare()
    embedder = None if settings.semantic is Semantic.OFF else embedder_of(settings)  # one, which stays loaded
    session = partial(opened, settings, queue=queue, embedder=embedder, inspector=inspector)
    worker = Worker(session, queue, spool, metrics)
    command = (*COMMAND, "--examine-only") if report_only else COMMAND
    periodic_sync = PeriodicSync(environ, 60.0 * settings.sweep_minutes, metrics, command)
    more = _api(settings, environ, queue, report_only=report_only)
    more += _review(settings, environ, queue, worker, periodic_sync, report_only=report_only)
    application = _application(settings, queue, worker, metrics, more, report_only=report_only)
    stopping = Stopping(worker, periodic_sync)
    if not report_only:
        worker.start()
    stack.callback(stopping.end)
    if settings.sweep_minutes:
        periodic_sync.start()
    log.info("listening on http://%s:%d", settings.serve_host, settings.serve_port)
    HttpServer(application.asgi(), stopping.begin, settings.trusted_proxies).run(sockets=[listening])
    log.info("stopping")


class Stopping:
    """All parts begin to stop at the signal, and share the time for it."""

    def __init__(
        self, worker: Worker, periodic_sync: PeriodicSync, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._worker, self._periodic_sync, self._clock = worker, periodic_sync, clock
        self._deadline: Deadline | None = None

    def begin(self) -> None:
        if self._deadline is None:
            self._deadline = Deadline(self._clock, STOP_S)
            self._worker.begin_to_stop()
            self._periodic_sync.begin_to_stop()

    def end(self) -> None:
        self.begin()
        assert self._deadline is not None
        self._worker.stop(self._deadline.remaining())
        self._periodic_sync.stop(self._deadline.remaining())


def _application(
    settings: Settings,
    queue: Queue,
    worker: Worker,
    metrics: Metrics,
    more: Sequence[Endpoint],
    *,
    report_only: bool,
) -> Application:
    from hook.service.app import Application

    return Application(
        queue.accept,
        metrics,
        secret=settings.shared_secret(),
        hosts=(settings.serve_host, *settings.serve_hosts.split(",")),
        gauges=lambda: gauges(queue, worker),
        state=lambda: "ok" if report_only else state(worker),
        more=more,
    )


def _api(
    settings: Settings, environ: Mapping[str, str], queue: Queue, *, report_only: bool
) -> list[Endpoint]:
    """What of it has a secret."""
    from hook.settings.api_secrets import ApiSecrets

    secrets = ApiSecrets.of(settings)
    if not (secrets.read or secrets.decide):
        return []
    from hook.backfill.pending_work import all_records
    from hook.service.api.answers import Api
    from hook.service.api.endpoints import api_endpoints
    from hook.session import opened

    delay = _trash_delay(environ)
    session = partial(opened, settings, queue=queue, create=False)
    return api_endpoints(Api(settings, session, queue.accept, all_records, delay, report_only), secrets)


def _trash_delay(environ: Mapping[str, str]) -> TrashDelay:
    from hook.review.kept.history import TrashDelay
    from hook.settings.environment import Environment, paperless_variables

    return TrashDelay.of(paperless_variables(Environment(environ, Path())))


def _review(
    settings: Settings,
    environ: Mapping[str, str],
    queue: Queue,
    worker: Worker,
    periodic_sync: PeriodicSync,
    *,
    report_only: bool,
) -> list[Endpoint]:
    """The review page, if it is switched on."""
    if not settings.review:
        return []
    from hook.backfill.pending_work import all_records
    from hook.review_page.overview import Status, stored_records
    from hook.review_page.site import Site
    from hook.service.review_endpoints import review_endpoints
    from hook.session import inspector_of, opened

    def status() -> Status:
        depth, dead = queue.depth()
        return Status(depth, dead, periodic_sync.last_done, worker.stalled, report_only)

    inspector = inspector_of(settings)
    site = Site(
        settings,
        notify=queue.accept,
        session=lambda: opened(settings, queue=queue, inspector=inspector, create=False),
        status=status,
        records=all_records if report_only else stored_records,
        inspector=inspector,
        delay=_trash_delay(environ),
    )
    return review_endpoints(site, settings)


def gauges(queue: Queue, worker: Worker) -> dict[str, float]:
    depth, dead = queue.depth()
    return {
        "dedupe_queue_depth": depth,
        "dedupe_dead_letters": dead,
        "dedupe_worker_stalled": float(bool(worker.stalled)),
    }


def state(worker: Worker) -> str:
    """For /healthz, in one word."""
    if not worker.is_alive:
        return "dead"
    return "stalled" if worker.stalled else "ok"


def _require_extra() -> None:
    from importlib.util import find_spec

    from hook.errors import SettingsError

    for name in ("starlette", "uvicorn"):
        if find_spec(name) is None:
            raise SettingsError(
                f"the module {name} is missing: the service needs `pip install 'paperless-dedupe[serve]'`"
            )
