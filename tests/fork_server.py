"""Our programs in processes of their own, to be killed or run at once, without paying for the imports each time.

`python -m tests.fork_server FD` imports the whole product once. Each message on that socket is one program: JSON, and
three descriptors for the answers, stdout and stderr. The answers are the process id and, later, the wait status.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pkgutil
import signal
import socket
import sys
import time
import traceback
from typing import Any, NoReturn

LARGEST_TASK_BYTES = 200_000
LEASE = (
    "TESTS_LEASE_S"  # how long a killed process blocks the others on a server; a drill does not wait for 30 s
)
BATCH = "TESTS_BATCH"  # documents of a batch of a backfill, and of a page: a kill between two needs no hundreds of them
# What Python and our libraries import when it is needed: another user may not be able to read it then.
LATER = (
    "numpy.random",
    "numpy.ma",
    "encodings.idna",
    "encodings.latin_1",
    "encodings.utf_32_le",
    "encodings.utf_16_le",
    "stringprep",
)


def serve(tasks: socket.socket) -> None:
    """One thread only, so that a fork copies all of it. Ends when the other side is closed."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those that wait for the programs
    while (received := socket.recv_fds(tasks, LARGEST_TASK_BYTES, 3))[0]:
        task, descriptors = json.loads(received[0]), received[1]
        if os.fork() == 0:
            tasks.close()
            _watch(task, descriptors)
        for descriptor in descriptors:
            os.close(descriptor)


def _watch(task: dict[str, Any], descriptors: list[int]) -> NoReturn:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    answers, *streams = descriptors
    number = os.fork()
    if number == 0:
        os.close(answers)
        _become(task, streams)
    for stream in streams:
        os.close(stream)
    os.write(answers, b"%d" % number)
    os.write(answers, b"%d" % os.waitpid(number, 0)[1])
    os._exit(0)


def _become(task: dict[str, Any], streams: list[int]) -> NoReturn:
    code = 1
    try:
        nothing = os.open(os.devnull, os.O_RDONLY)
        for descriptor, stream in enumerate((nothing, *streams)):
            os.dup2(stream, descriptor)
            os.close(stream)  # none of them is 0, 1 or 2: those are open
        os.environ.clear()
        os.environ.update(task["environ"])
        if LEASE in os.environ:
            for module in ("values", "index"):
                vars(sys.modules[f"hook.index.shared.{module}"])["LEASE_S"] = float(os.environ[LEASE])
        if BATCH in os.environ:
            for module, name in (("batches", "BATCH"), ("fetch", "PAGE")):
                vars(sys.modules[f"hook.backfill.{module}"])[name] = int(os.environ[BATCH])
        os.chdir("/")
        os.umask(task["umask"])
        if (
            task["user"] is not None
        ):  # all modules are imported already: that user may not be able to read them
            user, group, *groups = task["user"]
            os.setgroups(groups)
            os.setgid(group)
            os.setuid(user)
        code = _run(task["words"])
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _run(words: list[str]) -> int:
    """As `python -m hook.cli` with these words; without any, as scripts/post-consume.sh."""
    from hook import cli
    from hook.post_consume import Hook

    if words:
        return cli.main(words)
    Hook(os.environ, started_s=time.monotonic()).run()
    return 0


def _import_everything() -> None:
    import hook

    for module in pkgutil.walk_packages(hook.__path__, "hook."):
        importlib.import_module(module.name)
    for name in LATER:
        importlib.import_module(name)
    translate = importlib.import_module("hook.language.translate")
    for language in translate.languages():
        translate.translator(language)
    gc.freeze()  # a collection in a child would copy the pages of all that


if __name__ == "__main__":
    _import_everything()
    serve(socket.socket(fileno=int(sys.argv[1])))
