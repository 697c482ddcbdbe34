"""A worker process: reads documents and judges them among candidates that the run names; writes nothing to the index.

It ends when its input ends, so no worker outlives its run. Ctrl-C is for the run alone.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

from dedupe_core.model import Document, Fingerprint
from dedupe_core.policy import ClassicalPolicy, Policy
from dedupe_core.recipe import Recipe, Shingle
from hook.examination.archive import Archive
from hook.examination.codec import decode, encode
from hook.examination.overlap import of_owners
from hook.parallel.frames import packed, receive, send
from hook.parallel.garbage import collect_seldom
from hook.settings.address import parse_address

Read = tuple[Fingerprint, bytes]  # a document, and its record


def main(source: IO[bytes], out: IO[bytes]) -> None:
    begun = receive(source)
    if begun is None:
        return
    with _opened(begun[0]) as archive:
        waiting: dict[int, Read] = {}
        while (message := receive(source)) is not None:
            (kind, number, *rest), blocks = message
            try:
                if kind == "batch":
                    archive.follow(*rest)
                    waiting = {one: read for one, read in waiting.items() if one >= number}
                elif kind == "read":
                    _read(archive, waiting, number, rest, out)
                else:
                    _judge(archive, waiting.pop(number, None), number, rest, blocks, out)
            except Exception as error:  # the run examines the document itself, and reports its id
                send(out, ["failed", number, type(error).__name__])


def _opened(start: dict[str, Any]) -> Archive:
    recipe = Recipe(**{**start["recipe"], "shingle": Shingle(start["recipe"]["shingle"])})
    policy, classical = Policy(**start["policy"]), ClassicalPolicy(**start["classical"])
    address = parse_address(start["url"]) if start["url"] else None
    return Archive.open(
        Path(start["directory"]), recipe, policy, classical=classical, create=False, address=address
    )


def _read(archive: Archive, waiting: dict[int, Read], number: int, fields: list[Any], out: IO[bytes]) -> None:
    found = archive.fingerprint(Document(*fields))
    keys, record = archive.keys_by_kind(found), encode(found)
    waiting[number] = found, record
    send(out, ["read", number], *(kind.tobytes() for kind in keys), record)


def _judge(
    archive: Archive, read: Read | None, number: int, rest: list[Any], blocks: Sequence[bytes], out: IO[bytes]
) -> None:
    """`fresh` are candidates that the run has stored and not committed, and that this worker has not seen: their records
    come with the message; so does that of a document that another worker has read, as the last one."""
    candidates, owners, everything, fresh = rest
    found, record = read or (decode(blocks[-1]), blocks[-1])
    archive.show(dict(zip(fresh, blocks, strict=False)))
    verdicts = archive.judge_among(found, candidates, visible=of_owners(owners), everything=everything)
    archive.show_judged(found, record)
    send(out, ["judged", number, list(map(packed, verdicts))])


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    collect_seldom()
    main(sys.stdin.buffer, sys.stdout.buffer)
