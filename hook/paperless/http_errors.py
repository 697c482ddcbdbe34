"""The one place where an error of httpx or an HTTP status becomes an error of ours that says what to do next."""

from __future__ import annotations

import json
import ssl
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

import httpcore
import httpx

from hook import errors
from hook.log import plain

MAX_DETAIL: Final = 200  # characters of Paperless's own message that ours repeats

# Paperless names its permissions after its models; the last of these words in a path says which one is meant.
_MODELS: Final = {
    "tags": "tag",
    "custom_fields": "customfield",
    "saved_views": "savedview",
    "workflows": "workflow",
    "tasks": "paperlesstask",
    "ui_settings": "uisettings",
    "notes": "note",
}
SUPPORTED: Final = "Paperless-ngx 2.20 or newer"
_VERSION_HEADERS: Final = {"x-version", "x-api-version"}  # on every answer to a user who is logged in
# With status 400, whatever went wrong; most often the database was locked (seen on 2.20.15 with SQLite).
_FAILED_TO_DELETE: Final = "Error deleting document"
# What the transport raises; httpcore has no common base for them.
FAILURES: Final = (httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError)
# What happened and what to do next, where the call says the rest.
OUT_OF_TIME: Final = "the time for this run is used up. Raise DEDUPE_DEADLINE_S if this happens often."
CUT: Final = (
    "the connection broke before the answer was complete. Try again; if it persists, look at the log of Paperless or of the "
    "proxy in front of it."
)
UNEXPECTED: Final = f"the answer has an unexpected form. Is it {SUPPORTED}? If so, please report this."
ENDLESS: Final = "the list has more pages than entries. Is it Paperless-ngx, and nothing in between that rewrites its answers?"
COMPRESSED: Final = "the answer is compressed, which was not asked for. Switch the compression of the proxy in front of Paperless off for /api/."
_VERBS: Final = {"GET": "view", "POST": "add", "PATCH": "change", "DELETE": "delete"}


@dataclass(frozen=True, slots=True)
class Call:
    """One request as a message may name it: method, path, base address; no query values, no body."""

    method: str
    path: str
    base_url: str

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


def transport_error(
    call: Call, error: Exception, *, timeout_s: float, too_late: bool
) -> errors.PaperlessError:
    """No answer at all, or a broken one."""
    if too_late:
        return errors.TemporaryError(call, OUT_OF_TIME)
    if isinstance(error, (httpcore.ConnectError, httpcore.ConnectTimeout)):
        return _tls_error(call, error) or _unreachable(call, error)
    if isinstance(error, httpcore.TimeoutException):
        advice = "Paperless may be busy: try again later, or raise DEDUPE_TIMEOUT_S."
        return errors.TemporaryError(call, f"no answer within {timeout_s:.3g} s. {advice}")
    return errors.CutAnswerError(call, CUT)


def page_error(call: Call) -> errors.AddressError:
    """HTML where JSON was expected: a login page, or something that is not Paperless."""
    meaning = f"{call.base_url} answers with a web page instead of data (a login, or another program)"
    advice = "Set DEDUPE_URL to the address of Paperless itself, past any login proxy, and without /api."
    return errors.AddressError(call, f"{meaning}. {advice}")


def said_error(call: Call, body: bytes) -> errors.AnswerError:
    """Paperless answers some failures with status 200 and an `error` in the body."""
    return errors.AnswerError(call, f"Paperless failed{_quoted(detail_of(body))}. Its log says more.")


def status_error(
    call: Call, status: int, headers: httpx.Headers, body: bytes
) -> errors.PaperlessError | None:
    """What an HTTP status means for the user; None for an answer that is fine so far."""
    if status < 300:
        return None
    if status < 400:
        return errors.AddressError(call, f"{call.base_url} {_redirect(call, headers)}")
    kind, text = _meaning(call, status, headers, body)
    error = kind(call, text)
    if isinstance(error, errors.TemporaryError):
        error.retry_after_s = _retry_after_s(headers)
    return error


def detail_of(body: bytes) -> str:
    """Paperless's own message in an error body, short and on one line; nothing for a web page."""
    if is_page(body):
        return ""
    try:
        return _short(_words(json.loads(body)))
    except (ValueError, RecursionError):
        return _short(body[: 4 * MAX_DETAIL].decode("utf-8", "replace"))


def is_page(body: bytes) -> bool:
    """By its first character, not its content type: Django sends plain-text errors as text/html too."""
    return body[:200].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")


def _redirect(call: Call, headers: httpx.Headers) -> str:
    target = urlsplit(headers.get("location", ""))
    place = target.netloc.rpartition("@")[2]  # without a password
    if "login" in target.path or "signin" in target.path:
        return "leads to a login page. Point DEDUPE_URL at Paperless itself, past any login proxy."
    if target.scheme == "https" and call.base_url.startswith("http://"):
        base_path = target.path.partition("/api/")[0] if "/api/" in target.path else ""
        return f"is served over TLS. Set DEDUPE_URL to https://{_short(place + base_path)}."
    address = f"{target.scheme}://{place}" if place else ""
    return f"redirects to {_short(address + target.path)}. Set DEDUPE_URL to the final address."


def _meaning(
    call: Call, status: int, headers: httpx.Headers, body: bytes
) -> tuple[type[errors.PaperlessError], str]:
    said, page = _quoted(detail_of(body)), is_page(body)
    origin = "Paperless, or a proxy in front of it,"
    if status >= 500:
        text = f"{origin if page else 'Paperless'} answered {status}. Try again later; if it persists, look at its log."
        return errors.ServerError, text
    match status:
        case 400:
            return _bad_request(call, body)
        case 401:
            advice = "Copy it from Paperless (My Profile, API Auth Token) into DEDUPE_TOKEN."
            if page:
                advice = f"{origin} wants its own login: exempt /api/ from it, or bypass the proxy."
            return errors.TokenError, f"the token is not accepted{said}. {advice}"
        case 403:
            text = f"the token's user may not do this{said}. {_advice_on_rights(call, body)}"
            return errors.RightsError, text
        case 404 if page or not _VERSION_HEADERS & headers.keys():
            # Only Paperless's own word means "deleted": any wrong server answers 404 to the address of a document.
            advice = "Set DEDUPE_URL to the address of Paperless itself, with its sub-path and without /api."
            text = f"{call.base_url} answers 404, but not as Paperless does. {advice}"
            return errors.AddressError, text
        case 404:
            advice = "It is deleted, in the trash, or hidden from the token's user; or DEDUPE_URL lacks a sub-path."
            return errors.NotFoundError, f"not found{said}. {advice}"
        case 406:
            text = f"the Paperless at {call.base_url} has no API version 9. Use {SUPPORTED}."
            return errors.AddressError, text
        case 429:
            return errors.ThrottledError, f"{origin} asks for fewer requests. Try again later."
    return errors.RefusedError, f"Paperless answered {status}{said}."


def _bad_request(call: Call, body: bytes) -> tuple[type[errors.PaperlessError], str]:
    if b"HTTPS port" in body or b"HTTPS server" in body:  # the words of nginx and of Go's server
        return (
            errors.AddressError,
            f"{call.base_url} expects TLS. Write https:// instead of http:// in DEDUPE_URL.",
        )
    if is_page(body):
        host = urlsplit(call.base_url).hostname
        advice = f"use http://localhost:8000 beside Paperless, or add {host} to PAPERLESS_ALLOWED_HOSTS."
        return errors.AddressError, f"Paperless does not allow the host name {host}: {advice}"
    detail = detail_of(body)
    if detail.startswith(_FAILED_TO_DELETE):
        advice = "Try again later; if it persists, look at its log."
        return errors.ServerError, f"Paperless failed{_quoted(detail)}. {advice}"
    return errors.RefusedError, f"Paperless refused{_quoted(detail)}."


def _advice_on_rights(call: Call, body: bytes) -> str:
    if is_page(body):
        return "This Paperless has no such call (file versions came with 3.0), or a proxy forbids it."
    if detail_of(body).startswith("Insufficient permissions"):
        return "It may not change this document: use a superuser's token, or share the document with it."
    return f"Give it the permission {_right(call)} (Settings, Users & Groups), or use a superuser's token."


def _unreachable(call: Call, error: Exception) -> errors.UnreachableError:
    reason = _short(str(error)) or "no connection in time"
    advice = "Is Paperless running, and is DEDUPE_URL right?"
    return errors.UnreachableError(call, f"nothing answers at {call.base_url} ({reason}). {advice}")


def _tls_error(call: Call, error: BaseException) -> errors.AddressError | None:
    """A failed TLS handshake is found in the chain of causes; None for any other failure to connect."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, ssl.SSLError):
        cause = cause.__cause__ or cause.__context__
    if cause is None:
        return None
    if isinstance(cause, ssl.SSLCertVerificationError):
        meaning = f"the certificate of {call.base_url} is not trusted ({_short(cause.verify_message)})"
        advice = "Name the CA's PEM file in DEDUPE_CA_FILE, or use the certificate's host name in DEDUPE_URL."
    else:
        meaning = f"{call.base_url} does not answer with TLS"
        advice = "If Paperless is served without it, write http:// in DEDUPE_URL."
    return errors.AddressError(call, f"{meaning}. {advice}")


def _right(call: Call) -> str:
    parts = call.path.split("/api/", 1)[-1].strip("/").split("/")
    model = next((_MODELS[part] for part in reversed(parts) if part in _MODELS), "document")
    verb = "change" if {"bulk_edit", "update_version"} & set(parts) else _VERBS.get(call.method, "change")
    return f"{verb}_{model}"


def _retry_after_s(headers: httpx.Headers) -> float:
    """Of the form in seconds; the date form is rare, and our own backoff will do."""
    value = headers.get("retry-after", "")
    return float(value) if value.isdecimal() and len(value) < 10 else 0.0


def _words(value: Any) -> str:
    if isinstance(value, dict):
        if isinstance(text := value.get("detail", value.get("error")), str):
            return text
        return "; ".join(f"{key}: {_words(part)}" for key, part in value.items())
    if isinstance(value, list):
        return ", ".join(_words(part) for part in value)
    return str(value)


def _short(text: str) -> str:
    return plain(text, MAX_DETAIL)


def _quoted(detail: str) -> str:
    return f' ("{detail.rstrip(".")}")' if detail else ""
