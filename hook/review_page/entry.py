"""Log-in: a token of Paperless for what a person typed, tried at once; the number of attempts is limited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hook.errors import AccessError, DedupeError, PaperlessError, RefusedError, RightsError, ThrottledError
from hook.language.translate import Translate
from hook.paperless.client import Paperless, obtain_token
from hook.paperless.client import connect as connect_to_paperless
from hook.paperless.values import ServerInfo
from hook.review_page.exchange import LONGEST_FIELD, Question
from hook.review_page.sessions import Attempts, PageSession

if TYPE_CHECKING:
    from hook.settings.model import Settings


class NoEntryError(DedupeError):
    """The person could not be logged in; the message says why, and contains nothing that was typed."""

    exit_code = 5

    def __init__(self, text: str, status: int, wait_s: int = 0) -> None:
        super().__init__(text)
        self.status, self.wait_s = status, wait_s


def enter(settings: Settings, question: Question, attempts: Attempts, say: Translate) -> PageSession:
    """Raises NoEntryError."""
    typed = {name: question.field(name).strip() for name in ("username", "code", "token")}
    typed["password"] = question.field("password")  # it may begin or end with a space
    if any(len(value) > LONGEST_FIELD for value in typed.values()):
        raise NoEntryError(say("This is too long."), 400)
    if wait_s := attempts.wait_s(question.address):
        raise NoEntryError(say("Too many attempts: try again in {n} seconds.", n=wait_s), 429, wait_s)
    if not typed["token"] and not (typed["username"] and typed["password"]):
        raise NoEntryError(say("User name or password is missing."), 400)
    try:
        return _log_in(settings, **typed)
    except (RefusedError, AccessError) as error:
        raise NoEntryError(_refusal(error, say), 403) from error
    except ThrottledError as error:
        raise NoEntryError(say("Too many requests to Paperless: try again in a minute."), 429, 60) from error
    except PaperlessError as error:
        raise NoEntryError(say("Paperless does not answer: {why}", why=error), 502) from error


def _log_in(settings: Settings, username: str, password: str, code: str, token: str) -> PageSession:
    token = token or obtain_token(settings, username, password, code)
    client = connect_to_paperless(settings.with_token(token))
    try:
        client.document_ids(id=0)
        info = _info(client)
    except BaseException:
        client.close()
        raise
    if info is None:
        return PageSession(client, username)
    may_change = info.is_superuser or "change_document" in info.permissions
    return PageSession(client, info.username or username, may_change=may_change)


def _info(client: Paperless) -> ServerInfo | None:
    try:
        return client.server_info()
    except RightsError:  # not every user may see the settings of the page
        return None


def _refusal(error: PaperlessError, say: Translate) -> str:
    """Paperless says that a code is missing; everything else is one answer."""
    if "MFA code" in str(error):
        return say("Paperless asks for the code of your second factor.")
    if isinstance(error, RightsError):
        return say("Your user may not see documents.")
    return say("User name, password or token is wrong.")
