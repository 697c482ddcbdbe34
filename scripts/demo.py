"""The demo: a stand-in Paperless with an archive of our own; commands and hook run as real processes.

With --serve, the stand-in and the review page stay up until Ctrl-C, to try decisions in a browser.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from scripts.subcommands import make_parser
from tests.fakes import FakePaperless, Snapshot

ROOT = Path(__file__).resolve().parents[1]
TEXTS = ROOT / "scripts" / "demo"
HOOK = ROOT / "scripts" / "post-consume.sh"
WIDTH = 100
# Varies from run to run, and says nothing about what was found.
TIMING = re.compile(r",? in \d+(\.\d+)? s\b( \([^)]*/s\))?")


@dataclass(frozen=True, slots=True)
class Paper:
    """One text file of the demo: two header lines, an empty one, then what OCR would have read."""

    name: str
    title: str
    created: str
    content: str


def papers(directory: Path) -> Iterator[Paper]:
    for path in sorted(directory.glob("*.txt")):
        head, _, content = path.read_text(encoding="utf-8").partition("\n\n")
        fields = dict(line.split(": ", 1) for line in head.splitlines())
        yield Paper(path.name, fields["Title"], fields["Created"], content)


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("--serve", action="store_true", help="keep the review page up until Ctrl-C")
    parser.add_argument(
        "--port", type=int, help="of the review page (default: 8642, or a free one if it is taken)"
    )
    args = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="dedupe-demo-") as place,
        FakePaperless("3.0.5", clock=_clock()) as paperless,
    ):
        environ = environment(paperless, Path(place))
        play(paperless, environ)
        if args.serve:
            return serve(paperless, environ, args.port or free_port(8642))
        say("\nTo decide on them in a browser: sh scripts/demo.sh --serve")
        return 0


def environment(paperless: FakePaperless, place: Path) -> dict[str, str]:
    return {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]),
        "HOME": str(place),
        "DEDUPE_URL": paperless.url,
        "DEDUPE_TOKEN": paperless.token,
        "DEDUPE_INDEX_DIR": str(place / "index"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def free_port(wanted: int) -> int:
    """This one, or any other if something listens there: a service of yours, or another demo."""
    for port in (wanted, 0):
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
            return int(probe.getsockname()[1])
    raise SystemExit("no port is free")


def serve(paperless: FakePaperless, environ: dict[str, str], port: int) -> int:
    """The service with the review page; the worker of the stand-in works in between."""
    more = {"DEDUPE_REVIEW": "true", "DEDUPE_SERVE_PORT": str(port), "DEDUPE_SWEEP_MINUTES": "0"}
    more |= {
        name: os.environ[name] for name in ("DEDUPE_LANGUAGE", "DEDUPE_ON_CONFIRM") if name in os.environ
    }
    command = [sys.executable, "-m", "hook.cli", "serve"]
    service = subprocess.Popen(command, cwd=ROOT, env={**environ, **more}, stderr=subprocess.DEVNULL)
    say(
        f"\nOpen http://127.0.0.1:{port}/review/ and log in as admin with the password admin. Ctrl-C ends the demo."
    )
    sys.stdout.flush()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell without job control has it ignored
    try:
        while service.poll() is None:
            paperless.run_tasks()
            time.sleep(0.2)
        say(f"The review page could not be started: is port {port} taken? Try --port.")
        return 1
    except KeyboardInterrupt:
        return 0
    finally:
        service.terminate()
        service.wait()


def play(paperless: FakePaperless, environ: dict[str, str]) -> None:
    for paper in papers(TEXTS / "archive"):
        paperless.add_document(
            paper.content, paper.title, created=paper.created, added=f"{paper.created}T09:00:00"
        )
    say(f"A Paperless 3 (a stand-in for this demo) with {len(paperless.documents)} documents.")
    for command in ("setup", "backfill"):
        say(f"\n$ paperless-dedupe {command}")
        run_command(command, environ)
    paperless.run_tasks()

    say("\nThree more documents are consumed. After each, Paperless runs scripts/post-consume.sh:")
    paperless.options.on_consumed = lambda _, variables: run_hook({**environ, **variables})
    for paper in papers(TEXTS / "incoming"):
        say(f"\n+ {paper.title}")
        paperless.consume(paper.content, f"{paper.title}.pdf", title=paper.title)
    paperless.run_tasks()

    say('\nWhat you see in Paperless, in the view "Suspected duplicates":')
    found = [document for document in map(paperless.document, paperless.documents) if document.tags]
    for document in found:
        show(document, paperless)
    rest = len(paperless.documents) - len(found)
    say(f"\nThe other {rest} documents were left alone, the four telephone bills among them.")


def run_command(name: str, environ: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "hook.cli", name],
        cwd=ROOT,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    report(done)


def run_hook(environ: dict[str, str]) -> None:
    report(subprocess.run([HOOK], env=environ, capture_output=True, text=True, check=False))


def report(done: subprocess.CompletedProcess[str]) -> None:
    for line in (done.stdout + done.stderr).splitlines():
        say(TIMING.sub("", line), "  ")
    if done.returncode:
        sys.exit(f"{done.args} ended with exit code {done.returncode}")


def show(document: Snapshot, paperless: FakePaperless) -> None:
    say(f"\n#{document.id} {document.title}")
    say(f"tags: {', '.join(sorted(document.tags))}", "  ")
    for name, linked in document.custom_fields.items():
        titles = [f"#{other} {paperless.document(other).title}" for other in linked]
        say(f"{name}: {', '.join(titles)}", "  ")
    for note in document.notes:
        say(f"note: {note}", "  ")


def say(text: str, indent: str = "") -> None:
    leading = indent + re.match(r"\n*( *)", text)[1]  # type: ignore[index]  # it always matches
    for line in text.split("\n"):
        print(textwrap.fill(line, WIDTH, initial_indent=indent, subsequent_indent=leading + "  "))


def _clock() -> Callable[[], dt.datetime]:
    """Every moment of the demo is a minute after the last, so that it prints the same on every day."""
    start = dt.datetime(2025, 7, 1, 9, tzinfo=dt.UTC)
    ticks = iter(range(1_000_000))
    return lambda: start + dt.timedelta(minutes=next(ticks))


if __name__ == "__main__":
    sys.exit(main())
