"""A stand-in Paperless for programs that are measured: `python -m scripts.benchmarks.paperless ARCHIVE TOKEN` prints its address."""

from __future__ import annotations

import json
import signal
import sys
import threading
from pathlib import Path

from tests.fakes import FakePaperless

TASK_DELAY_S = 0.05


def main(archive: str, token: str) -> None:
    fake, stop = FakePaperless(token=token, task_delay_s=TASK_DELAY_S), threading.Event()
    with Path(archive).open(encoding="utf-8") as lines:
        for line in lines:
            fake.add_document(**json.loads(line))
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    with fake:
        print(fake.url, flush=True)
        stop.wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
