"""What each address of the review page answers, without a web server: a question of a browser in, a reply out.

Host, Origin and the size of a body are checked before (service/review_endpoints.py); log-in and the CSRF token here.
"""

from __future__ import annotations

from collections import Counter
from pathlib import PurePath
from typing import Final

from hook.findings.decisions import Decisions, Kind, now
from hook.index.ids import parse_id
from hook.review.journal import Journal
from hook.review.kept.history import history
from hook.review_page.base import Base
from hook.review_page.decide import MOST_PLANNED, ChangedError, Deciding, again, undo_decision
from hook.review_page.exchange import (
    LONGEST_FIELD,
    Question,
    Reply,
    asked_in,
    chosen_in,
    chosen_of,
    json_reply,
    page,
    pairs_in,
    query_of,
)
from hook.review_page.overview import identical, overview, waiting_for
from hook.review_page.person import sizes_of, thumbnail
from hook.review_page.plan import Action, Line
from hook.review_page.render.frame import login_page
from hook.review_page.render.lists import history_page
from hook.review_page.render.pages import bulk_page, review_page
from hook.review_page.render.plan import decided_in_words, effect_of, plan_of
from hook.review_page.render.tuning import Sample, bands, histogram, tuning_page
from hook.review_page.sessions import NoEntryError, PageSession, enter
from hook.review_page.waiting import matches
from hook.session import policy_of

MOST_PAST: Final = 200  # decisions that are listed
MOST_KEYS: Final = 10_000  # documents that one decision can be about
NOT_FOUND: Final = Reply(b"", 404, "text/plain; charset=utf-8")
_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


class Site(Base):
    """May be used from any thread."""

    # What is asked for without a session

    def asset(self, name: str) -> Reply | None:
        body = self._assets.get(name)
        return None if body is None else Reply(body, content_type=_TYPES[PurePath(name).suffix])

    def log_in(self, question: Question) -> Reply:
        try:
            session = enter(self._settings, question, self._attempts, self._say)
        except NoEntryError as error:
            form = login_page(self._frame(None), str(error))
            return page(form, error.status, retry_after_s=error.wait_s)
        self._sessions.end(question.cookie)  # the browser forgets it now
        return Reply(b"", 303, location=".", cookie=self._sessions.begin(session))

    # Pages

    def review(self, question: Question) -> Reply:
        session = self._session(question)
        asked = asked_in(question.query)
        with self._archive() as archive:
            person = self._person(session, archive)
            listed = overview(archive, person, asked, self._say, later=session.later, records=self._records)
        can_look = self._inspector is not None
        frame, may_change = self._frame(session), session.may_change
        return page(
            review_page(frame, listed, self._status(), asked, can_look=can_look, may_change=may_change)
        )

    def tuning(self, question: Question) -> Reply:
        session = self._session(question)
        with self._archive() as archive:
            shown = self._person(session, archive).shown
            waiting = [
                f.confidence for entry in waiting_for(archive, shown, self._records) for f in entry.findings
            ]
            samples = [
                Sample(decision.a, decision.b, decision.confidence, decision.kind is Kind.CONFIRMED)
                for decision in Decisions(archive.index)
                if set(decision.pair) & shown.visible
            ]
        confidences = [*waiting, *(sample.confidence for sample in samples)]
        threshold = policy_of(self._settings).flag_threshold
        made = tuning_page(
            self._frame(session), histogram(waiting, samples), bands(samples), confidences, threshold
        )
        return page(made)

    def history(self, question: Question) -> Reply:
        """Decided pairs of which the person sees a document."""
        session = self._session(question)
        with self._archive() as archive:
            visible = self._person(session, archive).visible()
            past = history(Decisions(archive.index), Journal(archive.index), self._delay)
        listed = [
            entry for entry in past if ({entry.kept} if entry.kept else set(entry.decision.pair)) <= visible
        ]
        made = history_page(
            *(
                self._frame(session),
                listed[:MOST_PAST],
                len(listed),
                self._delay,
                self._settings.document_url,
            ),
            now=now(),
            may_change=session.may_change and not self._status().report_only,
        )
        return page(made)

    def bulk(self, question: Question) -> Reply:
        """The question before all identical ones are confirmed, or all of a correspondent."""
        session, correspondent = self._session(question), asked_in(question.query).correspondent
        with self._archive() as archive:
            waiting = self._waiting(session, archive)
            if correspondent is None:
                listed = identical(waiting)[:MOST_KEYS]
                title = self._say("Confirm all {n} identical ones?", n=len(listed))
            else:
                theirs = self._person(session, archive).of_correspondent(correspondent)
                listed = [entry for entry in waiting if matches(entry, documents=theirs)][:MOST_KEYS]
                title = self._say("Confirm all {n} findings of this correspondent?", n=len(listed))
        effects = Counter(effect_of(Action.SAME, entry, self._settings, self._say) for entry in listed)
        return page(bulk_page(self._frame(session), title, [entry.key for entry in listed], effects))

    def thumb(self, question: Question) -> Reply:
        session = self._session(question)
        picture = thumbnail(session.client, question.number)
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
        from hook.review_page.places import places_html, places_of

        places = places_of(self._inspector, session.client, left, right)
        return page(places_html(places, left.id, right.id, self._say))

    def sheet(self, question: Question) -> Reply:
        """A page of a document, as large as a person needs to read it."""
        session, number = self._session(question), question.query.get("page", "0")
        if self._inspector is None or not (number.isascii() and number.isdigit() and len(number) <= 4):
            return NOT_FOUND
        from hook.review_page.places import sheet_png

        image = sheet_png(self._inspector, session.client, question.number, int(number))
        return NOT_FOUND if image is None else Reply(image, content_type="image/png")

    def sizes(self, question: Question) -> Reply:
        """Of the files of some documents, and the mean of all that this person has seen."""
        session = self._session(question)
        return json_reply(sizes_of(session, question.query.get("ids", "")))

    # Decisions

    def decide(self, question: Question) -> Reply:
        session = self._session(question, posted=True)
        try:
            action = Action(question.field("action"))
        except ValueError:
            raise ChangedError(self._say("That is not a decision.")) from None
        if self._status().report_only:
            raise ChangedError(self._say("Report only: nothing is written to Paperless."))
        if action is Action.LATER:
            words = self._put_off(session, question.field("card")[:LONGEST_FIELD])
        else:
            words = self._write(session, action, question)
        return self._done(session, words, question)

    def plan(self, question: Question) -> Reply:
        """What "Same" would do, for a card."""
        session = self._session(question)
        chosen = chosen_in(question.query.get("do", ""), question.query.get("keep", ""))
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
        self._sessions.end(question.cookie)
        return Reply(b"", 303, location=".", cookie="")

    def _write(self, session: PageSession, action: Action, question: Question) -> str:
        if not session.may_change:
            raise ChangedError(self._say("Paperless does not allow you to do that."))
        say, keys = self._say, question.fields.get("key", [])[:MOST_KEYS]
        chosen = chosen_of(question)
        with self._service_session() as ours:
            deciding = Deciding(session, ours, keys, say)
            is_same = action is Action.SAME
            told, lines = deciding.same(chosen) if is_same else (deciding.other(action), list[Line]())
            words = decided_in_words(
                action, [key.partition(":")[0] for key in dict.fromkeys(keys)], lines, say
            )
            deciding.write(told, self._notify, words)
        return words

    def _put_off(self, session: PageSession, key: str) -> str:
        if key in session.later:
            session.later.remove(key)
        session.later.append(key)
        del session.later[:-1000]
        return self._say("Moved to the end of the list.")

    def _done(self, session: PageSession, words: str, question: Question) -> Reply:
        if question.wants_json:
            return json_reply({"message": words, "undo": bool(session.undoable)})
        session.message = words
        back = query_of(asked_in(pairs_in(question.field("back"))))
        return Reply(b"", 303, location=f"./?{back}" if back else ".")
