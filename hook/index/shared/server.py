"""The connection to Redis or Valkey: commands out, answers in, one round trip for many; redis-py is used only here."""

from __future__ import annotations

import random
import ssl
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from hook.errors import IndexFault, IndexFull
from hook.settings.address import Address

try:
    import redis
    from redis import exceptions
    from redis.backoff import NoBackoff
    from redis.retry import Retry
    from redis.sentinel import Sentinel
except ModuleNotFoundError as missing:  # the extra is not installed
    raise IndexFault(
        "DEDUPE_INDEX_URL is set, but the package redis is missing: install paperless-dedupe with the extra `redis`"
    ) from missing

Command = tuple[Any, ...]

ATTEMPTS: Final = 6  # a failover takes a Sentinel some seconds
FIRST_WAIT_S: Final = 0.1
_MORE_MEMORY: Final = (
    "raise maxmemory or free memory of the server, then run again. What does not fit is not stored; `paperless-dedupe check` "
    "tells whether the server has evicted anything"
)
# Commands may be sent again after an error: every one of ours gives the same result the second time.
_PASSING: Final = (exceptions.ConnectionError, exceptions.TimeoutError, exceptions.ReadOnlyError,
                   exceptions.TryAgainError, exceptions.BusyLoadingError, exceptions.MasterDownError)  # fmt: skip


class Server:
    """`round_trips` counts them, for the promise of at most three an examination."""

    def __init__(
        self, address: Address, timeout_s: float, *, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self.address = address
        self.round_trips = 0
        self._sleep = sleep
        self._timeout_s = timeout_s
        self._client: Any = None

    def close(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None

    def run(self, commands: Sequence[Command]) -> list[Any]:
        """The answers, in order. Not a transaction; the commands on one key are executed in their order."""
        if not commands:
            return []
        self.round_trips += 1
        answers: list[Any] = self._translated(lambda: self._pipeline(commands))
        return answers

    def run_while(self, held: Mapping[bytes, bytes], commands: Sequence[Command]) -> list[Any]:
        """As `run`, in a transaction, but only if these keys have these values: the server refuses what a holder sends too late."""
        self.round_trips += 1
        answers: list[Any] = self._translated(lambda: self._transaction(held, commands))
        return answers

    def one(self, *command: Any) -> Any:
        return self.run([command])[0]

    def scan(self, pattern: bytes) -> Iterator[bytes]:
        """All keys that match; a key may come twice."""
        yield from self._translated(lambda: self._connected().scan_iter(match=pattern, count=1000))

    def _pipeline(self, commands: Sequence[Command]) -> list[Any]:
        pipe = self._connected().pipeline(transaction=False)
        for command in commands:
            pipe.execute_command(*command)
        answers: list[Any] = pipe.execute()
        return answers

    def _transaction(self, held: Mapping[bytes, bytes], commands: Sequence[Command]) -> list[Any]:
        with self._connected().pipeline(transaction=True) as pipe:
            while True:
                pipe.watch(*held)
                _expect(held, [pipe.get(key) for key in held])
                pipe.multi()
                for command in commands:
                    pipe.execute_command(*command)
                with suppress(exceptions.WatchError):  # renewed meanwhile, or lost: look again
                    answers: list[Any] = pipe.execute()
                    return answers

    def _connected(self) -> Any:
        if self._client is None:
            self._client = _connect(self.address, self._timeout_s)
        return self._client

    def _translated(self, attempt: Callable[[], Any]) -> Any:
        wait_s = FIRST_WAIT_S
        for left in reversed(range(ATTEMPTS)):
            try:
                return attempt()
            except (exceptions.AuthenticationError, exceptions.NoPermissionError) as error:
                raise _refused(self.address, error) from error
            except _PASSING as error:
                self.close()
                if "CERTIFICATE_VERIFY_FAILED" in str(error):
                    raise IndexFault(
                        f"the certificate of the index at {self.address} is not trusted: name the file of its authority "
                        "in DEDUPE_INDEX_URL (?ca=/path/ca.pem)"
                    ) from error
                if not left:
                    raise IndexFault(
                        f"the index at {self.address} does not answer ({type(error).__name__}): check that the server "
                        "runs and that DEDUPE_INDEX_URL is right; what was not examined is kept for the next run"
                    ) from error
                self._sleep(wait_s * random.uniform(0.8, 1.2))
                wait_s *= 2
            except exceptions.OutOfMemoryError as error:
                raise IndexFull(self.address, "its server has reached maxmemory", _MORE_MEMORY) from error
            except exceptions.RedisError as error:
                raise _refused(self.address, error) from error
        raise AssertionError


def _expect(held: Mapping[bytes, bytes], values: Sequence[bytes | None]) -> None:
    if list(held.values()) != list(values):
        raise IndexFault(
            "a lock on the index expired and another host may hold it: nothing more is written, and the next run continues"
        )


def _refused(address: Address, error: Exception) -> IndexFault:
    """The text of the error is the server's own, and short; it never repeats a password."""
    if isinstance(error, exceptions.AuthenticationError | exceptions.NoPermissionError):
        return IndexFault(
            f"the index at {address} refuses the account ({type(error).__name__}): check user and password in "
            "DEDUPE_INDEX_URL; the user needs the keys of the prefix and the categories @read @write @connection @scripting @transaction"
        )
    return IndexFault(
        f"the index at {address} refused a command ({type(error).__name__}: {str(error)[:100]}): look into the log of the "
        "server; what was not examined is kept for the next run"
    )


def _connect(address: Address, timeout_s: float) -> Any:
    options: dict[str, Any] = {
        "socket_timeout": timeout_s,
        "socket_connect_timeout": timeout_s,
        "protocol": 2,
        "username": address.user or None,
        "password": address.password or None,
        "retry": Retry(NoBackoff(), 0),  # `Server` repeats commands itself, with the whole pipeline
    }
    if address.tls:
        options |= {"ssl": True, "ssl_ca_certs": address.ca_file or None, "ssl_cert_reqs": ssl.CERT_REQUIRED}
    if address.kind == "sentinel":
        return Sentinel(list(address.hosts), sentinel_kwargs=dict(options)).master_for(
            address.service, db=address.database, **options
        )
    host, port = address.hosts[0]
    return redis.Redis(host=host, port=port, db=address.database, **options)
