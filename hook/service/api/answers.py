"""What the API answers: a page of findings or of decisions, similar documents, a decision that is accepted."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from dedupe_core.fingerprint.query import Ask
from hook.examination.archive import Archive
from hook.findings.decisions import Decisions
from hook.findings.find import OVERLAP, asked, find
from hook.index.ids import MAX_ID, parse_id
from hook.language.translate import ENGLISH
from hook.review.journal import MOVES, Do, Journal
from hook.review.kept.history import TrashDelay, history
from hook.review.kept.instructions import Instruction
from hook.review.planner import everything
from hook.review_page.decide import Deciding
from hook.review_page.overview import Records, waiting_pairs, with_titles
from hook.review_page.plan import Action, Chosen
from hook.review_page.sessions import PageSession
from hook.service.requests import RefusedRequestError
from hook.session import Session, open_archive
from hook.settings.model import Settings
from hook.settings.types import RELATIONS

SCHEMA: Final = 1
INDEX_WAIT_S: Final = 2.0  # for an index that is being written; then the client gets a 503
PAGE_SIZE: Final = 50
MOST_ON_PAGE: Final = 500
MOST_PAGES: Final = 1_000_000
MOST_OTHERS: Final = 1_000  # findings of one document
BY: Final = "api"  # who decided
DOES: Final = (Do.TRASH, Do.VERSION, Do.KEEP)
PAGING: Final = ("page", "page_size")

Query = Mapping[str, str]
Choice = TypeVar("Choice", bound=str)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A decision on the findings that a client has seen on `subject`: those with `others`."""

    subject: int
    others: frozenset[int]
    decision: Action
    chosen: Chosen
    looked: bool

    def key(self, session: Session) -> str:
        """As the review page names these findings."""
        findings = session.findings.get(self.subject).findings
        others = [finding.other for finding in findings if finding.other in self.others]
        return f"{self.subject}:{','.join(map(str, others))}" if self.others == set(others) else ""


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
        relation = _one_of(("", *RELATIONS), query.get("relation", ""), "relation")
        document, least = _number(query, "document", 0, MAX_ID), _number(query, "min_confidence", 0, 100)
        paged = _paged(query)
        with self.session() as session:
            pairs = [
                (subject, finding)
                for subject, finding in waiting_pairs(session, self.records)
                if relation in ("", finding.relation)
                and document in (0, subject, finding.other)
                and 100 * finding.confidence >= least
            ]
            answer, shown = paged(pairs)
            return {**answer, "findings": [finding.to_json() for finding in with_titles(session, shown)]}

    def decisions(self, query: Query) -> dict[str, Any]:
        paged = _paged(query)
        with self._archive() as archive:
            answer, past = paged(history(Decisions(archive.index), Journal(archive.index), self.delay))
        return {**answer, "decisions": [entry.to_json() for entry in past]}

    def similar(self, number: int, query: Query) -> dict[str, Any]:
        ask = _one_of(tuple(Ask), query.get("ask", Ask.OVERLAPPING), "ask")
        question = asked(_number(query, "overlap", OVERLAP, 100), ask)
        with self._archive() as archive:
            return find(archive, self.settings, number, question)

    def decide(self, wanted: Wanted) -> dict[str, Any]:
        """As a person does on the review page, with the token of the service."""
        if self.report_only:
            raise RefusedRequestError(409, "report only: nothing is written to Paperless")
        with self.session() as session:
            person, key = PageSession(session.client, BY), wanted.key(session)
            deciding = Deciding(person, session, [key], ENGLISH)
            told = _told(deciding, wanted)
            deciding.write(told, self.notify, "")
        moved = sorted(instruction.document for instruction in told if instruction.do in MOVES)
        return {"schema": SCHEMA, "accepted": wanted.subject, "moves": moved}

    def _archive(self) -> Archive:
        return open_archive(self.settings, create=False, timeout_s=INDEX_WAIT_S)


def wanted_in(body: bytes) -> Wanted:
    try:
        given = json.loads(body)
    except (ValueError, RecursionError):
        raise RefusedRequestError(400, "not JSON") from None
    names = {"subject", "others", "decision", "do", "keep", "looked"}
    if not isinstance(given, dict) or not given.keys() <= names:
        raise RefusedRequestError(400, f"expected an object with {', '.join(sorted(names))}")
    others, looked = given.get("others"), given.get("looked", False)
    if not isinstance(others, list) or not 0 < len(others) <= MOST_OTHERS:
        raise RefusedRequestError(400, f"others is a list of 1 to {MOST_OTHERS} document ids")
    subject, ids = document_id(given.get("subject")), frozenset(map(document_id, others))
    decision = _one_of(tuple(Action), given.get("decision"), "decision")
    do = None if given.get("do") is None else _one_of(DOES, given["do"], "do")
    keep = None if given.get("keep") is None else document_id(given["keep"])
    if not isinstance(looked, bool) or (keep is not None and keep not in {subject, *ids}):
        raise RefusedRequestError(400, "keep is one of these documents, looked is true or false")
    if decision is not Action.SAME and (do, keep, looked) != (None, None, False):
        raise RefusedRequestError(400, f"do, keep and looked are for {Action.SAME} only")
    return Wanted(subject, ids, decision, Chosen(do, keep), looked)


def _one_of(choices: Sequence[Choice], given: object, name: str) -> Choice:
    for choice in choices:
        if choice == given:
            return choice
    raise RefusedRequestError(400, f"{name} is one of {', '.join(filter(None, choices))}")


def _told(deciding: Deciding, wanted: Wanted) -> list[Instruction]:
    if wanted.decision is not Action.SAME:
        return deciding.other(wanted.decision)
    chosen = wanted.chosen
    if wanted.looked:
        all_places = (everything(line.places) for line in deciding.lines(chosen))
        chosen = replace(chosen, looked=frozenset(all_places))
    return deciding.same(chosen)[0]


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

    def cut(entries: Sequence[Any]) -> tuple[dict[str, Any], Sequence[Any]]:
        ends = page * size
        following = page + 1 if ends < len(entries) else None
        answer = {"schema": SCHEMA, "count": len(entries), "page": page, "page_size": size, "next": following}
        return answer, entries[ends - size : ends]

    return cut
