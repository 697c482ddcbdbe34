"""Everything in one table, ratios from one run, and how each grows.

    python -m scripts.benchmarks all [--sizes 500,1500,4500]

Ours beside what people would pick instead: datasketch's LSH in memory and on Redis, every pair by rapidfuzz (what
Paperless's `document_fuzzy_match` does), rensa for signatures where it is installed. All on the same made texts
(documents.py), CPU milliseconds a document of this process, one core.
"""

from __future__ import annotations

import json
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scripts.benchmarks import hook, serve, yardstick
from scripts.benchmarks.stores import exponent, opened, server_of
from scripts.subcommands import make_parser
from scripts.tables import table

if TYPE_CHECKING:
    from dedupe_core.model import Document, Fingerprint
    from hook.settings.address import Address

PERMUTATIONS, BANDS, ROWS = 192, 64, 3  # of our default recipe, for datasketch, too
QUERIES = 100


@dataclass
class Figures:
    """CPU milliseconds a document by what was done and by whom, and for some of them by size."""

    ms: dict[tuple[str, str], float] = field(default_factory=dict)
    by_size: dict[str, list[tuple[int, float]]] = field(default_factory=dict)

    def note(self, what: str, who: str, ms: float) -> None:
        self.ms[what, who] = ms

    @contextmanager
    def timed(self, what: str, who: str, count: int) -> Iterator[None]:
        began = time.process_time()
        yield
        self.note(what, who, 1000 * (time.process_time() - began) / count)


def run(sizes: Sequence[int]) -> str:
    from scripts.benchmarks import documents as made

    documents = list(made.Archive().documents(0, sizes[-1] + QUERIES))
    figures = Figures()
    _signatures(figures, documents[: sizes[0]])
    with tempfile.TemporaryDirectory() as place:
        _ours(figures, documents, sizes, Path(place) / "directory", None)
        _lsh(figures, documents, sizes, {})
        _pairs(figures, documents, sizes)
        if shutil.which("redis-server"):
            _on_redis(figures, documents[: sizes[0]], Path(place))
        _scan(figures, documents[: sizes[0]], Path(place) / "documents.jsonl")
    _processes(figures, sizes[0])
    return shown(figures)


def _signatures(figures: Figures, documents: Sequence[Document]) -> None:
    from datasketch import MinHash

    from dedupe_core.fingerprint.shingles import shingle_hashes
    from dedupe_core.fingerprint.signature import signature
    from dedupe_core.recipe import DEFAULT as RECIPE
    from dedupe_core.text.normalise import normalise

    texts = [normalise(document.content) for document in documents]
    hashes = [shingle_hashes(text, RECIPE) for text in texts]
    with figures.timed("signature", "ours", len(texts)):
        for one in hashes:
            signature(one, RECIPE)
    grams = [[text[place : place + 6].encode() for place in range(len(text) - 5)] for text in texts]
    with figures.timed("signature", "datasketch update_batch", len(texts)):
        for gram in grams:
            MinHash(num_perm=PERMUTATIONS).update_batch(gram)
    _rensa(figures, grams)


def _rensa(figures: Figures, grams: Sequence[Sequence[bytes]]) -> None:
    try:
        from rensa import RMinHash  # type: ignore[import-not-found]  # measured where it is installed
    except ModuleNotFoundError:
        return
    words = [[gram.decode(errors="replace") for gram in one] for one in grams]
    with figures.timed("signature", "rensa", len(words)):
        for one in words:
            RMinHash(num_perm=PERMUTATIONS, seed=1).update(one)


def _ours(
    figures: Figures,
    documents: Sequence[Document],
    sizes: Sequence[int],
    place: Path,
    address: Address | None,
) -> None:
    """Fingerprints are made once; insert, query and verdict are what is left of an examination."""
    from dedupe_core.compare.view import view
    from dedupe_core.judge.judge import judge
    from dedupe_core.policy import DEFAULT as POLICY

    who = "ours on Redis" if address else "ours"
    with opened(place, address) as archive:
        done = 0
        for size in sizes:
            prints = _timed_fingerprints(figures, archive.fingerprint, documents[done:size], who)
            with figures.timed("insert", who, size - done), archive.batch():
                for found in prints:
                    archive.remember(found)
            asked = [archive.fingerprint(one) for one in documents[size : size + QUERIES]]
            with figures.timed("query", who, QUERIES):
                for found in asked:
                    archive.candidates(found)
            with figures.timed("verdict", who, QUERIES):
                for found in asked:
                    judge(view(found), archive.neighbours(found), POLICY)
            parts = ("fingerprint", "insert", "query", "verdict")
            figures.by_size.setdefault(f"{who}: whole examination", []).append(
                (size, sum(figures.ms[part, who] for part in parts if part != "query"))
            )
            done = size


def _timed_fingerprints(
    figures: Figures, make: Callable[[Document], Fingerprint], documents: Iterable[Document], who: str
) -> list[Fingerprint]:
    some = list(documents)
    with figures.timed("fingerprint", who, len(some)):
        return [make(one) for one in some]


def _lsh(
    figures: Figures, documents: Sequence[Document], sizes: Sequence[int], storage: dict[str, Any]
) -> None:
    from datasketch import MinHash, MinHashLSH

    who = "datasketch LSH on Redis" if storage else "datasketch LSH in memory"

    def made(document: Document) -> Any:
        words = document.content.lower().split()
        minhash = MinHash(num_perm=PERMUTATIONS)
        minhash.update_batch([" ".join(words[at : at + 3]).encode() for at in range(max(1, len(words) - 2))])
        return minhash

    options = {"storage_config": storage} if storage else {}
    lsh = MinHashLSH(num_perm=PERMUTATIONS, params=(BANDS, ROWS), **options)
    done = 0
    for size in sizes:
        with figures.timed("fingerprint", who, size - done):
            hashes = [made(one) for one in documents[done:size]]
        with figures.timed("insert", who, size - done):
            for number, one in enumerate(hashes, done):
                lsh.insert(str(number), one, check_duplication=False)
        asked = [made(one) for one in documents[size : size + QUERIES]]
        with figures.timed("query", who, QUERIES):
            for one in asked:
                lsh.query(one)
        whole = sum(figures.ms[part, who] for part in ("fingerprint", "insert", "query"))
        figures.by_size.setdefault(f"{who}: no verdict", []).append((size, whole))
        done = size


def _pairs(figures: Figures, documents: Sequence[Document], sizes: Sequence[int], asked: int = 5) -> None:
    """Each new document against every one before it, as `document_fuzzy_match` compares all with all."""
    from rapidfuzz import fuzz

    for size in sizes:
        with figures.timed("verdict", "all pairs by rapidfuzz", asked):
            for one in documents[size : size + asked]:
                for other in documents[:size]:
                    fuzz.ratio(one.content, other.content, score_cutoff=85)
        ms = figures.ms["verdict", "all pairs by rapidfuzz"]
        figures.by_size.setdefault("all pairs by rapidfuzz", []).append((size, ms))


def _on_redis(figures: Figures, documents: Sequence[Document], place: Path) -> None:
    size = len(documents) - QUERIES
    with ExitStack() as stack:
        address = stack.enter_context(server_of(place))
        _ours(figures, documents, [size], place / "local", address)
        host, port = address.hosts[0]
        storage = {"type": "redis", "basename": b"lsh", "redis": {"host": host, "port": port}}
        _lsh(figures, documents, [size], storage)


def _scan(figures: Figures, documents: Sequence[Document], file: Path) -> None:
    """`scan` as a whole against datasketch's loop of updates, which makes signatures and nothing else."""
    lines = (json.dumps({"id": one.id, "content": one.content}) + "\n" for one in documents)
    file.write_text("".join(lines), encoding="utf-8")
    plain_s, cost = yardstick.figures(str(file))
    for who, spent_s in (("ours", cost.cpu_s), ("datasketch update per word 3-gram", plain_s)):
        figures.note("scan, imports included", who, 1000 * spent_s / len(documents))


def _processes(figures: Figures, documents: int) -> None:
    """Whole processes: CPU of a hook, and of the service for a document."""
    spent_s = hook.figures(documents, runs=5)
    for what, who, name in (
        ("cold hook", "ours", "hook"),
        ("cold hook", "`import datasketch` and the other packages", "plain"),
    ):
        figures.note(what, who, 1000 * spent_s[name])
    figures.note("service", "ours", serve.figures(documents, rate=5, seconds=12)[serve.WHOLE])


def shown(figures: Figures) -> str:
    rows = []
    for (what, who), ms in sorted(figures.ms.items(), key=lambda one: _ORDER.index(one[0][0])):
        ours = figures.ms.get((what, "ours"))
        rows.append((what, who, f"{ms:.2f}", f"{ms / ours:.2f} x" if ours else ""))
    growing = [
        (name, f"n^{exponent(points):.2f}") for name, points in figures.by_size.items() if len(points) > 2
    ]
    costs = table(("what", "by", "CPU ms a document", "against ours"), rows)
    return f"{costs}\n\n{table(('whole examination', 'grows with the archive as'), growing)}"


_ORDER = (
    "signature",
    "fingerprint",
    "insert",
    "query",
    "verdict",
    "scan, imports included",
    "cold hook",
    "service",
)


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("--sizes", default="500,1500,4500", help="rising, with commas (default: %(default)s)")
    args = parser.parse_args()
    print(run([int(size) for size in args.sizes.split(",")]))
    return 0
