"""Shows the queue, and retries or drops events."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from contextlib import closing
from datetime import UTC, datetime

from hook.commands.terminal import print_json
from hook.errors import DedupeError
from hook.findings.wording import many
from hook.queue import Event, Queue
from hook.session import settings_of


def run(args: argparse.Namespace) -> int:
    settings = settings_of(args.environ)
    with closing(Queue(settings.index_dir)) as queue:
        try:
            if args.retry is not None:
                return _retry(queue, args.retry)
            if args.drop is not None:
                return _each(queue.drop, args.drop, "removed from the queue")
            (_print_json if args.json else _print)(queue.events())
        except OSError as error:
            raise DedupeError(
                f"{queue.directory} cannot be used ({error.strerror}): run this as the user that runs Paperless"
            ) from error
    return 0


def _retry(queue: Queue, numbers: list[int]) -> int:
    chosen = numbers or [event.document_id for event in queue.events() if event.is_given_up]
    done = "will be examined again by the service, the next hook or the next sync"
    return _each(queue.revive, chosen, done)


def _each(act: Callable[[int], bool], numbers: Iterable[int], done: str) -> int:
    results = {number: act(number) for number in numbers}
    for number, is_known in results.items():
        print(f"#{number}: {done if is_known else 'not in the queue'}")
    return 0 if all(results.values()) else 1


def _print(events: list[Event]) -> None:
    dead = [event for event in events if event.is_given_up]
    for title, chosen in (
        ("waiting", [event for event in events if not event.is_given_up]),
        ("given up", dead),
    ):
        print(f"{title}: {len(chosen)}")
        for event in chosen:
            line = (
                f"#{event.document_id}  {_moment(event)}  {many(event.attempts, 'attempt')}  {event.reason}"
            )
            print(f"  {line}".rstrip())
    if dead:
        print("`paperless-dedupe queue --retry` retries those that were given up.")


def _print_json(events: list[Event]) -> None:
    rows: dict[bool, list[object]] = {False: [], True: []}
    for event in events:
        row = {"document": event.document_id, "attempts": event.attempts, "reason": event.reason}
        rows[event.is_given_up].append({**row, "since": _moment(event)})
    print_json({"waiting": rows[False], "dead": rows[True]}, indent=1)


def _moment(event: Event) -> str:
    """When it was last touched."""
    try:
        return datetime.fromtimestamp(event.touched_ns / 1e9, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError, OSError):  # a time that no calendar has
        return ""
