"""GET /similar/ID?overlap=20&probability=80: what `find` tells, over HTTP. Never a word of a document's text."""

from __future__ import annotations

from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from dedupe_core.fingerprint.query import Ask
from hook.errors import IndexFault
from hook.findings.find import BadQuestion, asked, find
from hook.index.archive import NotIndexed
from hook.index.overlap import Question
from hook.service.app import Door
from hook.session import open_archive
from hook.settings.model import Settings

PATH: Final = "/similar/{document}"
WAIT_S: Final = 2.0  # for an index that is being written; then the caller is told to come again


def similar_door(settings: Settings) -> Door:
    """The index is opened for each question, in the thread that answers it: it belongs to one thread."""

    def answer(number: int, question: Question) -> dict[str, Any]:
        with open_archive(settings, create=False, timeout_s=WAIT_S) as archive:
            return find(archive, settings, number, question)

    async def similar(request: Request) -> Response:
        try:
            number, question = _asked(request)
            return JSONResponse(await run_in_threadpool(answer, number, question))
        except BadQuestion as error:
            return PlainTextResponse(f"{error}\n", 400)
        except NotIndexed as error:
            return PlainTextResponse(f"{error}\n", 404)
        except IndexFault as error:
            return PlainTextResponse(f"{error}\n", 503)

    return Door("GET", PATH, similar)


def _asked(request: Request) -> tuple[int, Question]:
    given = request.query_params
    try:
        ask = Ask(given.get("ask", Ask.OVERLAPPING))
    except ValueError:
        raise BadQuestion(f"ask is one of {', '.join(Ask)}") from None
    number, question = asked(
        request.path_params["document"],
        _percentage(given.get("overlap")),
        _percentage(given.get("probability")),
        ask,
    )
    assert number is not None  # the path has one
    return number, question


def _percentage(value: str | None) -> int | None:
    if not value:
        return None
    if not (value.isascii() and value.isdigit() and len(value) <= 3):
        raise BadQuestion("overlap and probability are percentages from 1 to 100")
    return int(value)
