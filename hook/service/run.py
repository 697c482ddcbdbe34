"""Puts the service together: worker, periodic sync and HTTP application; and stops them."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from contextlib import ExitStack, closing
from functools import cached_property, partial
from socket import socket
from typing import Final

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
from hook.service.own_commands import SYNC, PeriodicSync
from hook.service.review_endpoints import review_endpoints
from hook.service.server import HttpServer
from hook.service.worker import Worker
from hook.session import inspector_of, opened
from hook.settings.environment import paperless_variables
from hook.settings.model import Settings
from hook.settings.types import Semantic, text_of

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
        queue = stack.enter_context(closing(Queue(settings.index_dir)))
        queue.refresh()  # before anything new is accepted: events from before come first
        service = Service(settings, environ, queue, all_records, report_only=report_only)
        if not report_only:
            service.worker.start()
        stack.callback(service.stop)
        if settings.sweep_minutes:
            service.sync.start()
        log.info("listening on http://%s:%d", settings.serve_host, settings.serve_port)
        asgi = service.application().asgi()
        HttpServer(asgi, service.begin_to_stop, settings.trusted_proxies).run(sockets=[listening])
        log.info("stopping")


class Service:
    """The parts, what the endpoints say of them, and how they stop."""

    def __init__(
        self,
        settings: Settings,
        environ: Mapping[str, str],
        queue: Queue,
        all_records: Records,
        *,
        report_only: bool,
    ) -> None:
        self._settings, self._queue, self._all_records = settings, queue, all_records
        self._report_only, self._delay = report_only, TrashDelay.of(paperless_variables(environ))
        self._metrics, self._inspector = Metrics(), inspector_of(settings)
        # One, which stays loaded.
        embedder = None if settings.semantic is Semantic.OFF else embedder_of(settings)
        session = partial(opened, settings, queue=queue, embedder=embedder, inspector=self._inspector)
        self.worker = Worker(session, queue, self._metrics)
        command = (*SYNC, "--examine-only") if report_only else SYNC
        self.sync = PeriodicSync(environ, 60.0 * settings.sweep_minutes, self._metrics, command)

    # All parts begin to stop at the signal, and share the time for it.

    @cached_property
    def _deadline(self) -> Deadline:
        return Deadline(time.monotonic, STOP_S)

    def begin_to_stop(self) -> None:
        self._deadline.remaining()  # it begins now
        self.worker.begin_to_stop()
        self.sync.begin_to_stop()

    def stop(self) -> None:
        self.begin_to_stop()
        self.worker.stop(self._deadline.remaining())
        self.sync.stop(self._deadline.remaining())

    def application(self) -> Application:
        settings, notify = self._settings, self._queue.announce
        session = partial(opened, settings, queue=self._queue, create=False)
        api = Api(settings, session, notify, self._all_records, self._delay, self._report_only)
        site = Site(
            settings,
            notify=notify,
            session=partial(session, inspector=self._inspector),
            status=self.status,
            records=self._all_records if self._report_only else stored_records,
            inspector=self._inspector,
            delay=self._delay,
        )
        return Application(
            self._queue.accept,
            self._metrics,
            secret=text_of(settings.secret),
            host=settings.serve_host,
            measure=self.measure,
            state=self.state,
            report_only=self._report_only,
            more=[*api_endpoints(api), *(review_endpoints(site, settings) if settings.review else ())],
        )

    def status(self) -> Status:
        depth, worker = self._queue.depth(), self.worker
        return Status(*depth, self.sync.last_done, worker.stalled, self._report_only)

    def measure(self) -> None:
        depth, dead = self._queue.depth()
        self._metrics.queue_depth.set(depth)
        self._metrics.dead_letters.set(dead)
        self._metrics.worker_stalled.set(bool(self.worker.stalled))

    def state(self) -> str:
        """For /healthz, in one word."""
        if not self._report_only and not self.worker.is_alive():
            return "dead"
        return "stalled" if self.worker.stalled else "ok"
