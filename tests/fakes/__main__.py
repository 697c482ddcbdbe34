"""Run the fake Paperless on its own: ``python -m tests.fakes --archive docs.jsonl`` prints its URL."""

from __future__ import annotations

import argparse
import json
import signal
import sys
import threading
from pathlib import Path

from .consumption import run_script
from .paperless import DEFAULT_TOKEN, FakePaperless

VERSIONS = {"2": "2.20.15", "3": "3.0.5"}
TASK_DELAY_S = 0.05


def main(arguments: list[str] | None = None) -> int:
    options = _parse(arguments)
    fake = FakePaperless(
        VERSIONS[options.version],
        port=options.port,
        token=options.token,
        script_name=options.script_name,
        task_delay_s=TASK_DELAY_S,
    )
    if options.archive is not None:
        fill(fake, options.archive)
    if options.post_consume_script is not None:
        fake.on_consumed = run_script(options.post_consume_script)
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    with fake:
        print(fake.url, flush=True)
        stop.wait()
    return 0


def fill(fake: FakePaperless, archive: Path) -> None:
    """One JSON object a line, with the names ``add_document`` takes; owners nobody knows become users."""
    known = {"admin", None}
    with archive.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                row = json.loads(line)
                if row.get("owner") not in known:
                    known.add(row["owner"])
                    fake.add_user(row["owner"])
                fake.add_document(**row)
            except (KeyError, TypeError, ValueError) as error:
                sys.exit(f"{archive}, line {number}: {error}")


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fakes", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--archive", type=Path, help="documents to start with, JSON lines")
    parser.add_argument("--version", choices=sorted(VERSIONS), default="3")
    parser.add_argument("--token", default=DEFAULT_TOKEN, help="the token of the superuser admin")
    parser.add_argument(
        "--script-name", default="", help="serve below a path, as PAPERLESS_FORCE_SCRIPT_NAME"
    )
    parser.add_argument("--post-consume-script", type=Path, help="run after each upload, as Paperless does")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
