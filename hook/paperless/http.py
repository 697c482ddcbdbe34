"""The HTTP side of the client (httpx): one connection pool, bounded answers, retries within a deadline."""

from __future__ import annotations

import json
import random
import ssl
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from datetime import date
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path
from typing import IO, Any, Final, Protocol, TypeVar

import httpx

from hook.deadline import Deadline
from hook.errors import (
    AddressError,
    AnswerError,
    CutAnswerError,
    PaperlessError,
    SettingsError,
    TemporaryError,
    TokenError,
    TooLargeError,
)
from hook.paperless import http_errors as translate
from hook.paperless.http_errors import Call
from hook.paperless.transport import BODY_S, BoundedTransport, Limits

T = TypeVar("T")
QueryValue = str | int | float | date | Sequence[Any]

# A page of 250 documents is about 1 MB; a backfill asks for a page over this in halves, so that
# one bundle of thousands of pages cannot fill the memory of a NAS.
MAX_ANSWER_BYTES: Final = 64 << 20
MAX_RETRY_AFTER_S: Final = 60.0  # if asked to wait longer than this, we give up and report it
CONNECT_TIMEOUT_S: Final = 5.0
# Shorter than the 5 s after which Paperless's server drops an idle connection: a POST sent into that gap
# would fail, and POSTs are not repeated.
KEEPALIVE_S: Final = 2.0
HIDDEN: Final = "***"
PLACEHOLDER: Final = "TOKEN"  # in the commands of docs/install.md
NOT_REPLACED: Final = (
    f"The token is still the word {PLACEHOLDER} of the instructions. Replace it with the one from Paperless (My Profile, "
    "API Auth Token), in DEDUPE_TOKEN or in the file that DEDUPE_TOKEN_FILE names."
)


class Secret(Protocol):
    """A token in a type that does not show it, such as pydantic's SecretStr."""

    def get_secret_value(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Backoff:
    """How often a call is repeated, and after which delays; the defaults give up after about 2 s of waiting."""

    attempts: int = 4
    first_s: float = 0.3
    cap_s: float = 10.0

    def delays(self, random: Callable[[], float]) -> Iterator[float]:
        """A delay for each failure: half fixed, half random, so that hooks started together drift apart."""
        for failure in range(self.attempts - 1):
            yield min(self.cap_s, self.first_s * 2**failure) * (0.5 + 0.5 * random())


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: the decoded JSON (None for an empty body) and the headers."""

    call: Call
    data: Any
    headers: Mapping[str, str]


class ApiTransport:
    """Sends requests to one Paperless with one token; follows no redirect, keeps no cookie, uses no proxy.

    Without a token it can only ask for one.
    """

    def __init__(
        self,
        base_url: str,
        token: Secret | None,
        *,
        deadline: Deadline | None = None,
        timeout_s: float = 30.0,
        ca_file: Path | None = None,
        backoff: Backoff | None = None,
        sleep: Callable[[float], None] = time.sleep,
        random: Callable[[], float] = random.random,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self.base_url = base_url.rstrip("/")
        self.deadline = deadline or Deadline.never()
        self.backoff = backoff or Backoff()
        self.random = random
        self._timeout_s = timeout_s
        self._sleep = sleep
        self._token = token
        self._limits = Limits()
        self._http = httpx.Client(
            auth=_TokenAuth(token) if token is not None else None,
            headers={"Accept": "application/json; version=9", "Accept-Encoding": "identity"},
            trust_env=False,  # a proxy variable of the container must not see the token
            follow_redirects=False,
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
            transport=transport
            or BoundedTransport(_tls_context(self.base_url, ca_file), KEEPALIVE_S, self._limits),
        )

    def within(self, deadline: Deadline) -> ApiTransport:
        """The same connections under another deadline: a service gives each examination its own."""
        other = copy(self)
        other.deadline = deadline
        return other

    def close(self) -> None:
        self._http.close()

    def pause(self, seconds: float) -> bool:
        """Sleeps if the deadline leaves room for it; False (and no sleep) if not."""
        if seconds >= self.deadline.remaining():
            return False
        self._sleep(seconds)
        return True

    def call(
        self,
        method: str,
        path: str,
        *,
        payload: Mapping[str, Any] | None = None,
        query: Mapping[str, QueryValue] | None = None,
        repeatable: bool = False,
    ) -> Answer:
        """One API call; `path` is relative to /api/ and ends with a slash (Paperless redirects the others). `repeatable`: doing
        it twice is the same as doing it once, as with every GET.

        Only then is a call repeated that Paperless may have received; what never left (connection refused) is
        safe to repeat always.
        """
        call, body = self._name(method, path), _json_body(payload)
        params = {name: _text(value) for name, value in (query or {}).items()}
        is_repeatable = repeatable or method == "GET"
        return self._persist(lambda: self._once(call, params=params, **body), repeatable=is_repeatable)

    def upload(
        self, path: str, *, name: str, file: IO[bytes], filename: str, data: Mapping[str, str]
    ) -> Answer:
        """A multipart POST, streamed from `file`; sent once."""
        return self._once(self._name("POST", path), files={name: (filename, file)}, data=dict(data))

    def download(
        self, path: str, file: IO[bytes], limit_bytes: int, params: Mapping[str, str] | None = None
    ) -> int:
        """Streams a body into a seekable `file`, from its start at each attempt; returns its size."""
        call = self._name("GET", path)
        return self._persist(lambda: self._fill(call, file, params, limit_bytes), repeatable=True)

    def _name(self, method: str, path: str) -> Call:
        return Call(method, f"/api/{path}", self.base_url)

    def _persist(self, attempt: Callable[[], T], *, repeatable: bool) -> T:
        for delay_s in self.backoff.delays(self.random):
            try:
                return attempt()
            except TemporaryError as error:
                wait_s = max(delay_s, error.retry_after_s)
                safe = repeatable or not error.was_sent
                if not safe or wait_s > MAX_RETRY_AFTER_S or not self.pause(wait_s):
                    raise
        return attempt()

    def _once(self, call: Call, **request: Any) -> Answer:
        with self._exchange(call, **request) as response:
            body, headers = self._read(call, response), dict(response.headers.items())
            if secret := self._secret:
                body = body.replace(secret.encode(), HIDDEN.encode())
                headers = {name: value.replace(secret, HIDDEN) for name, value in headers.items()}
            return Answer(call, _decoded(call, body), headers)

    def _fill(self, call: Call, file: IO[bytes], params: Mapping[str, str] | None, limit_bytes: int) -> int:
        file.seek(0)
        file.truncate()
        with self._exchange(call, params=params) as response:
            if response.status_code >= 300:
                self._read(call, response)
            return sum(file.write(chunk) for chunk in self._chunks(call, response, limit_bytes))

    @contextmanager
    def _exchange(self, call: Call, **request: Any) -> Iterator[httpx.Response]:
        """The answer as it comes in. A server may send our token back: no error shows it."""
        if self._http.is_closed:  # by another thread: the person has logged out meanwhile
            raise TokenError(call, "The client was closed. Log in again.")
        left_s = self.deadline.remaining()
        if left_s <= 0:
            raise TemporaryError(call, translate.OUT_OF_TIME)
        timeout_s = min(self._timeout_s, left_s)
        timeout = httpx.Timeout(timeout_s, connect=min(CONNECT_TIMEOUT_S, timeout_s))
        self._limits.head_s = timeout_s
        try:
            url = call.base_url + call.path
            with self._http.stream(call.method, url, timeout=timeout, **request) as response:
                self._limits.ends_at_s = time.monotonic() + min(BODY_S, left_s)
                yield response
        except PaperlessError as error:
            error.redact(self._secret)
            raise
        except httpx.InvalidURL as error:
            raise AddressError(call, f"{call.base_url} is not a web address. Correct DEDUPE_URL.") from error
        except (httpx.HTTPError, *translate.FAILURES) as error:
            raise translate.transport_error(
                call, error, timeout_s=timeout_s, too_late=self.deadline.passed
            ) from error

    def _read(self, call: Call, response: httpx.Response) -> bytes:
        body = b"".join(self._chunks(call, response, MAX_ANSWER_BYTES))
        if error := translate.status_error(call, response.status_code, response.headers, body):
            raise error
        return body

    def _chunks(self, call: Call, response: httpx.Response, limit_bytes: int) -> Iterator[bytes]:
        """As it is sent: httpx would undo any number of compressions, and make 4 GB of 7 kB."""
        if response.headers.get("content-encoding", "identity") != "identity":
            raise AnswerError(call, translate.COMPRESSED)
        size_bytes = 0
        for chunk in response.iter_raw():
            size_bytes += len(chunk)
            if size_bytes > limit_bytes:
                raise TooLargeError(call, f"the answer is larger than {limit_bytes:,} bytes, the limit.")
            if self.deadline.passed:  # a server that sends byte by byte never runs into the read timeout
                raise TemporaryError(call, translate.OUT_OF_TIME)
            yield chunk

    @property
    def _secret(self) -> str:
        return self._token.get_secret_value() if self._token is not None else ""


class _TokenAuth(httpx.Auth):
    """Adds the token as the request leaves, so that no local variable of ours ever holds the header."""

    def __init__(self, token: Secret) -> None:
        if not _is_sendable(token.get_secret_value()):
            raise TokenError(
                "", "The token is empty, or contains characters that are not allowed. Correct DEDUPE_TOKEN."
            )
        if token.get_secret_value() == PLACEHOLDER:
            raise TokenError("", NOT_REPLACED)
        self._token = token

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        request.headers["Authorization"] = f"Token {self._token.get_secret_value()}"
        yield request


def _is_sendable(token: str) -> bool:
    """httpx and h11 repeat a header that they cannot send in their error: so such a token is rejected before."""
    return token.isascii() and token.isprintable() and bool(token) and " " not in token


def _tls_context(base_url: str, ca_file: Path | None) -> ssl.SSLContext:
    """Certificates are always verified: against `ca_file` if given, else certifi's and the system's CAs."""
    if not base_url.startswith("https:"):
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # never used; loading certifi's bundle costs 20 ms
    try:
        if ca_file is not None:
            return ssl.create_default_context(cafile=ca_file)
    except OSError as error:
        raise SettingsError(f"DEDUPE_CA_FILE: no certificates in PEM form in {ca_file}.") from error
    context = httpx.create_ssl_context(trust_env=False)
    context.load_default_certs()
    return context


def _text(value: QueryValue) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, date):
        return value.isoformat()
    return str(value) if isinstance(value, str | int | float) else ",".join(map(str, value))


def _json_body(payload: Any) -> dict[str, Any]:
    # ASCII on purpose: OCR text can hold lone surrogates, which httpx's own encoder cannot send.
    if payload is None:
        return {}
    return {"content": json.dumps(payload).encode("ascii"), "headers": {"Content-Type": "application/json"}}


def _decoded(call: Call, body: bytes) -> Any:
    if not body.strip():
        return None
    if translate.is_page(body):
        raise translate.page_error(call)
    try:
        data = json.loads(body)
    except RecursionError as error:  # nested thousands of times
        raise AnswerError(call, translate.UNEXPECTED) from error
    except ValueError as error:
        raise CutAnswerError(call, translate.CUT) from error
    if isinstance(data, dict) and data.keys() == {"error"}:
        raise translate.said_error(call, body)
    return data
