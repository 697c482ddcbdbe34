"""Real Redis servers on loopback ports; started once, ended with the tests."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

PROGRAM = shutil.which("redis-server") or shutil.which("valkey-server")
MISSING = "redis-server is not installed: the shared index was not tested"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def server(directory: Path, port: int, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    if PROGRAM is None:
        pytest.skip(MISSING)
    directory.mkdir(parents=True, exist_ok=True)
    command = [PROGRAM, "--port", str(port), "--bind", "127.0.0.1", "--dir", str(directory), "--save", "",
               "--loglevel", "warning", "--maxmemory-policy", "noeviction", *options]  # fmt: skip
    with _running(command, port) as process:
        yield process


@contextmanager
def sentinel(directory: Path, port: int, master: int, service: str) -> Iterator[None]:
    """One that decides alone, and soon."""
    assert PROGRAM  # its master runs
    directory.mkdir(parents=True, exist_ok=True)
    config = directory / "sentinel.conf"
    config.write_text(
        f"port {port}\nbind 127.0.0.1\ndir {directory}\nsentinel monitor {service} 127.0.0.1 {master} 1\n"
        f"sentinel down-after-milliseconds {service} 500\nsentinel failover-timeout {service} 3000\n"
    )
    with _running([PROGRAM, str(config), "--sentinel"], port):
        yield


@contextmanager
def _running(command: list[str], port: int) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        _wait_for(port)
        yield process
    finally:
        process.kill()
        process.wait()


def wait_until(is_true: Callable[[], bool]) -> None:
    """A server that becomes the master closes its connections: not yet, then."""
    for _ in range(1200):
        with suppress(ConnectionError):
            if is_true():
                return
        time.sleep(0.05)
    raise AssertionError("it did not happen within a minute")


def certificates(directory: Path) -> dict[str, Path]:
    """Of an authority of our own, and of a server on loopback."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl, which makes the certificates of this test, is not installed")
    made = {name: directory / f"{name}.pem" for name in ("ca", "ca_key", "server", "server_key", "request")}
    extension = directory / "names.txt"
    extension.write_text(
        "subjectAltName=IP:127.0.0.1\nkeyUsage=digitalSignature\nextendedKeyUsage=serverAuth\n"
        "subjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid\n"
    )
    authority = ("-addext", "keyUsage=critical,keyCertSign,cRLSign")  # Python 3.13 asks for it
    key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    for arguments in (
        ("req", "-x509", *key, *authority, "-subj", "/CN=test authority", "-keyout", made["ca_key"], "-out", made["ca"]),
        ("req", *key, "-subj", "/CN=redis", "-keyout", made["server_key"], "-out", made["request"]),
        ("x509", "-req", "-in", made["request"], "-CA", made["ca"], "-CAkey", made["ca_key"], "-CAcreateserial",
         "-extfile", extension, "-out", made["server"]),
    ):  # fmt: skip
        subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)
    return made


def ask(port: int, *words: str) -> bytes:
    """An answer as it comes over the wire; needs no client library."""
    with socket.create_connection(("127.0.0.1", port), timeout=5) as link:
        body = b"".join(b"$%d\r\n%s\r\n" % (len(word), word.encode()) for word in words)
        link.sendall(b"*%d\r\n%s" % (len(words), body))
        return link.recv(65536)


def _wait_for(port: int) -> None:
    for _ in range(400):
        try:
            if b"PONG" in ask(port, "PING"):
                return
        except OSError:
            pass
        time.sleep(0.05)
    raise AssertionError(f"no server on port {port}")
