"""What each address of the review page answers, without a web server: a question of a browser in, a reply out.

Host, Origin and the size of a body are checked before (service/review_endpoints.py); log-in and the CSRF token here.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager
from importlib import resources
from typing import TYPE_CHECKING, Final

from hook.errors import DedupeError, IndexFault, IndexMissing, RightsError, TokenError
from hook.examination.archive import Archive
from hook.findings.decisions import Decisions, now
from hook.index.ids import parse_id
from hook.language.translate import translator
from hook.review.journal import Journal
from hook.review.kept.history import TrashDelay, history
from hook.review.undo import NothingToUndoError
from hook.review_page.decide import (
    MOST_PLANNED,
    ChangedError,
    Deciding,
    again,
    undo_decision,
)
from hook.review_page.exchange import (
    BusyError,
    ForgedError,
    LoggedOutError,
    Question,
    Reply,
    address_back,
    asked_in,
    chosen_of,
    json_reply,
    page,
)
from hook.review_page.overview import Records, Status, identical, overview, stored_records, waiting_for
from hook.review_page.person import Person, thumbnail
from hook.review_page.plan import Action
from hook.review_page.render.frame import Frame, error_page, login_page
from hook.review_page.render.lists import history_page
from hook.review_page.render.pages import bulk_page, review_page
from hook.review_page.render.plan import decided_in_words, effect_of, plan_of
from hook.review_page.sessions import Attempts, NoEntryError, PageSession, Sessions, enter
from hook.review_page.waiting import matches
from hook.session import Session, open_archive
from hook.settings.model import Settings

if TYPE_CHECKING:
    from hook.ink.inspector import Inspector

INDEX_WAIT_S: Final = 5.0
RETRY_AFTER_S: Final = 10
MOST_KEYS: Final = 10_000  # documents that one decision can be about
NOT_FOUND: Final = Reply(b"", 404, "text/plain; charset=utf-8")
_ASSETS: Final = {
    "review.css": "text/css; charset=utf-8",
    "review.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}


class Site:
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
        inspector: Inspector | None = None,
        delay: TrashDelay = TrashDelay(),  # noqa: B008 frozen
    ) -> None:
        self._inspector, self._delay = inspector, delay
        self._settings, self._notify, self._status, self._records = settings, notify, status, records
        self._service_session = session
        self.sessions, self._attempts = Sessions(), Attempts()
        self._say = translator(settings.language)
        assets = resources.files("hook.review_page") / "assets"
        self._assets = {name: (assets / name).read_bytes() for name in _ASSETS}

    # What is asked for without a session

    def asset(self, name: str) -> Reply:
        return Reply(self._assets[name], content_type=_ASSETS[name])

    def person(self, question: Question) -> str:
        """Who asks, for what is limited by person; "" for whoever is not logged in."""
        session = self.sessions.get(question.cookie)
        return "" if session is None else session.username or question.cookie

    def log_in(self, question: Question) -> Reply:
        try:
            session = enter(self._settings, question, self._attempts, self._say)
        except NoEntryError as error:
            form = login_page(self._frame(None), str(error))
            return page(form, error.status, retry_after_s=error.wait_s)
        self.sessions.end(question.cookie)  # the browser forgets it now
        return Reply(b"", 303, location=".", cookie=self.sessions.begin(session))

    # Pages

    def review(self, question: Question) -> Reply:
        session = self._session(question)
        asked = asked_in(question.query)
        with self._archive() as archive:
            person = self._person(session, archive)
            listed = overview(archive, person, asked, self._say, self._records)
        can_look, frame = self._inspector is not None, self._frame(session)
        made = review_page(
            frame, listed, self._status(), asked, can_look=can_look, may_change=session.may_change
        )
        return page(made)

    def history(self, question: Question) -> Reply:
        """Decided pairs of which the person sees a document."""
        session = self._session(question)
        with self._archive() as archive:
            visible = self._person(session, archive).visible()
            past = history(Decisions(archive.index), Journal(archive.index), self._delay)
        seen = [entry for entry in past if visible.issuperset(entry.documents)]
        may_change = session.may_change and not self._status().report_only
        frame, address = self._frame(session), self._settings.document_url
        return page(history_page(frame, seen, self._delay, address, now=now(), may_change=may_change))

    def bulk(self, question: Question) -> Reply:
        """The question before all identical ones are confirmed, or all of a correspondent."""
        session, correspondent = self._session(question), asked_in(question.query).correspondent
        with self._archive() as archive:
            person = self._person(session, archive)
            waiting = waiting_for(archive, person.shown, self._records)
            if correspondent is None:
                listed = identical(waiting)[:MOST_KEYS]
                title = self._say("Confirm all {n} identical ones?", n=len(listed))
            else:
                theirs = person.of_correspondent(correspondent)
                listed = [entry for entry in waiting if matches(entry, documents=theirs)][:MOST_KEYS]
                title = self._say("Confirm all {n} findings of this correspondent?", n=len(listed))
        effects = Counter(effect_of(Action.SAME, entry, self._settings, self._say) for entry in listed)
        return page(bulk_page(self._frame(session), title, [entry.key for entry in listed], effects))

    def thumb(self, question: Question) -> Reply:
        picture = thumbnail(self._session(question).client, question.number)
        return NOT_FOUND if picture is None else Reply(picture[0], content_type=picture[1])

    def places(self, question: Question) -> Reply:
        """Crops of both pages where the texts of two documents differ: a part of a page, for a card."""
        session = self._session(question)
        other = parse_id(question.query.get("other", ""))
        if self._inspector is None or other is None:
            return NOT_FOUND
        with self._archive() as archive:
            left, right = (archive.fingerprint_of(number) for number in (question.number, other))
        if left is None or right is None:
            return NOT_FOUND
        from hook.review_page.places import places_html

        return page(places_html(self._inspector, session.client, left, right, self._say))

    def sheet(self, question: Question) -> Reply:
        """A page of a document, as large as a person needs to read it."""
        session, number = self._session(question), question.query.get("page", "0")
        if self._inspector is None or not (number.isascii() and number.isdigit() and len(number) <= 4):
            return NOT_FOUND
        from hook.review_page.places import sheet_png

        image = sheet_png(self._inspector, session.client, question.number, int(number))
        return NOT_FOUND if image is None else Reply(image, content_type="image/png")

    # Decisions

    def decide(self, question: Question) -> Reply:
        session = self._session(question, posted=True)
        try:
            action = Action(question.field("action"))
        except ValueError:
            raise ChangedError(self._say("That is not a decision.")) from None
        if self._status().report_only:
            raise ChangedError(self._say("Report only: nothing is written to Paperless."))
        if not session.may_change:
            raise ChangedError(self._say("Paperless does not allow you to do that."))
        keys = list(dict.fromkeys(question.fields.get("key", [])[:MOST_KEYS]))
        with self._service_session() as ours:
            deciding = Deciding(session, ours, keys, self._say)
            is_same = action is Action.SAME
            told, lines = deciding.same(chosen_of(question)) if is_same else (deciding.other(action), [])
            words = decided_in_words(action, [key.partition(":")[0] for key in keys], lines, self._say)
            deciding.write(told, self._notify, words)
        return self._done(session, words, question)

    def plan(self, question: Question) -> Reply:
        """What "Same" would do, for a card."""
        session = self._session(question)
        chosen = chosen_of(question)
        looks = self._inspector is not None and bool(question.query.get("look"))
        with self._service_session() as ours:
            keys = question.query.get("card", "").split(" ")[:MOST_PLANNED]
            try:
                deciding = Deciding(session, ours, keys, self._say, looks=looks)
                return page(plan_of(deciding.members, deciding.lines(chosen), chosen, self._say))
            except ChangedError:  # decided meanwhile: the card is on its way out
                return Reply(b"", 204)

    def undo(self, question: Question) -> Reply:
        """The person's last decision; or one of the history."""
        session = self._session(question, posted=True)
        a, b = (parse_id(text) for text in question.field("pair").partition(":")[::2])
        pair = (min(a, b), max(a, b)) if a and b else None
        with self._service_session() as ours:
            words = undo_decision(session, ours, pair, self._notify, self._say)
        return self._done(session, words, question)

    def again(self, question: Question) -> Reply:
        session = self._session(question, posted=True)
        documents = [number for text in question.fields.get("document", [])[:2] if (number := parse_id(text))]
        with self._service_session() as ours:
            words = again(session, ours, documents, self._notify, self._say)
        return self._done(session, words, question)

    def log_out(self, question: Question) -> Reply:
        self._session(question, posted=True)
        self.sessions.end(question.cookie)
        return Reply(b"", 303, location=".", cookie="")

    def _done(self, session: PageSession, words: str, question: Question) -> Reply:
        if question.wants_json:
            return json_reply({"message": words, "undo": bool(session.undoable)})
        session.message = words
        return Reply(b"", 303, location=address_back(question))

    # What went wrong

    def failed(self, error: DedupeError, question: Question) -> Reply:
        """A page or a JSON answer that says what went wrong; nothing of a document is in it."""
        if isinstance(error, (LoggedOutError, TokenError)):
            self.sessions.end(question.cookie)
            return page(login_page(self._frame(None)), 401 if question.wants_json else 200, cookie="")
        words, status = self._problem(error)
        if question.wants_json:
            return json_reply({"message": words}, status)
        frame = self._frame(self.sessions.get(question.cookie))
        wait_s = RETRY_AFTER_S if isinstance(error, BusyError) else 0
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

    # What an answer needs

    def _session(self, question: Question, *, posted: bool = False) -> PageSession:
        session = self.sessions.get(question.cookie)
        if session is None:
            raise LoggedOutError("logged out")
        if posted and not session.is_csrf(question.field("csrf")):
            raise ForgedError(self._say("This form is too old: load the page again."))
        return session

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
