"""What every answer of the review page needs: who asks, the index, the frame of a page, and how an error is shown."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import AbstractContextManager
from importlib import resources
from typing import TYPE_CHECKING, Final

from hook.errors import DedupeError, IndexFault, IndexMissing, RightsError, TokenError
from hook.examination.archive import Archive
from hook.language.translate import translator
from hook.review.kept.history import TrashDelay
from hook.review.undo import NothingToUndoError
from hook.review_page.decide import ChangedError, NotReadyError
from hook.review_page.exchange import (
    BusyError,
    ForgedError,
    LoggedOutError,
    Question,
    Reply,
    chosen_of,
    json_reply,
    page,
)
from hook.review_page.overview import Records, Status, stored_records, waiting_for
from hook.review_page.person import Person
from hook.review_page.render.frame import Frame, error_page, login_page
from hook.review_page.render.plan import plan_of, plan_page
from hook.review_page.sessions import Attempts, PageSession, Sessions
from hook.review_page.waiting import Waiting
from hook.session import Session, open_archive
from hook.settings.model import Settings

if TYPE_CHECKING:
    from hook.ink.inspector import Inspector

INDEX_WAIT_S: Final = 5.0
RETRY_AFTER_S: Final = 10


class Base:
    """May be used from any thread. `notify` tells the worker that a document has a decision tag; `session` opens one of
    the service, which only undoes what the service has done."""

    def __init__(
        self,
        settings: Settings,
        *,
        notify: Callable[[int], None],
        session: Callable[[], AbstractContextManager[Session]],
        status: Callable[[], Status] = Status,
        records: Records = stored_records,
        sessions: Sessions | None = None,
        inspector: Inspector | None = None,
        delay: TrashDelay = TrashDelay(),  # noqa: B008 frozen
    ) -> None:
        self._inspector, self._delay = inspector, delay
        self._settings, self._notify, self._status, self._records = settings, notify, status, records
        self._service_session = session
        # Not `or`: without a person logged in, sessions are empty and so are false.
        self._sessions, self._attempts = Sessions() if sessions is None else sessions, Attempts()
        self._say = translator(settings.language)
        assets = resources.files("hook.review_page") / "assets"
        self._assets = {
            name: (assets / name).read_bytes() for name in ("review.css", "review.js", "icon.svg")
        }

    def person(self, question: Question) -> str:
        """Who asks, for what is limited by person; "" for whoever is not logged in."""
        session = self._sessions.get(question.cookie)
        return "" if session is None else session.username or question.cookie

    def failed(self, error: DedupeError, question: Question) -> Reply:
        """A page or a JSON answer that says what went wrong; nothing of a document is in it."""
        if isinstance(error, (LoggedOutError, TokenError)):
            self._sessions.end(question.cookie)
            status = 401 if question.wants_json else 200
            return page(login_page(self._frame(None)), status, cookie="")
        words, status = self._problem(error)
        if question.wants_json:
            return json_reply({"message": words}, status)
        wait_s = RETRY_AFTER_S if isinstance(error, BusyError) else 0
        frame = self._frame(self._sessions.get(question.cookie))
        if isinstance(error, NotReadyError):
            plan = plan_of(error.members, error.lines, chosen_of(question), self._say)
            return page(plan_page(frame, error.keys, plan), status)
        return page(error_page(frame, words), status, retry_after_s=wait_s)

    def _problem(self, error: DedupeError) -> tuple[str, int]:
        say = self._say
        if isinstance(error, (ChangedError, NothingToUndoError)):
            return str(error), 409
        if isinstance(error, BusyError):
            return say("Too many requests are waiting: try again in a few seconds."), error.status
        if isinstance(error, ForgedError):
            return str(error), 403
        if isinstance(error, RightsError):
            return say("Paperless does not allow you to do that."), 403
        if isinstance(error, IndexMissing):
            return say("No document was examined yet. Come back when the first sync has ended."), 503
        if isinstance(error, IndexFault):
            return say("The index is busy or cannot be read: try again."), 503
        return say("Paperless does not answer: {why}", why=error), 502

    def _session(self, question: Question, *, posted: bool = False) -> PageSession:
        session = self._sessions.get(question.cookie)
        if session is None:
            raise LoggedOutError("logged out")
        if posted and not session.is_csrf(question.field("csrf")):
            raise ForgedError(self._say("This form is too old: load the page again."))
        return session

    def _waiting(self, session: PageSession, archive: Archive) -> list[Waiting]:
        return waiting_for(archive, self._person(session, archive).shown, self._records)

    def _person(self, session: PageSession, archive: Archive) -> Person:
        return Person(session.client, self._settings, archive.index)

    def _archive(self) -> Archive:
        """The index belongs to one thread, so it is opened for each request; that takes a millisecond."""
        return open_archive(self._settings, create=False, timeout_s=INDEX_WAIT_S)

    def _frame(self, session: PageSession | None) -> Frame:
        message = ""
        if session is not None:
            message, session.message = session.message, ""
        return Frame(
            *(self._say, self._settings.language, self._address("review.css"), self._address("review.js")),
            *((session.username, session.csrf) if session else ("", "")),
            *(message, bool(session and session.undoable)),
            self._settings.public_url or self._settings.url,
        )

    def _address(self, name: str) -> str:
        """Changes with the content, so that no browser shows an old one."""
        return f"{name}?v={hashlib.sha256(self._assets[name]).hexdigest()[:12]}"
