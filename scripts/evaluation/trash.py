"""What a real Paperless would move to the trash: copies that are refused before and after looking at the pages, and edited
papers that are moved.

    PAPERLESS_URL=... PAPERLESS_API_TOKEN=... python -m scripts.evaluation trash [--seed N] [--papers N] [--files DIR]

Sends generated papers as images without text (`scripts/pages`; English), and the files that DIR/MANIFEST.csv names (columns
file, group, family, kind), unless the server has a document of that title. Waits until they are consumed, and asks of every pair, whatever
the verdict on it is: would it be moved if somebody confirmed it? Nothing is moved. Use a server for tests.
"""

from __future__ import annotations

import csv
import io
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Final

import httpx
from pydantic import SecretStr

from dedupe_core.model import Relation
from hook.ink.inspector import Inspector
from hook.paperless.client import Paperless
from hook.paperless.http import ApiTransport
from hook.review.journal import ImpossibleError
from hook.review.merge_rules import content_differences, printed_alike
from scripts.pages.cases import Sheet, pairs, pictures
from scripts.subcommands import make_parser

LANGUAGES: Final = ("en",)  # those that the server reads
PATIENCE_S: Final = 900.0  # without a new document: the rest was refused by Paperless


@dataclass(frozen=True, slots=True)
class Asked:
    left: str  # title
    right: str
    is_same: bool


@dataclass(frozen=True, slots=True)
class Answer:
    right: str
    is_same: bool
    has_text: bool  # on both sides: what has none is no rescan by its text, and refused
    by_text: bool
    by_ink: bool


def generated(seed: int, size: int) -> tuple[dict[str, Sheet], list[Asked]]:
    """A paper and its rescan; and each of the two with every paper that was changed."""
    sheets: dict[str, Sheet] = {}
    asked = []
    for pair in pairs(seed, size):
        if pair.left.lang in LANGUAGES:
            number, kind = pair.name.split("/")
            paper, rescan, other = f"{number}-paper", f"{number}-paper-2", f"{number}-{kind}"
            sheets |= {paper: pair.left, other: pair.right}
            asked.append(Asked(paper, other, other == rescan))
            asked += [Asked(rescan, other, False)] if other != rescan else []
    return sheets, asked


def as_file(sheet: Sheet) -> bytes:
    """The PDF that a scanner sends: images alone."""
    paper, fault, images = pictures(sheet)
    if fault is None:
        return paper
    out = io.BytesIO()
    first, *others = (image for image, _ in images)
    first.save(out, "PDF", save_all=True, append_images=others, resolution=fault.dpi, quality=90)
    return out.getvalue()


def listed(directory: Path) -> tuple[dict[str, Path], list[Asked]]:
    """Of one group: the same paper; of one family: another paper of the same kind. Parts of others are left out."""
    with (directory / "MANIFEST.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if (directory / row["file"]).exists()]
    rows = [row for row in rows if row["kind"] != "contained"]
    asked = [
        Asked(one["file"], other["file"], one["group"] == other["group"])
        for one, other in combinations(rows, 2)
        if one["family"] == other["family"]
    ]
    return {row["file"]: directory / row["file"] for row in rows}, asked


def send(web: httpx.Client, sources: Mapping[str, Sheet | Path]) -> None:
    known = titles(web)
    for title, source in sources.items():
        if title not in known:
            data = as_file(source) if isinstance(source, Sheet) else source.read_bytes()
            files = {"document": (f"{title}.pdf", data, "application/pdf")}
            web.post("documents/post_document/", data={"title": title}, files=files).raise_for_status()


def titles(web: httpx.Client) -> dict[str, int]:
    answer = web.get("documents/", params={"fields": "id,title", "page_size": 100_000, "ordering": "-id"})
    return {row["title"]: row["id"] for row in answer.raise_for_status().json()["results"]}


def consumed(web: httpx.Client, wanted: Sequence[str]) -> dict[str, int]:
    """All of them, or what there is when nothing has come for a while."""
    known, changed = titles(web), time.monotonic()
    while not known.keys() >= set(wanted) and time.monotonic() - changed < PATIENCE_S:
        time.sleep(5)
        now = titles(web)
        changed = time.monotonic() if len(now) > len(known) else changed
        known = now
        print(
            f"\r{sum(title in known for title in wanted)} of {len(wanted)} consumed", end="", file=sys.stderr
        )
    print(file=sys.stderr)
    return known


def answers(
    client: Paperless, inspector: Inspector, known: Mapping[str, int], asked: Sequence[Asked]
) -> Iterator[Answer]:
    for one in asked:
        if one.left not in known or one.right not in known:
            continue
        ids = known[one.left], known[one.right]
        has_text = all(client.document(number).content.strip() for number in ids)
        by_text = has_text and is_moved(client, ids)
        by_ink = by_text or (has_text and is_moved(client, ids, inspector))
        if by_ink and not one.is_same:
            print(f"moved, and another paper: {one.left}, {one.right}")
        yield Answer(one.right, one.is_same, has_text, by_text, by_ink)


def is_moved(client: Paperless, ids: tuple[int, int], inspector: Inspector | None = None) -> bool:
    kept, loser = map(client.document, ids)
    try:
        differences = content_differences(kept, loser, Relation.RESCAN, "")
    except ImpossibleError:
        return False
    same = printed_alike(inspector, client, kept, loser, differences) if inspector else frozenset()
    return same.issuperset(differences)


def report(name: str, found: Sequence[Answer]) -> None:
    copies, others = [one for one in found if one.is_same], [one for one in found if not one.is_same]
    refused = [sum(not getattr(one, by) for one in copies) for by in ("by_text", "by_ink")]
    moved = [sum(getattr(one, by) for one in others) for by in ("by_text", "by_ink")]
    papers = len({one.right for one in others})
    unread = sum(not one.has_text for one in copies)
    print(
        f"{name}: refused copies {refused[0]} of {len(copies)} by text, {refused[1]} after looking; {unread} have no text on one side"
    )
    print(
        f"{name}: moved pairs of different papers {moved[0]} of {len(others)} by text, {moved[1]} after looking ({papers} papers)"
    )


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--papers", type=int, default=30)
    parser.add_argument("--files", type=Path, help="a directory with MANIFEST.csv")
    parser.add_argument("--send-only", action="store_true", help="do not wait, nor look")
    args = parser.parse_args()
    url, token = os.environ["PAPERLESS_URL"], os.environ["PAPERLESS_API_TOKEN"]
    groups = {"generated": generated(args.seed, args.papers)}
    files = {"files": listed(args.files)} if args.files else {}
    sources: dict[str, Sheet | Path] = {**groups["generated"][0], **(files["files"][0] if files else {})}
    headers = {"Authorization": f"Token {token}", "Accept": "application/json; version=9"}
    with httpx.Client(base_url=f"{url}/api/", headers=headers, timeout=300) as web:
        send(web, sources)
        if args.send_only:
            return 0
        known = consumed(web, list(sources))
    with Paperless(ApiTransport(url, SecretStr(token))) as client, tempfile.TemporaryDirectory() as place:
        inspector = Inspector(Path(place))
        for name, (_, asked) in {**groups, **files}.items():
            report(name, list(answers(client, inspector, known, asked)))
    return 0
