"""Lists the documents that wait to be examined and those that were given up, and retries them.

Without options it lists both, and the events that the forwarder script has left for the service. With --json it is
one object: "schema", "waiting" and "dead" (those given up), each a list of document, attempts, reason and since
(UTC), and "spool", a list of documents.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Final

from hook.commands.options import add_json
from hook.commands.terminal import print_json
from hook.errors import DedupeError
from hook.findings.wording import many
from hook.queue import Event, Queue
from hook.service.spool import Spool
from hook.session import settings_of

SHOWN: Final = 10  # of the events in the spool


def add_arguments(parser: argparse.ArgumentParser) -> None:
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--dead", action="store_true", help="list only what was given up")
    choice.add_argument(
        "--retry",
        nargs="*",
        type=int,
        metavar="ID",
        help="retry these; without a number, all that were given up",
    )
    choice.add_argument("--drop", nargs="+", type=int, metavar="ID", help="remove these from the queue")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    settings = settings_of(args.environ)
    queue, spool = Queue(settings.index_dir), Spool(settings.spool_dir)
    try:
        if args.retry is not None:
            return _retry(queue, args.retry)
        if args.drop is not None:
            return _each(queue.drop, args.drop, "removed from the queue")
        _show(queue.events(), spool.waiting(), as_json=args.json, only_dead=args.dead)
    except OSError as error:
        raise DedupeError(
            f"{queue.directory} cannot be used ({error.strerror}): run this as the user that runs Paperless"
        ) from error
    finally:
        queue.close()
    return 0


def _retry(queue: Queue, numbers: list[int]) -> int:
    chosen = numbers or [event.document_id for event in queue.events() if event.is_given_up]
    return _each(
        queue.revive, chosen, "will be examined again by the service, the next hook or the next sync"
    )


def _each(act: Callable[[int], bool], numbers: Iterable[int], done: str) -> int:
    code = 0
    for number in numbers:
        found = act(number)
        print(f"#{number}: {done if found else 'not in the queue'}")
        code = code if found else 1
    return code


def _show(events: list[Event], spooled: list[int], *, as_json: bool, only_dead: bool) -> None:
    waiting = [event for event in events if not event.is_given_up and not only_dead]
    dead = [event for event in events if event.is_given_up]
    if as_json:
        print_json(
            {"waiting": list(map(_row, waiting)), "dead": list(map(_row, dead)), "spool": spooled}, indent=1
        )
        return
    for title, chosen in (("given up", dead),) if only_dead else (("waiting", waiting), ("given up", dead)):
        print(f"{title}: {len(chosen)}")
        for event in chosen:
            line = (
                f"  #{event.document_id}  {_moment(event)}  {many(event.attempts, 'attempt')}  {event.reason}"
            )
            print(line.rstrip())
    if spooled and not only_dead:
        numbers = ", ".join(f"#{number}" for number in spooled[:SHOWN]) + (", ..." if spooled[SHOWN:] else "")
        print(f"left for the service by the forwarder script: {len(spooled)} ({numbers})")
    if dead:
        print("`paperless-dedupe queue --retry` retries those that were given up.")


def _row(event: Event) -> dict[str, object]:
    return {
        "document": event.document_id,
        "attempts": event.attempts,
        "reason": event.reason,
        "since": _moment(event),
    }


def _moment(event: Event) -> str:
    """When it was last touched."""
    try:
        return datetime.fromtimestamp(event.touched_ns / 1e9, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError, OSError):  # a time that no calendar has
        return ""
