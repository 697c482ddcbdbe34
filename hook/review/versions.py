"""Makes the newer file of a pair a file version of the older document: download, attach, then the trash.

Paperless 3 only. Paperless attaches the file in its own worker, which may be the one that waits for our hook. So
the hook does not wait for it: a later run resumes.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import PurePath
from typing import Final

from hook.errors import NotFoundError
from hook.language.translate import ENGLISH, Translate
from hook.paperless.client import Paperless
from hook.paperless.values import RawDocument
from hook.review.journal import ImpossibleError, NotYetError, Progress, Step, StepKind

POLL_S: Final = 0.5
PATIENCE_S: Final = 120.0  # for a task that Paperless does not list: it may have lost its queue


def attach_step(client: Paperless, older: RawDocument, newer: RawDocument) -> Step:
    """Holds what is needed to recognise the file afterwards; refuses what makes no sense."""
    if not client.server_info().has_file_versions:
        raise ImpossibleError("this Paperless has no file versions (they came with 3.0)")
    checksum = client.metadata(newer.id).original_checksum
    versions = client.file_versions(older.id)
    if checksum in [version.checksum for version in versions]:
        raise ImpossibleError("both have the same file, so a version would add nothing")
    name = PurePath(newer.original_file_name or f"{newer.id}.pdf")
    values = {"from": newer.id, "checksum": checksum, "name": f"{name.stem} (#{newer.id}){name.suffix}"}
    known = [version.id for version in versions]
    return Step(StepKind.ATTACH, older.id, {**values, "before": known})


class Attaching:
    """The step that attaches a file to another document. It takes several turns: announce, send, wait."""

    def __init__(
        self, client: Paperless, *, clock: Callable[[], float] = time.time, say: Translate = ENGLISH
    ) -> None:
        self._client, self._clock, self._say = client, clock, say
        self._announced_at: float | None = None

    def do(self, step: Step) -> Step:
        """One turn. The file is recognised by its checksum, so it is not attached twice.

        Raises NotYetError while Paperless is working on it.
        """
        if (version := self._version(step)) is not None:
            return _attached(step, version)
        if "task" in step.values:
            return self._awaited(step)
        if "sending" in step.values and step.values["sending"] == self._announced_at:
            return step.with_values(task=self._send(step))
        return self._recovered(step) or self._announced(step)

    def undo(self, step: Step) -> str | None:
        """Removes the version from the document. Paperless moves it to its trash, from which we remove nothing."""
        with suppress(NotFoundError):
            if (version := self._version(step)) is not None:
                self._client.delete_version(step.document, version)
                return self._say(
                    "the version that was attached is in the trash of Paperless, as #{n}", n=version
                )
        return None

    def _version(self, step: Step) -> int | None:
        known = step.values["before"]
        for version in self._client.file_versions(step.document):
            is_new = version.id not in known and not version.is_root
            if is_new and version.checksum == step.values["checksum"]:
                return version.id
        return None

    def _announced(self, step: Step) -> Step:
        """Stored before the file is sent: a run that finds this stored by another one does not send it again."""
        self._announced_at = self._clock()
        return step.with_values(sending=self._announced_at)

    def _recovered(self, step: Step) -> Step | None:
        """After a kill, the task is found by the name of its file, which is unique. None: it was never sent."""
        if "sending" not in step.values:
            return None
        tasks = [task for task in self._client.tasks() if task.file_name == step.values["name"]]
        if tasks:
            return step.with_values(task=max(tasks, key=lambda task: not task.done).id)
        if self._clock() - step.values["sending"] < PATIENCE_S:
            raise NotYetError
        return None

    def _send(self, step: Step) -> str:
        source: int = step.values["from"]
        with tempfile.TemporaryFile() as file:
            self._client.download_original(source, file)
            file.seek(0)
            return self._client.update_version(
                step.document, step.values["name"], file, label=self._say("from #{n}", n=source)
            )

    def _awaited(self, step: Step) -> Step:
        task = self._client.task(step.values["task"])
        if task is None and self._clock() - step.values.get("sending", self._clock()) > PATIENCE_S:
            raise ImpossibleError("Paperless has lost the task that attaches the file: set the tag again")
        if task is None or not task.done:
            raise NotYetError
        if (version := self._version(step)) is None:
            reason = task.result.strip() or "no reason given"
            raise ImpossibleError("Paperless did not attach the file: {reason}", reason=reason)
        return _attached(step, version)


def _attached(step: Step, version: int) -> Step:
    return replace(step.with_values(version=version), progress=Progress.DONE)
