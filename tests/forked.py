"""Starts programs by way of the fork server: 20 ms for one, instead of a second for its imports."""

from __future__ import annotations

import atexit
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).parents[1]


class Forked:
    """A program that runs; as much of subprocess.Popen as tests need."""

    def __init__(self, answers: socket.socket) -> None:
        self._answers = answers
        self.pid = int(answers.recv(32))
        self.returncode: int | None = None

    def wait(self, timeout_s: float | None = None) -> int:
        """The exit code; the negative number of a signal that ended it."""
        if self.returncode is None:
            self._answers.settimeout(timeout_s)
            self.returncode = os.waitstatus_to_exitcode(int(self._answers.recv(32)))
            self._answers.close()
        return self.returncode

    def poll(self) -> int | None:
        try:
            return self.wait(0.0)
        except BlockingIOError:
            return None

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)

    def terminate(self) -> None:
        os.kill(self.pid, signal.SIGTERM)


@dataclass(frozen=True)
class Ran:
    """What is left of a program that has ended."""

    code: int
    out: str
    err: str


class ForkServer:
    def __init__(self) -> None:
        self._tasks, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.fork_server", str(theirs.fileno())],
            cwd=ROOT,
            pass_fds=[theirs.fileno()],
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},  # a fork copies one thread
        )
        theirs.close()

    def start(
        self,
        words: Sequence[str],
        environ: Mapping[str, str],
        *,
        out: IO[Any] | None = None,
        err: IO[Any] | None = None,
        user: Sequence[int] | None = None,
    ) -> Forked:
        """`paperless-dedupe` with these words, or the hook without any; from any thread.

        `user`: for root, the number of the user to run it as, of its group and of further groups.
        """
        answers, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        parts = {"words": list(words), "environ": dict(environ), "umask": _umask(), "user": user}
        task = json.dumps(parts).encode()
        with theirs, Path(os.devnull).open("wb") as nowhere:
            streams = [(stream or nowhere).fileno() for stream in (out, err)]
            socket.send_fds(self._tasks, [task], [theirs.fileno(), *streams])
        return Forked(answers)

    def run(
        self,
        words: Sequence[str],
        environ: Mapping[str, str],
        *,
        timeout_s: float = 180.0,
        user: Sequence[int] | None = None,
    ) -> Ran:
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
            code = self.start(words, environ, out=out, err=err, user=user).wait(timeout_s)
            for stream in (out, err):
                stream.seek(0)
            return Ran(code, out.read(), err.read())

    def close(self) -> None:
        self._tasks.close()
        self._process.wait(timeout=60)


def _umask() -> int:
    """That of this process, which the server does not share; asking the system would change it."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(next(line for line in status.splitlines() if line.startswith("Umask:")).split()[1], 8)


@cache
def fork_server() -> ForkServer:
    """One for each process that runs tests; it ends with it."""
    server = ForkServer()
    atexit.register(server.close)
    return server
