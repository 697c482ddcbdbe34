#!/usr/bin/env python3
"""Forwards the id of a consumed document to the service: a post-consume script for `paperless-dedupe serve`.

It is one file that needs only the standard library: copy it into Paperless's container, install nothing. It takes
at most 2 s and exits with 0. If the service cannot be reached, its sync finds the document: at its start, and every
DEDUPE_SWEEP_MINUTES. Variables: DEDUPE_SERVE_URL, DEDUPE_SECRET or DEDUPE_SECRET_FILE; DEDUPE_NEXT_SCRIPT is run afterwards.
"""

# Only modules that Python loads at its start anyway: each document waits for the others. `socket` is imported
# later, because until `entry` has run, the directory of this file, with any files in it, is on the import path.
from __future__ import annotations

import os
import sys
import time

TYPE_CHECKING = False  # importing typing takes time
if TYPE_CHECKING:
    import socket

Environ = dict[str, str]

WAIT_S = 2.0
DEFAULT_URL = "http://127.0.0.1:8642"
MAX_SECRET_BYTES = 4096


class UndeliveredError(Exception):
    """Why the service did not get the event."""


def main(environ: Environ, arguments: list[str]) -> None:
    number = environ.get("DOCUMENT_ID", "")
    if not (number.isascii() and number.isdecimal() and 0 < len(number) <= 10 and int(number) > 0):
        say("DOCUMENT_ID is not set: this is run by Paperless, as PAPERLESS_POST_CONSUME_SCRIPT")
    else:
        forward(int(number), environ)
    run_next(environ, arguments)


def forward(number: int, environ: Environ) -> None:
    """In a thread of its own, because a name look-up cannot be interrupted."""
    import _thread

    lock = _thread.allocate_lock()
    answered: list[str] = []
    lock.acquire()

    def attempt() -> None:
        try:
            deliver(number, environ, time.monotonic() + WAIT_S)
            answered.append("")
        except UndeliveredError as error:
            answered.append(str(error))
        except Exception as error:  # whatever it is, the next script is run
            answered.append(type(error).__name__)
        finally:
            lock.release()

    _thread.start_new_thread(attempt, ())
    in_time = lock.acquire(timeout=WAIT_S)
    if problem := answered[0] if in_time else f"no answer in {WAIT_S:g} s":
        say(f"#{number} is examined by the next sync of the service: {problem}")


def deliver(number: int, environ: Environ, ends_at: float) -> None:
    host, port, path, is_tls = address(setting(environ, "DEDUPE_SERVE_URL") or DEFAULT_URL)
    body = f"doc_id={number}".encode()
    head = [
        f"POST {path}/events HTTP/1.1",
        f"Host: {host}:{port}",
        "Content-Type: application/x-www-form-urlencoded",
        f"Content-Length: {len(body)}",
        "Connection: close",
    ]
    if secret := secret_of(environ):
        head.append(f"X-Dedupe-Secret: {secret}")
    answer = exchange(host, port, is_tls, "\r\n".join([*head, "", ""]).encode() + body, ends_at)
    if not answer.startswith(b"HTTP/1.") or not answer[9:10].isdigit():
        raise UndeliveredError("the program there is not paperless-dedupe")
    if answer[9:10] != b"2":
        advice = ": is DEDUPE_SECRET the same on both sides?" if answer[9:12] == b"401" else ""
        raise UndeliveredError(f"the service answered {answer[9:12].decode('ascii', 'replace')}{advice}")


def exchange(host: str, port: int, is_tls: bool, request: bytes, ends_at: float) -> bytes:
    """The first bytes of the response."""
    import socket

    try:
        with socket.create_connection((host, port), timeout=left(ends_at)) as plain:
            connection = wrapped(plain, host) if is_tls else plain
            connection.settimeout(left(ends_at))
            connection.sendall(request)
            answer = b""
            while len(answer) < 12:
                connection.settimeout(left(ends_at))
                received = connection.recv(256)
                if not received:
                    break
                answer += received
            return answer
    except OSError as error:
        raise UndeliveredError(f"{host}:{port}: {error.strerror or 'no answer'}") from error


def wrapped(plain: socket.socket, host: str) -> socket.socket:
    import ssl

    return ssl.create_default_context().wrap_socket(plain, server_hostname=host)


def left(ends_at: float) -> float:
    return max(ends_at - time.monotonic(), 0.001)


def address(url: str) -> tuple[str, int, str, bool]:
    """Host, port, path and whether it is https. Importing urllib would take longer than everything else here."""
    scheme, colon_slashes, rest = url.partition("://")
    where, _, path = rest.partition("/")
    host, colon, port = where.rpartition(":")
    if not colon or port.endswith("]"):
        host, port = where, "443" if scheme == "https" else "80"
    path = path.rstrip("/").removesuffix("events").rstrip("/")
    if scheme not in ("http", "https") or not colon_slashes or not host or not port.isdecimal():
        raise UndeliveredError("DEDUPE_SERVE_URL is not an address like http://dedupe:8642")
    return host.strip("[]"), int(port), f"/{path}" if path else "", scheme == "https"


def secret_of(environ: Environ) -> str:
    secret, file = setting(environ, "DEDUPE_SECRET"), setting(environ, "DEDUPE_SECRET_FILE")
    if not secret and file:
        try:
            with open(file, "rb") as lines:  # noqa: PTH123 - importing pathlib takes time
                secret = lines.read(MAX_SECRET_BYTES).decode("ascii", "replace")
        except OSError as error:
            raise UndeliveredError(f"DEDUPE_SECRET_FILE cannot be read ({error.strerror})") from error
    secret = secret.strip()
    if not (secret.isascii() and secret.isprintable()):
        raise UndeliveredError("the secret has characters that are not allowed in a header")
    return secret


def run_next(environ: Environ, arguments: list[str]) -> None:
    """The user's own script gets what Paperless passed."""
    script = setting(environ, "DEDUPE_NEXT_SCRIPT")
    if not script:
        return
    sys.stderr.flush()
    try:
        os.waitpid(os.posix_spawn(script, [script, *arguments], environ), 0)
    except OSError as error:
        say(f"DEDUPE_NEXT_SCRIPT: {script} cannot be run ({error.strerror})")


def setting(environ: Environ, name: str) -> str:
    value = environ.get(name, "").strip()
    return "" if value == "None" else value  # Paperless writes None for "not set"


def say(line: str) -> None:
    """Paperless copies it into its log."""
    try:
        sys.stderr.write(f"paperless-dedupe: {line}\n")
        sys.stderr.flush()
    except (OSError, ValueError, AttributeError):
        pass


def entry() -> None:
    try:
        main(dict(os.environ), sys.argv[1:])
    except BaseException as error:  # otherwise Paperless would report the consumption as failed
        say(f"unexpected {type(error).__name__}")
    os._exit(0)  # immediately: a thread may still be waiting for a name server


if __name__ == "__main__":
    if sys.path:
        del sys.path[0]
    entry()
