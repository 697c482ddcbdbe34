"""The API for other programs: what it answers, what openapi.json says about it, and what it refuses."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from hook.backfill.pending_work import all_records
from hook.review.kept.history import TrashDelay
from hook.service.api.answers import MOST_OTHERS, Api
from hook.service.api.endpoints import MAX_BODY_BYTES, THREADS, api_endpoints
from hook.service.app import Application, Endpoint
from hook.service.metrics import Metrics
from hook.session import Session, opened, settings_of
from tests.e2e.archive_kit import Desk, fill
from tests.e2e.serve_kit import service, until
from tests.fakes import UNAUTHORIZED, FakePaperless

EVENTS, READ, DECIDE = "secret-of-the-events", "secret-for-reading", "secret-for-deciding"
SECRETS = {"DEDUPE_SECRET": EVENTS, "DEDUPE_READ_SECRET": READ, "DEDUPE_DECIDE_SECRET": DECIDE}
DESCRIPTION = json.loads((Path(__file__).parents[3] / "hook/service/api/openapi.json").read_bytes())


class Asked:
    """The API beside a Paperless, asked as other programs ask it. `scans`: scan -> letter."""

    def __init__(self, desk: Desk, scans: dict[int, int], **more: str) -> None:
        self.desk, self.scans = desk, scans
        self.notified: list[int] = []
        self.sessions = 0
        self.most_sessions = 0
        settings = settings_of(desk.environ(**{**SECRETS, **more}))
        self._opened = partial(opened, settings, create=False)
        self.api = Api(settings, self.session, self.notified.append, all_records, TrashDelay())

    @property
    def endpoints(self) -> list[Endpoint]:
        return api_endpoints(self.api)

    def ask(self, *requests: httpx.Request) -> list[httpx.Response]:
        """All at once."""

        async def all_of_them() -> list[httpx.Response]:
            application = Application(print, Metrics(), secret=EVENTS, more=self.endpoints)
            async with httpx.AsyncClient(transport=httpx.ASGITransport(application.asgi())) as http:
                return await asyncio.gather(*map(http.send, requests))

        return asyncio.run(all_of_them())

    @contextmanager
    def session(self) -> Iterator[Session]:
        with self._opened() as session:
            self.sessions += 1
            self.most_sessions = max(self.most_sessions, self.sessions)
            yield session
            self.sessions -= 1

    def get(self, path: str, status: int = 200, secret: str = READ) -> Any:
        (answer,) = self.ask(reading(path, secret))
        assert answer.status_code == status, answer.text
        return answer.json() if status == 200 else answer.text

    def decide(self, status: int = 202, secret: str = DECIDE, **body: Any) -> Any:
        (answer,) = self.ask(deciding(body, secret))
        assert answer.status_code == status, answer.text
        return answer.json() if status == 202 else answer.text


def reading(path: str, secret: str = READ) -> httpx.Request:
    return httpx.Request("GET", f"http://dedupe{path}", headers={b"X-Dedupe-Secret": secret.encode()})


def deciding(body: dict[str, Any] | bytes, secret: str = DECIDE) -> httpx.Request:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    headers = {b"Authorization": b"Bearer " + secret.encode()}
    return httpx.Request("POST", "http://dedupe/api/decisions", content=content, headers=headers)


@pytest.fixture
def at(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[Asked]:
    with FakePaperless() as fake:
        scans = fill(fake, 9, rescans=3)
        desk = Desk(fake, tmp_path, capsys)
        desk.backfill()
        yield Asked(desk, scans)


def test_findings_are_those_of_pending_filtered_and_in_pages(at: Asked) -> None:
    listed = [json.loads(line) for line in at.desk.run("pending", "--json")[0].splitlines()]
    everything = at.get("/api/findings")
    assert (everything["count"], everything["next"], everything["findings"]) == (3, None, listed)
    two = at.get("/api/findings?page_size=2")
    assert (two["count"], two["next"], two["findings"]) == (3, 2, listed[:2])
    assert at.get("/api/findings?page_size=2&page=2")["findings"] == listed[2:]
    assert at.get("/api/findings?page=1000000")["findings"] == []
    scan, letter = next(iter(at.scans.items()))
    for number in (scan, letter):
        (only,) = at.get(f"/api/findings?document={number}")["findings"]
        assert (only["subject"], only["other"]) == (scan, letter)
    assert at.get("/api/findings?relation=rescan&min_confidence=1")["count"] == 3
    assert at.get("/api/findings?relation=revision")["count"] == 0
    assert at.get("/api/findings?min_confidence=100")["count"] == 0


def test_openapi_describes_exactly_these_addresses_and_parameters(at: Asked) -> None:
    assert at.get("/api/openapi.json", secret="") == DESCRIPTION
    described = {
        (method.upper(), path) for path, methods in DESCRIPTION["paths"].items() for method in methods
    }
    assert described == {(one.method, one.path) for one in at.endpoints}
    scan = next(iter(at.scans))
    for path, methods in DESCRIPTION["paths"].items():
        for parameter in methods.get("get", {}).get("parameters", []):
            schema, address = parameter["schema"], path.format(document=scan)
            values = schema.get("enum") or [schema["minimum"], schema["maximum"]]
            if parameter["in"] == "query":
                for value in values:
                    at.get(f"{address}?{parameter['name']}={value}")
                at.get(f"{address}?{parameter['name']}=no-such-value", 400)
                if "maximum" in schema:
                    at.get(f"{address}?{parameter['name']}={schema['maximum'] + 1}", 400)
        if path != "/api/openapi.json":
            at.get(f"{path.format(document=scan)}?colour=red", 400)


def test_every_answer_is_as_openapi_says(at: Asked) -> None:
    (one, other), (two, another), _ = at.scans.items()
    assert_fits(at.decide(subject=one, others=[other], decision="same", do="keep"), "Accepted")
    at.desk.sync()
    assert_fits(at.decide(subject=two, others=[another], decision="not-same"), "Accepted")
    at.desk.sync()
    for path, name, key in (
        ("/api/findings", "Findings", "findings"),
        ("/api/decisions", "Decisions", "decisions"),
        (f"/api/documents/{one}/similar", "Similar", "found"),
    ):
        answer = at.get(path)
        assert answer[key]
        assert_fits(answer, name)


def test_a_decision_is_carried_out_by_the_service(tmp_path: Path) -> None:
    """As one on the review page: what is to be done, and which document to keep."""
    with FakePaperless() as fake, service(fake, tmp_path, start=False) as at:
        at.options = {
            "DEDUPE_READ_SECRET": READ,
            "DEDUPE_DECIDE_SECRET": DECIDE,
            "DEDUPE_ON_CONFIRM": "trash",
        }
        at.start()
        text = "A letter about the roof of the boat house, which leaks above the second bay since April. " * 9
        letter, copy = fake.add_document(text, data=b"one"), fake.add_document(text, data=b"two")
        at.post(letter)
        at.post(copy)
        at.settle()
        body = {"subject": copy, "others": [letter], "decision": "same", "do": "trash", "keep": copy}
        status, answer = at.ask(
            "POST", "/api/decisions", json.dumps(body).encode(), {"X-Dedupe-Secret": DECIDE}
        )
        assert (status, json.loads(answer)) == (202, {"schema": 1, "accepted": copy, "moves": [letter]})
        past = ("GET", "/api/decisions", None, {"X-Dedupe-Secret": READ})
        until(lambda: f'"moved":{letter}' in at.ask(*past)[1])
        (decision,) = json.loads(at.ask(*past)[1])["decisions"]
        assert (decision["kind"], decision["kept"], decision["by"]) == ("confirmed", copy, "api")
        assert fake.trashed == [letter]


def test_a_decision_waits_until_somebody_has_looked(at: Asked) -> None:
    """What the plan of the page would ask a person, without the words of the texts."""
    letter = max(at.desk.fake.documents)
    changed = re.sub(r"\b[a-z]{9,}\b", "umbrella", at.desk.fake.document(letter).content, count=1)
    copy = at.desk.fake.add_document(changed, "changed")
    at.desk.sync()
    body: dict[str, Any] = {"subject": copy, "others": [letter], "decision": "same"}
    body |= {"do": "trash", "keep": letter}
    told = at.decide(409, **body)
    assert re.fullmatch(r"the texts differ in \d+ places: look at them, then send looked\n", told)
    assert at.notified == []
    assert at.decide(**body, looked=True)["moves"] == [copy]
    at.desk.sync()
    assert at.desk.fake.trashed == [copy]
    (past,) = at.get("/api/decisions")["decisions"]
    assert (past["kept"], past["moved"], past["by"], past["looked"] > 0) == (letter, copy, "api", True)


def test_a_decision_on_what_has_changed_is_told_so(at: Asked) -> None:
    """Of two that decide on one pair, also at the same moment, one wins."""
    scan, letter = next(iter(at.scans.items()))
    stranger = max(at.desk.fake.documents)
    for subject, others in (
        (scan, [letter, stranger]),
        (scan, [stranger]),
        (letter, [scan]),
        (stranger + 1, [1]),
    ):
        at.decide(409, subject=subject, others=others, decision="same")
    bodies = [
        {"subject": scan, "others": [letter], "decision": decision} for decision in ("same", "not-same")
    ]
    assert sorted(one.status_code for one in at.ask(*map(deciding, bodies))) == [202, 409]
    assert at.notified == [scan]


CHANGES: list[dict[str, Any]] = [
    *({"subject": subject} for subject in (True, 0, -2, 2.0, 2**64, None)),
    *({"others": others} for others in ([], [1] * (MOST_OTHERS + 1), [[1]], "1", {"1": 1})),
    *({"decision": decision} for decision in ("delete", "later", ["same"], None)),
    *({"keep": keep} for keep in (3, "1; drop", [1])),
    {"decision": "skip", "keep": 1},
    {"decision": "not-same", "looked": True},
    {"text": "x"},
]
BAD = [
    *(b"", b"nonsense", b"[]", b"null", b"[" * 60_000, b"9" * 60_000, b"\xff\xfe"),
    *(json.dumps({"subject": 2, "others": [1], "decision": "same", **change}).encode() for change in CHANGES),
]


def test_a_body_that_is_no_decision_is_refused(at: Asked) -> None:
    at.desk.fake.forget_requests()
    codes = [one.status_code for one in at.ask(*map(deciding, BAD))]
    assert codes == [400] * len(BAD)
    (large,) = at.ask(deciding(b" " * (MAX_BODY_BYTES + 1)))
    assert large.status_code == 413
    assert (at.notified, at.desk.fake.writes) == ([], [])


def test_a_hostile_question_is_refused(at: Asked) -> None:
    wrong = (
        "page=0",
        "page=-1",
        "page=1e3",
        "page=٣",
        "page_size=501",
        "document=1%00",
        "page=1;2",
        "relation=sibling",
    )
    paths = [f"/api/findings?{query}" for query in wrong]
    paths += [f"/api/documents/{given}/similar" for given in ("0", "x", "-1", "9" * 400, "%00", "1 or 1=1")]
    assert {one.status_code for one in at.ask(*map(reading, paths))} == {400}


def test_each_secret_opens_its_own_addresses_only(at: Asked) -> None:
    scan, letter = next(iter(at.scans.items()))
    body = {"subject": scan, "others": [letter], "decision": "same"}
    requests = [deciding(body, secret) for secret in ("", EVENTS, READ, DECIDE[:-1], DECIDE + "x", "ü")]
    for path in ("/api/findings", "/api/decisions", f"/api/documents/{scan}/similar"):
        requests += [reading(path, secret) for secret in ("", EVENTS, DECIDE, READ.upper())]
    assert {one.status_code for one in at.ask(*requests)} == {401}
    assert at.notified == []


def test_without_a_secret_an_address_does_not_exist(at: Asked) -> None:
    for missing, gone in ((DECIDE, 1), (READ, 3)):
        left = {name: "" if value == missing else value for name, value in SECRETS.items()}
        asked = Asked(at.desk, at.scans, **left)
        assert len(asked.endpoints) == 5 - gone
    off = Asked(at.desk, at.scans, DEDUPE_READ_SECRET="", DEDUPE_DECIDE_SECRET="")
    assert off.endpoints == []
    for path in DESCRIPTION["paths"]:
        off.get(path.format(document=1), 404)


def test_what_fails_beside_us_is_told(at: Asked) -> None:
    """Paperless, then the index."""
    at.get("/api/documents/4000/similar", 404)
    at.desk.fake.faults.add("GET", "/api/", UNAUTHORIZED)
    at.get("/api/findings", 502)
    shutil.rmtree(at.desk.index_dir)
    at.get("/api/decisions", 503)


def test_many_questions_share_few_threads(at: Asked) -> None:
    answers = at.ask(*[reading("/api/findings")] * 12)
    assert {one.status_code for one in answers} == {200}
    assert 0 < at.most_sessions <= THREADS


def test_no_text_of_a_document_is_told(at: Asked) -> None:
    scan = next(iter(at.scans))
    text = at.desk.fake.document(scan).content
    told = json.dumps([at.get("/api/findings"), at.get(f"/api/documents/{scan}/similar")])
    assert not any(sentence in told for sentence in re.split(r"[.\n]", text) if len(sentence) > 30)


def assert_fits(value: Any, name: str) -> None:
    _fits(value, {"$ref": f"#/components/schemas/{name}"}, name)


_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,), "array": (list,), "string": (str,), "boolean": (bool,), "null": (type(None),), "integer": (int,),
    "number": (int, float),
}  # fmt: skip


def _fits(value: Any, schema: dict[str, Any], where: str) -> None:
    """The part of JSON Schema that the file uses, without bounds of numbers."""
    if "$ref" in schema:
        schema = DESCRIPTION["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    kinds = [schema["type"]] if isinstance(schema.get("type"), str) else schema.get("type", _TYPES)
    assert type(value) in [kind for name in kinds for kind in _TYPES[name]], where
    assert value in schema.get("enum", [schema.get("const", value)]), where
    if isinstance(value, dict) and "properties" in schema:
        assert set(schema["required"]) <= value.keys() <= schema["properties"].keys(), where
        for key, part in value.items():
            _fits(part, schema["properties"][key], f"{where}.{key}")
    if isinstance(value, list):
        for part in value:
            _fits(part, schema.get("items", {}), f"{where}[]")
