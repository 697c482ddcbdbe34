"""Run the fake Paperless on its own: ``python -m tests.fakes --archive docs.jsonl`` prints its URL."""

from __future__ import annotations

import argparse
import json
import signal
import sys
import threading
from pathlib import Path

from .paperless import DEFAULT_TOKEN, FakePaperless

TASK_DELAY_S = 0.05


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fakes", description=__doc__)
    parser.add_argument("--archive", type=Path, required=True, help="documents to start with, JSON lines")
    parser.add_argument("--token", default=DEFAULT_TOKEN, help="the token of the superuser admin")
    options = parser.parse_args()
    fake = FakePaperless(token=options.token, task_delay_s=TASK_DELAY_S)
    with options.archive.open(encoding="utf-8") as lines:
        for line in lines:
            fake.add_document(**json.loads(line))
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    with fake:
        print(fake.url, flush=True)
        stop.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
