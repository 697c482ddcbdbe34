"""Runs commands in processes of their own, to be killed, without paying for the imports each time.

Reads one JSON object a line (`words`, `environ`); answers with the process id, then with its wait status.
"""

from __future__ import annotations

import json
import os
import sys

import hook.backfill.sync
import hook.commands.backfill
import hook.review.review
import hook.review.undo
from hook import cli


def serve() -> None:
    for line in sys.stdin:
        task = json.loads(line)
        number = os.fork()  # this process has one thread
        if number == 0:
            quiet = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(quiet, stream)
            os._exit(cli.main(task["words"], task["environ"]))
        print(number, flush=True)
        print(os.waitpid(number, 0)[1], flush=True)


if __name__ == "__main__":
    assert (
        hook.commands.backfill and hook.review.review and hook.backfill.sync and hook.review.undo
    )  # imported before anything is forked
    serve()
