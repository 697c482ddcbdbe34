"""What the warm service does under load: 50 events a second, all accepted, all examined, none twice.

    python -m scripts.benchmarks serve [--documents 100000] [--rate 50] [--seconds 60] [--index DIRECTORY]

The stand-in Paperless is a process of its own, so its time is not counted. CPU per examination is that of the
thread that examines, from taking the event to being done with it; that of the whole process is a median over
periods of two seconds. --index keeps the filled index (10 minutes for 100,000 documents) for another run.
"""

from __future__ import annotations

import collections
import http.client
import itertools
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scripts.benchmarks.processes import PROGRAM, ROOT, archive_of, environment, first, stand_in
from scripts.subcommands import make_parser
from scripts.tables import table
from tests.hook.index.shared.servers import free_port

SECRET = "bench"
PERIOD_S = 2.0
LIMIT_MS = 25.0
AT_ONCE = 500
PATIENCE_S = 1200.0


@dataclass
class Sample:
    """The service at one moment."""

    at_s: float
    cpu_s: float
    rss_mb: float
    examined: int


@dataclass
class Load:
    """What the generator saw."""

    statuses: collections.Counter[int] = field(default_factory=collections.Counter)
    answers_ms: list[float] = field(default_factory=list)


def fill_index(directory: Path, rows: Iterator[dict[str, Any]]) -> None:
    """Straight into the index: what is measured comes later."""
    from dedupe_core.fingerprint.fingerprint import fingerprint
    from dedupe_core.model import Document
    from dedupe_core.recipe import DEFAULT
    from hook.session import open_archive
    from hook.settings.loading import load_settings

    with open_archive(load_settings({"DEDUPE_INDEX_DIR": str(directory)})) as archive:
        known = set(archive.index.ids())  # of a run that was ended
        missing = (row for row in rows if row["id"] not in known)
        while batch := list(itertools.islice(missing, AT_ONCE)):
            with archive.batch():
                for row in batch:
                    document = Document(row["id"], row["content"], row["title"], created=row["created"])
                    archive.remember(fingerprint(document, DEFAULT))


def sample(process: int, port: int) -> Sample:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    cpu_s = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    rss_mb = int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    return Sample(time.monotonic(), cpu_s, rss_mb, figure(port, 'dedupe_examined_total{source="event"}'))


def ask(port: int, method: str, path: str, body: bytes | None = None) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    headers = {"X-Dedupe-Secret": SECRET, "Content-Type": "application/json"}
    try:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def figure(port: int, series: str) -> int:
    found = re.search(rf"^{re.escape(series)} (\d+)(\.0)?$", ask(port, "GET", "/metrics")[1], re.MULTILINE)
    return int(found[1]) if found else 0


def generate(port: int, numbers: range, rate: float, load: Load) -> None:
    started_s = time.monotonic()
    for count, number in enumerate(numbers):
        time.sleep(max(started_s + count / rate - time.monotonic(), 0.0))
        body = json.dumps({"doc_url": f"http://paperless/documents/{number}/"}).encode()
        sent_s = time.monotonic()
        load.statuses[ask(port, "POST", "/events", body)[0]] += 1
        load.answers_ms.append(1000 * (time.monotonic() - sent_s))


def start(environ: dict[str, str], log: Path) -> subprocess.Popen[bytes]:
    port = int(environ["DEDUPE_SERVE_PORT"])
    with log.open("wb") as out:
        service = subprocess.Popen([*PROGRAM, "serve"], cwd=ROOT, env=environ, stdout=out, stderr=out)
    while service.poll() is None:
        try:
            if ask(port, "GET", "/healthz")[0] == 200:
                return service
        except OSError:
            time.sleep(0.1)
    sys.exit(log.read_text())


def run(port: int, service: int, numbers: range, rate: float) -> tuple[Load, list[Sample]]:
    load, samples = Load(), [sample(service, port)]
    generator = threading.Thread(target=generate, args=(port, numbers, rate, load))
    generator.start()
    ends_s = time.monotonic() + PATIENCE_S
    while samples[-1].examined < len(numbers) and time.monotonic() < ends_s:
        time.sleep(PERIOD_S)
        samples.append(sample(service, port))
    generator.join()
    return load, samples


WHOLE = "CPU per document of the whole process, HTTP side included, median, ms"


def rows_of(load: Load, samples: list[Sample], numbers: range, log: str) -> dict[str, float]:
    lines = re.findall(r"\] (#.*)$", log, re.MULTILINE)
    costs_ms = [float(found[1]) for line in lines if (found := re.search(r"took ([\d.]+) ms of CPU", line))]
    said = collections.Counter(
        int(re.split("[: ]", line[1:])[0]) for line in lines if "ms of CPU" not in line
    )
    pairs = [(b, a) for b, a in itertools.pairwise(samples) if a.examined - b.examined >= 5]
    return {
        "events sent": len(numbers),
        "answered 202": load.statuses[202],
        "examined once": sum(said[number] == 1 for number in numbers),
        "median answer, ms": statistics.median(load.answers_ms),
        "slowest answer, ms": max(load.answers_ms),
        f"CPU per examination, median, ms (limit {LIMIT_MS:g})": statistics.median(costs_ms),
        "CPU per examination, 95 of 100 below, ms": statistics.quantiles(costs_ms, n=20)[-1],
        WHOLE: statistics.median(1000 * (a.cpu_s - b.cpu_s) / (a.examined - b.examined) for b, a in pairs),
        "examined per second": len(numbers) / (samples[-1].at_s - samples[0].at_s),
        "RSS at the start, MB": samples[0].rss_mb,
        "RSS after a quarter, MB": samples[len(samples) // 4].rss_mb,
        "RSS at the end, MB": samples[-1].rss_mb,
    }


def figures(documents: int, rate: float, seconds: int, kept: Path | None = None) -> dict[str, float]:
    events = int(rate * seconds)
    numbers = range(documents + 1, documents + events + 1)
    with tempfile.TemporaryDirectory(prefix="bench-serve-") as named:
        place = Path(named)
        archive = archive_of(documents + events, place)
        kept = kept or place / "filled"
        fill_index(kept, iter(first(archive, documents)))
        shutil.copytree(kept, place / "index")
        port = free_port()
        serving = {"DEDUPE_SECRET": SECRET, "DEDUPE_SERVE_PORT": str(port), "DEDUPE_SWEEP_MINUTES": "0"}
        with stand_in(archive) as url:
            environ = environment(place, DEDUPE_URL=url, DEDUPE_LOG_LEVEL="DEBUG", **serving)
            service = start(environ, place / "log")
            load, samples = run(port, service.pid, numbers, rate)
            service.terminate()
            service.wait()
        return rows_of(load, samples, numbers, (place / "log").read_text())


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--rate", type=float, default=50.0)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--index", type=Path, help="where the filled index is kept for another run")
    options = parser.parse_args()
    rows = figures(options.documents, options.rate, options.seconds, options.index)
    print(table(("", ""), [(name, f"{value:.1f}".removesuffix(".0")) for name, value in rows.items()]))
    return int(not rows["examined once"] == rows["answered 202"] == rows["events sent"])
