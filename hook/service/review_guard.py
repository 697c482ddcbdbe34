"""What every answer of the review page has, and what every request to it must have: Host, Origin, a bounded body."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import parse_qs, urlsplit

from starlette.requests import Request

from hook.service.requests import RefusedRequestError, body_of
from hook.service.server import is_loopback
from hook.settings.model import Settings

COOKIE: Final = "dedupe_review"
MAX_FORM_BYTES: Final = 512 * 1024  # all identical ones of a large archive in one form
MAX_FIELDS: Final = 20_000
BODY_S: Final = 10.0
HTTP_PORT: Final = 80  # which a browser leaves out
HEADERS: Final[Mapping[str, str]] = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # with no-referrer, browsers send "Origin: null" with a form
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


class Guard:
    """Knows the address at which people open the page; without one, only this machine."""

    def __init__(self, settings: Settings) -> None:
        self._port = settings.serve_port
        given = urlsplit(settings.review_url) if settings.review_url else None
        self._host = given.netloc.casefold() if given else None
        self.is_secure = given is not None and given.scheme == "https"
        self._path = given.path.rstrip("/") if given else ""

    def check(self, request: Request) -> None:
        """A name that is not ours may be a foreign name that leads here (DNS rebinding); a form of another site has
        another Origin."""
        host = request.headers.get("host", "").casefold()
        if not self._is_ours(host):
            raise RefusedRequestError(
                421,
                "this is not the address of the review page: set DEDUPE_REVIEW_URL to the one that you open",
            )
        if request.method == "POST" and not self._is_own_origin(request.headers.get("origin", ""), host):
            raise RefusedRequestError(403, "this form was not sent by the review page")

    def _is_ours(self, host: str) -> bool:
        if self._host is not None and host == self._host:
            return True
        name = host.removesuffix(f":{self._port}")
        return (name != host or self._port == HTTP_PORT) and is_loopback(name.strip("[]"))

    def _is_own_origin(self, origin: str, host: str) -> bool:
        """As browsers write it: in lower case, without a path."""
        scheme = "https" if self.is_secure and host == self._host else "http"
        return origin.casefold() == f"{scheme}://{host}"

    def cookie(self, value: str) -> str:
        """The header that sets it, or deletes it if it is empty."""
        end = "" if value else "; Max-Age=0"
        secure = "; Secure" if self.is_secure else ""
        return f"{COOKIE}={value}; Path={self._path}/review; HttpOnly; SameSite=Strict{secure}{end}"


async def form_of(request: Request) -> dict[str, list[str]]:
    """The fields of a form; anything else is refused."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise RefusedRequestError(415, "not a form")
    body = await body_of(request, most_bytes=MAX_FORM_BYTES, within_s=BODY_S)
    try:
        return parse_qs(body.decode("utf-8", "replace"), max_num_fields=MAX_FIELDS)
    except ValueError:
        raise RefusedRequestError(413, f"more than {MAX_FIELDS} fields") from None
