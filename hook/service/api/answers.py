"""What the API answers: a page of findings or of decisions, similar documents, a decision that is accepted."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from dedupe_core.fingerprint.query import Ask
from hook.examination.archive import Archive
from hook.findings.decisions import Decisions
from hook.findings.find import OVERLAP, asked, find
from hook.index.ids import MAX_ID, parse_id
from hook.review.journal import Journal
from hook.review.kept.history import TrashDelay, history
from hook.review_page.lists.undecided import waiting_pairs, with_titles
from hook.review_page.overview import Records
from hook.service.backlog import BacklogFullError
from hook.service.request import RefusedRequestError
from hook.session import Session, open_archive
from hook.settings.types import RELATIONS

if TYPE_CHECKING:
    from hook.settings.model import Settings

SCHEMA: Final = 1
INDEX_WAIT_S: Final = 2.0  # for an index that is being written; then the client gets a 503
PAGE_SIZE: Final = 50
MOST_ON_PAGE: Final = 500
MOST_PAGES: Final = 1_000_000
MOST_OTHERS: Final = 1_000  # findings of one document
CONFIRM: Final = "confirm"
DECISIONS: Final = {  # by the setting of their tags
    CONFIRM: "tag_confirm",
    "not-duplicate": "tag_not_duplicate",
    "make-version": "tag_make_version",
    "skip": "tag_skip",
}
PAGING: Final = ("page", "page_size")

Query = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A decision on the findings that a client has seen on `subject`: those with `others`."""

    subject: int
    others: frozenset[int]
    decision: str
    keep: int | None = None


@dataclass(frozen=True, slots=True)
class Api:
    """The answers. `notify` tells the worker that a document has a decision tag."""

    settings: Settings
    session: Callable[[], AbstractContextManager[Session]]
    notify: Callable[[int], None]
    records: Records
    delay: TrashDelay
    report_only: bool = False

    def findings(self, query: Query) -> dict[str, Any]:
        relation = _choice(query, "relation", ("", *(one.value for one in RELATIONS)))
        document, least = _number(query, "document", 0, MAX_ID), _number(query, "min_confidence", 0, 100)
        paged = _paged(query)
        with self.session() as session:
            found = [
                (subject, finding)
                for subject, finding in waiting_pairs(session, self.records)
                if relation in ("", finding.relation.value)
                and document in (0, subject, finding.other)
                and 100 * finding.confidence >= least
            ]
            answer, pairs = paged(found)
            return {**answer, "findings": [one.to_json() for one in with_titles(session, pairs)]}

    def decisions(self, query: Query) -> dict[str, Any]:
        paged = _paged(query)
        with self._archive() as archive:
            answer, past = paged(history(Decisions(archive.index), Journal(archive.index), self.delay))
        return {**answer, "decisions": [one.to_json() for one in past]}

    def similar(self, number: int, query: Query) -> dict[str, Any]:
        ask = Ask(_choice(query, "ask", tuple(Ask)) or Ask.OVERLAPPING)
        shares = _number(query, "overlap", OVERLAP, 100), _number(query, "probability", 100, 100)
        _, question = asked(None, *shares, ask)
        with self._archive() as archive:
            return find(archive, self.settings, number, question)

    def decide(self, wanted: Wanted) -> dict[str, Any]:
        """Sets the tags that a person would set, and the worker acts on them: if the service is killed, nothing is lost."""
        if self.report_only:
            raise RefusedRequestError(409, "report only: nothing is written to Paperless")
        with self.session() as session:
            pairs = waiting_pairs(session, self.records)
            if wanted.others != {finding.other for subject, finding in pairs if subject == wanted.subject}:
                raise RefusedRequestError(409, "these are not the findings on this document that wait now")
            self._tag(session, wanted)
        with suppress(BacklogFullError, OSError):  # the periodic sync finds the tag
            self.notify(wanted.subject)
        return {"schema": SCHEMA, "accepted": wanted.subject}

    def _tag(self, session: Session, wanted: Wanted) -> None:
        """The one to keep first: the worker may be quick."""
        decided = str(getattr(self.settings, DECISIONS[wanted.decision]))
        for number, name in ((wanted.keep, self.settings.tag_keep), (wanted.subject, decided)):
            if number is not None:
                session.client.modify_tags([number], add=[session.labels.ensure([name])[name]])

    def _archive(self) -> Archive:
        return open_archive(self.settings, create=False, timeout_s=INDEX_WAIT_S)


def wanted_in(body: bytes) -> Wanted:
    try:
        given = json.loads(body)
    except (ValueError, RecursionError):
        raise RefusedRequestError(400, "not JSON") from None
    if not isinstance(given, dict) or not given.keys() <= {"subject", "others", "decision", "keep"}:
        raise RefusedRequestError(400, "expected an object with subject, others, decision and perhaps keep")
    others, decision, keep = given.get("others"), given.get("decision"), given.get("keep")
    if not isinstance(others, list) or not 0 < len(others) <= MOST_OTHERS:
        raise RefusedRequestError(400, f"others is a list of 1 to {MOST_OTHERS} document ids")
    if not isinstance(decision, str) or decision not in DECISIONS:
        raise RefusedRequestError(400, f"decision is one of {', '.join(DECISIONS)}")
    subject, ids = document_id(given.get("subject")), frozenset(map(document_id, others))
    kept = None if keep is None else document_id(keep)
    if kept is not None and (decision != CONFIRM or kept not in {subject, *ids}):
        raise RefusedRequestError(400, f"keep is one of these documents, and only with {CONFIRM}")
    return Wanted(subject, ids, decision, kept)


def _choice(query: Query, name: str, choices: Sequence[str]) -> str:
    if (value := query.get(name, "")) and value not in choices:
        raise RefusedRequestError(400, f"{name} is one of {', '.join(filter(None, choices))}")
    return value


def _number(query: Query, name: str, default: int, most: int) -> int:
    if not (text := query.get(name, "")):
        return default
    if (value := parse_id(text)) is None or value > most:
        raise RefusedRequestError(400, f"{name} is a whole number from 1 to {most}")
    return value


def document_id(given: object) -> int:
    """Of a path or of JSON, where `true` is a number to Python."""
    number = parse_id(str(given)) if isinstance(given, (str, int)) and not isinstance(given, bool) else None
    if number is None:
        raise RefusedRequestError(400, "not a document id")
    return number


def _paged(query: Query) -> Callable[[Sequence[Any]], tuple[dict[str, Any], Sequence[Any]]]:
    """What says where a page is in all of them, and its part of them; an empty one past the end."""
    page, size = _number(query, "page", 1, MOST_PAGES), _number(query, "page_size", PAGE_SIZE, MOST_ON_PAGE)

    def cut(found: Sequence[Any]) -> tuple[dict[str, Any], Sequence[Any]]:
        ends = page * size
        following = page + 1 if ends < len(found) else None
        answer = {"schema": SCHEMA, "count": len(found), "page": page, "page_size": size, "next": following}
        return answer, found[ends - size : ends]

    return cut
