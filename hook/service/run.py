"""Puts the service together: worker, periodic sync and HTTP application; and stops them."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from socket import socket
from typing import TYPE_CHECKING, Final

from hook.deadline import Deadline
from hook.queue import Queue
from hook.review.kept.history import TrashDelay
from hook.review_page.overview import Records, Status, stored_records
from hook.review_page.site import Site
from hook.semantic.factory import embedder_of
from hook.service.api.answers import Api
from hook.service.api.endpoints import api_endpoints
from hook.service.app import Application
from hook.service.metrics import Metrics
from hook.service.periodic_sync import COMMAND, PeriodicSync
from hook.service.review_endpoints import review_endpoints
from hook.service.server import HttpServer
from hook.service.spool import Spool
from hook.service.worker import Worker
from hook.session import inspector_of, opened
from hook.settings.environment import paperless_variables
from hook.settings.model import Settings
from hook.settings.types import Semantic, text_of

if TYPE_CHECKING:
    from hook.ink.inspector import Inspector

STOP_S: Final = 7.0  # from the signal to the end, whatever is stuck; `docker stop` kills after 10

log = logging.getLogger(__name__)


def serve(
    settings: Settings,
    environ: Mapping[str, str],
    listening: socket,
    all_records: Records,
    *,
    report_only: bool,
) -> None:
    """Until a signal. With `report_only` no worker is started: events stay on disk, and only the periodic sync examines."""
    with ExitStack() as stack:
        metrics, spool, inspector = Metrics(), Spool(settings.spool_dir), inspector_of(settings)
        queue = stack.enter_context(closing(Queue(settings.index_dir)))
        queue.refresh()  # before anything new is accepted: events from before come first
        spool.prepare()
        embedder = (
            None if settings.semantic is Semantic.OFF else embedder_of(settings)
        )  # one, which stays loaded
        session = partial(opened, settings, queue=queue, embedder=embedder, inspector=inspector)
        worker = Worker(session, queue, spool, metrics)
        command = (*COMMAND, "--examine-only") if report_only else COMMAND
        sync = PeriodicSync(environ, 60.0 * settings.sweep_minutes, metrics, command)
        delay = TrashDelay.of(paperless_variables(environ))
        parts = Parts(settings, queue, worker, sync, metrics, inspector, delay, all_records, report_only)
        stopping = Stopping(worker, sync)
        if not report_only:
            worker.start()
        stack.callback(stopping.end)
        if settings.sweep_minutes:
            sync.start()
        log.info("listening on http://%s:%d", settings.serve_host, settings.serve_port)
        asgi = parts.application().asgi()
        HttpServer(asgi, stopping.begin, settings.trusted_proxies).run(sockets=[listening])
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


@dataclass(frozen=True, slots=True)
class Parts:
    """What the endpoints speak of."""

    settings: Settings
    queue: Queue
    worker: Worker
    sync: PeriodicSync
    metrics: Metrics
    inspector: Inspector | None
    delay: TrashDelay
    all_records: Records
    report_only: bool

    def application(self) -> Application:
        settings = self.settings
        session = partial(opened, settings, queue=self.queue, create=False)
        api = Api(settings, session, self.queue.announce, self.all_records, self.delay, self.report_only)
        return Application(
            self.queue.accept,
            self.metrics,
            secret=text_of(settings.secret),
            host=settings.serve_host,
            gauges=self.gauges,
            state=self.state,
            more=[*api_endpoints(api), *(review_endpoints(self.site(), settings) if settings.review else ())],
        )

    def site(self) -> Site:
        inspector = self.inspector
        return Site(
            self.settings,
            notify=self.queue.announce,
            session=partial(opened, self.settings, queue=self.queue, inspector=inspector, create=False),
            status=self.status,
            records=self.all_records if self.report_only else stored_records,
            inspector=inspector,
            delay=self.delay,
        )

    def status(self) -> Status:
        return Status(*self.queue.depth(), self.sync.last_done, self.worker.stalled, self.report_only)

    def gauges(self) -> dict[str, float]:
        depth, dead = self.queue.depth()
        return {
            "dedupe_queue_depth": depth,
            "dedupe_dead_letters": dead,
            "dedupe_worker_stalled": float(bool(self.worker.stalled)),
        }

    def state(self) -> str:
        """For /healthz, in one word."""
        if self.report_only:
            return "ok"
        if not self.worker.is_alive:
            return "dead"
        return "stalled" if self.worker.stalled else "ok"
