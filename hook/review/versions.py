"""Makes the newer file of a pair a file version of the older document: download, attach, then the trash.

Paperless 3 only. Attaching is done by Paperless's own worker, which may be the one that waits for our hook:
so the hook does not wait for it, and a later run goes on.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import PurePath
from typing import Final

from hook.errors import NotFoundError
from hook.paperless.client import Paperless
from hook.paperless.values import RawDocument, Task
from hook.review.journal import Doing, Journal, Operation, Step
from hook.review.steps import ATTACH, ImpossibleError, NotYetError
from hook.review.taking_over import text_hash

LOOK_AGAIN_S: Final = 0.5
PATIENCE_S: Final = 120.0  # for a task of which nothing is to be seen: Paperless may have lost its queue


def ordered(one: RawDocument, two: RawDocument) -> tuple[RawDocument, RawDocument]:
    """The older document, which stays, and the newer one, whose file it gets."""
    older, newer = sorted((one, two), key=lambda document: (document.added, document.id))
    return older, newer


def attach_step(client: Paperless, older: RawDocument, newer: RawDocument) -> Step:
    """What has to be remembered of the files to know them again; refuses what would make no sense."""
    if not client.server_info().has_file_versions:
        raise ImpossibleError("this Paperless has no file versions (they came with 3.0)")
    checksum = client.metadata(newer.id).original_checksum
    versions = client.file_versions(older.id)
    if checksum in [version.checksum for version in versions]:
        raise ImpossibleError("both have the very same file, so that a version would add nothing")
    name = PurePath(newer.original_file_name or f"{newer.id}.pdf")
    values = {"from": newer.id, "checksum": checksum, "name": f"{name.stem} (#{newer.id}){name.suffix}"}
    return Step(ATTACH, older.id, {**values, "before": [version.id for version in versions]})


class Attaching:
    """The step that brings a file to another document."""

    def __init__(
        self, client: Paperless, journal: Journal, *, clock: Callable[[], float] = time.time
    ) -> None:
        self._client, self._journal, self._clock = client, journal, clock

    def do(self, operation: Operation, step: Step) -> Step:
        """Known by the checksum, so that a file is not attached twice; NotYetError if it is not there yet."""
        version = self._version(step)
        if version is None:
            step = self._begun(operation, step)
            self._refuse_failure(step)
            version = self._version(step)
        if version is None:
            raise NotYetError
        return replace(step, values={**step.values, "version": version})

    def back(self, step: Step) -> str:
        """The file leaves the document again; it can still be found in the trash."""
        try:
            version = self._version(step)
            if version is None:
                return ""
            self._client.delete_version(step.document, version)
        except NotFoundError:
            return ""
        return ""

    def _version(self, step: Step) -> int | None:
        known = step.values["before"]
        for version in self._client.file_versions(step.document):
            if (
                version.checksum == step.values["checksum"]
                and version.id not in known
                and not version.is_root
            ):
                return version.id
        return None

    def _begun(self, operation: Operation, step: Step) -> Step:
        """Sent once. After a kill, the task is looked for by the name of its file, which no other has."""
        if "task" in step.values:
            return step
        if "sending" in step.values:
            if (task := self._sent(step)) is not None:
                return self._remember(operation, step, task=task.id)
            if self._clock() - step.values["sending"] < PATIENCE_S:
                return step
        step = self._remember(operation, step, sending=self._clock())
        return self._remember(operation, step, task=self._send(step))

    def _send(self, step: Step) -> str:
        source: int = step.values["from"]
        with tempfile.TemporaryFile() as file:
            self._client.download_original(source, file)
            file.seek(0)
            return self._client.update_version(
                step.document, step.values["name"], file, label=f"from #{source}"
            )

    def _sent(self, step: Step) -> Task | None:
        tasks = [task for task in self._client.tasks() if task.file_name == step.values["name"]]
        return max(tasks, key=lambda task: not task.done, default=None)

    def _refuse_failure(self, step: Step) -> None:
        task = self._client.task(step.values["task"]) if "task" in step.values else None
        if task is not None and task.done and self._version(step) is None:
            said = task.result.strip() or "no reason was given"
            raise ImpossibleError(f"Paperless did not attach the file: {said}")
        age_s = self._clock() - step.values.get("sending", self._clock())
        if task is None and "task" in step.values and age_s > PATIENCE_S:
            raise ImpossibleError(
                "Paperless has lost the task that was to attach the file: set the tag again"
            )

    def _remember(self, operation: Operation, step: Step, **values: object) -> Step:
        changed = replace(step, values={**step.values, **values})
        self._journal.remember(self._journal.get(operation.number) or operation, changed)
        return changed


def version_operation(step: Step, older: RawDocument, newer: RawDocument, subject: int) -> Operation:
    return Operation(
        0,
        Doing.VERSION,
        kept=older.id,
        loser=newer.id,
        subject=subject,
        hashes={str(one.id): text_hash(one) for one in (older, newer)},
        decision={},
        steps=(step,),
    )
