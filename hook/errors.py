"""Every error that the hook package raises on purpose: one tree, each with the exit code it gives a command.

    DedupeError                   1  anything else that stopped a command
    ├── SettingsError             2  a DEDUPE_ variable is wrong or missing
    ├── IndexFault                4  the index on disk; its branch is drawn in index_errors.py
    └── PaperlessError            3  Paperless said no, or something unusable
        ├── RefusedError          3  400: it understood and refused
        ├── NotFoundError         3  404: gone, in the trash, or not visible to the token's user
        ├── AnswerError           3  200 {"error"}, or JSON of another shape
        │   └── TooLargeError     3  more bytes than we are willing to hold
        ├── AddressError          2  DEDUPE_URL leads somewhere else
        │   ├── TlsError          2  no trusted TLS connection
        │   ├── HostError         2  400 HTML: Paperless does not allow this host name
        │   ├── RedirectError     2  3xx: we follow none
        │   ├── ApiVersionError   2  406: no API version 9
        │   └── NotPaperlessError 2  a page where JSON was expected
        ├── AccessError           5
        │   ├── TokenError        5  401, or nothing that can be a token
        │   └── RightsError       5  403: the token's user may not
        └── TemporaryError        6  the same call may work later
            ├── UnreachableError  6  the request never left
            ├── TimedOutError     6  no answer in DEDUPE_TIMEOUT_S
            ├── DeadlineError     6  the time for the whole run is used up
            ├── ThrottledError    6  429
            ├── ServerError       6  5xx, from Paperless or from a proxy
            └── CutAnswerError    6  the connection broke, or the body ended early

A message says what happened and what to do next. It names the path of a URL, never a query value, a token or
the text of a document.
"""

from __future__ import annotations

from typing import ClassVar


class DedupeError(Exception):
    """The root: catch this to catch everything the hook package raises on purpose."""

    exit_code: ClassVar[int] = 1


class SettingsError(DedupeError):
    exit_code = 2


class PaperlessError(DedupeError):
    """`where` is the call as a person may read it ("GET /api/tags/"), `detail` is Paperless's own words."""

    exit_code = 3

    def __init__(self, where: object, text: str, *, detail: str = "") -> None:
        self.where = str(where)
        self.detail = detail
        super().__init__(f"{self.where}: {text}" if self.where else text)


class RefusedError(PaperlessError):
    pass


class NotFoundError(PaperlessError):
    pass


class AnswerError(PaperlessError):
    pass


class TooLargeError(AnswerError):
    pass


class AddressError(PaperlessError):
    exit_code = 2


class TlsError(AddressError):
    pass


class HostError(AddressError):
    pass


class RedirectError(AddressError):
    pass


class ApiVersionError(AddressError):
    pass


class NotPaperlessError(AddressError):
    pass


class AccessError(PaperlessError):
    exit_code = 5


class TokenError(AccessError):
    pass


class RightsError(AccessError):
    pass


class TemporaryError(PaperlessError):
    """`was_sent`: Paperless may have acted on the request; `retry_after_s`: how long it asked us to wait."""

    exit_code = 6
    was_sent: ClassVar[bool] = True

    def __init__(self, where: object, text: str, *, detail: str = "", retry_after_s: float = 0.0) -> None:
        super().__init__(where, text, detail=detail)
        self.retry_after_s = retry_after_s


class UnreachableError(TemporaryError):
    was_sent = False


class TimedOutError(TemporaryError):
    pass


class DeadlineError(TemporaryError):
    pass


class ThrottledError(TemporaryError):
    pass


class ServerError(TemporaryError):
    pass


class CutAnswerError(TemporaryError):
    pass
