"""The fake as a server: tokens, versions, hosts, faults on order, going down and coming back, the command."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
from pathlib import Path

import httpx
import pytest

from tests.fakes import (
    BAD_GATEWAY,
    DEFAULT_TOKEN,
    LOGIN_PAGE,
    NOTE_NOT_SAVED,
    UNAUTHORIZED,
    After,
    Before,
    Cut,
    Delay,
    Drop,
    FakePaperless,
)
from tests.fakes.client import connect

ROOT = Path(__file__).parents[3]


# who asks


def test_tokens(fake: FakePaperless, api: httpx.Client) -> None:
    """No token, a wrong one, a revoked one: 401, without the version headers."""
    good = api.get("/api/documents/")
    assert (good.headers["x-version"], good.headers["x-api-version"]) == ("3.0.5", "10")
    for headers in ({}, {"Authorization": "Token wrong"}, {"Authorization": f"Bearer {fake.token}"}):
        answer = httpx.get(f"{fake.url}/api/documents/", headers=headers)
        assert answer.status_code == 401 and "x-version" not in answer.headers
    fake.revoke_token()
    assert api.get("/api/documents/").json() == {"detail": "Invalid token."}


@pytest.mark.parametrize(
    ("release", "fine", "refused"), [("3.0.5", (9, 10), (8, 11)), ("2.20.15", (1, 9), (10,))]
)
def test_api_versions(release: str, fine: tuple[int, ...], refused: tuple[int, ...]) -> None:
    """9 is common to both; others are a 406, even before the token is looked at."""
    with FakePaperless(release) as fake:
        for version in (*fine, *refused):
            with connect(fake, version=version) as api:
                assert api.get("/api/tags/").status_code == (200 if version in fine else 406)
        with connect(fake, token="wrong", version=99) as api:
            assert api.get("/api/tags/").status_code == 406


def test_rights_of_a_role(fake: FakePaperless) -> None:
    """A missing right is a 403 in JSON; the settings list the rights there are."""
    token = fake.add_user("bot", permissions={"view_document", "view_uisettings", "view_note"})
    number = fake.add_document()
    with connect(fake, token) as bot:
        told = bot.get("/api/ui_settings/").json()
        assert told["user"]["username"] == "bot" and told["user"]["is_superuser"] is False
        assert told["permissions"] == ["view_document", "view_note", "view_uisettings"]
        assert bot.get(f"/api/documents/{number}/").status_code == 200
        words = {"detail": "You do not have permission to perform this action."}
        note = bot.post(f"/api/documents/{number}/notes/", json={"note": "n"})
        assert (note.status_code, note.json()) == (403, words)
        assert bot.post("/api/tags/", json={"name": "x"}).json() == words
        edit = {"documents": [number], "method": "delete", "parameters": {}}
        refused = bot.post("/api/documents/bulk_edit/", json=edit)
        assert refused.status_code == 403 and refused.text == "Insufficient permissions"


def test_obtaining_a_token_is_throttled_in_3(fake: FakePaperless) -> None:
    """Five a minute, then 429 with Retry-After; 2.20 has no limit."""
    fake.add_user("anna", password="secret", token="t")
    url = f"{fake.url}/api/token/"
    assert httpx.post(url, json={"username": "anna", "password": "secret"}).json() == {"token": "t"}
    for _ in range(4):
        assert httpx.post(url, json={"username": "anna", "password": "no"}).status_code == 400
    limited = httpx.post(url, json={"username": "anna", "password": "secret"})
    assert limited.status_code == 429 and limited.headers["retry-after"]


def test_hosts_and_paths() -> None:
    """A Host that is not allowed is a 400 in HTML, ``localhost`` always works; sub-paths work."""
    with FakePaperless(allowed_hosts=["docs.example"], script_name="/paperless/") as fake:
        fake.add_document()
        fake.add_document()
        port = fake.url.split(":")[2].split("/")[0]
        headers = {"Authorization": f"Token {fake.token}"}
        refused = httpx.get(f"{fake.url}/api/tags/", headers=headers)
        assert refused.status_code == 400 and refused.headers["content-type"].startswith("text/html")
        named = {**headers, "Host": "docs.example"}
        page = httpx.get(f"{fake.url}/api/documents/?page_size=1", headers=named).json()
        assert page["next"].startswith("http://docs.example/paperless/api/documents/")
        local = {**headers, "Host": f"localhost:{port}"}
        assert httpx.get(f"http://127.0.0.1:{port}/api/tags/", headers=local).status_code == 404


def test_the_root_of_the_api_is_a_redirect(api: httpx.Client) -> None:
    """``/api/`` leads to an HTML page: nothing to check a connection with."""
    assert api.get("/api/").headers["location"] == "schema/view/"


# faults


def test_stand_in_answers_come_in_order(fake: FakePaperless, api: httpx.Client) -> None:
    """Each as often as ordered, then the honest answer."""
    fake.faults.add("GET", "/api/documents/", BAD_GATEWAY)
    fake.faults.add("GET", "/api/documents/", LOGIN_PAGE)
    late = fake.faults.add("*", "/api/", UNAUTHORIZED, times=None, skip=1)
    answers = [api.get("/api/documents/") for _ in range(5)]
    assert [answer.status_code for answer in answers] == [502, 200, 200, 401, 401]
    assert answers[1].text.startswith("<!doctype html>") and answers[2].json()["count"] == 0
    assert late.hits == 2
    fake.faults.clear()
    assert api.get("/api/documents/").status_code == 200


def test_a_note_not_saved(fake: FakePaperless, api: httpx.Client) -> None:
    """The 200 with an error, on order and without effect."""
    number = fake.add_document()
    fake.faults.add("POST", "/notes/", NOTE_NOT_SAVED)
    answer = api.post(f"/api/documents/{number}/notes/", json={"note": "n"})
    assert answer.status_code == 200 and "error" in answer.json() and fake.document(number).notes == ()


def test_cut_and_dropped_connections(fake: FakePaperless, api: httpx.Client) -> None:
    """Cut in mid-body; dropped before or after the write took place."""
    number = fake.add_document(content="x" * 1000)
    fake.faults.add("GET", "page=1", Cut(0.5))
    with pytest.raises(httpx.RemoteProtocolError):
        api.get("/api/documents/?page=1")
    for done in (False, True):
        fake.faults.add("POST", "/notes/", Drop(done=done))
        with pytest.raises(httpx.RemoteProtocolError):
            api.post(f"/api/documents/{number}/notes/", json={"note": str(done)})
    assert fake.document(number).notes == ("True",)
    assert [seen.status for seen in fake.writes] == [0, 0]


def test_a_compressed_answer_cut_short(fake: FakePaperless, api: httpx.Client) -> None:
    """With gzip a cut shows up as another error of the client's."""
    fake.compress = True
    fake.add_document(content="word " * 500)
    assert api.get("/api/documents/").headers["content-encoding"] == "gzip"
    fake.faults.add("GET", "/api/documents/", Cut(0.5))
    with pytest.raises((httpx.RemoteProtocolError, httpx.DecodingError)):
        api.get("/api/documents/")


def test_a_slow_server(fake: FakePaperless, api: httpx.Client) -> None:
    """Slower than the client's patience; closing the fake does not wait for it."""
    fake.faults.add("GET", "/api/tags/", Delay(30))
    with pytest.raises(httpx.ReadTimeout):
        api.get("/api/tags/", timeout=0.05)


def test_somebody_acts_in_between(fake: FakePaperless, api: httpx.Client) -> None:
    """A document deleted between fetch and write, a tag set just after."""
    number, tag = fake.add_document(), fake.add_tag("t")
    edit = {"documents": [number], "method": "add_tag", "parameters": {"tag": tag}}
    fake.faults.add("POST", "/bulk_edit/", Before(lambda: fake.trash(number)))
    assert api.post("/api/documents/bulk_edit/", json=edit).status_code == 400
    fake.restore(number)
    fake.faults.add("POST", "/bulk_edit/", After(lambda: fake.tag(number, "by hand")))
    assert api.post("/api/documents/bulk_edit/", json=edit).status_code == 200
    assert fake.document(number).tags == {"t", "by hand"}


def test_down_and_up_at_the_same_port(fake: FakePaperless, api: httpx.Client) -> None:
    """Refused while down, also on a connection kept alive; back with everything it knew."""
    number, url = fake.add_document(), fake.url
    assert api.get(f"/api/documents/{number}/").status_code == 200
    fake.down()
    for _ in range(2):
        with pytest.raises(httpx.TransportError):
            api.get(f"/api/documents/{number}/")
    fake.up()
    assert fake.url == url and api.get(f"/api/documents/{number}/").status_code == 200


def test_requests_are_recorded(fake: FakePaperless, api: httpx.Client) -> None:
    """Method, path, query, body, status and user of each; writes are the rest of the GETs."""
    api.get("/api/tags/?name__iexact=x")
    api.post("/api/tags/", json={"name": "x"})
    assert fake.requests[0] == ("GET", "/api/tags/", {"name__iexact": "x"}, None, 200, "admin")
    assert fake.writes == [("POST", "/api/tags/", {}, {"name": "x"}, 201, "admin")]
    fake.forget_requests()
    assert fake.requests == []


def test_bodies_must_be_json(fake: FakePaperless, api: httpx.Client) -> None:
    """bulk_edit takes no forms; broken JSON is a 400."""
    assert api.post("/api/documents/bulk_edit/", data={"method": "add_tag"}).status_code == 415
    headers = {"Content-Type": "application/json"}
    assert api.post("/api/tags/", content=b"{", headers=headers).status_code == 400
    assert api.put("/api/documents/bulk_edit/", json={}).status_code == 405


def test_many_clients_at_once(fake: FakePaperless) -> None:
    """Twelve parallel add_tag on one document: all kept."""
    number = fake.add_document()
    tags = [fake.add_tag(f"t{place}") for place in range(12)]

    def add(tag: int) -> None:
        with connect(fake) as api:
            edit = {"documents": [number], "method": "add_tag", "parameters": {"tag": tag}}
            api.post("/api/documents/bulk_edit/", json=edit).raise_for_status()

    threads = [threading.Thread(target=add, args=(tag,)) for tag in tags]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(fake.document(number).tags) == 12


# the command


def test_run_as_a_command(tmp_path: Path) -> None:
    """``python -m tests.fakes`` prints its URL, serves the archive it was given, and stops on SIGTERM."""
    archive = tmp_path / "docs.jsonl"
    rows = [
        {"title": "Letter", "content": "Dear Sir", "tags": ["a"]},
        {"id": 7, "content": "x", "owner": "anna"},
    ]
    archive.write_text("".join(json.dumps(row) + "\n" for row in rows))
    command = [sys.executable, "-m", "tests.fakes", "--archive", str(archive), "--version", "2"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        answer = httpx.get(f"{url}/api/documents/", headers={"Authorization": f"Token {DEFAULT_TOKEN}"})
        process.send_signal(signal.SIGTERM)
    assert answer.headers["x-version"] == "2.20.15"
    assert sorted(row["id"] for row in answer.json()["results"]) == [1, 7]
    assert process.returncode == 0
