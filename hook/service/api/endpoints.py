"""The API for other programs: findings, decisions and similar documents out, decisions in. openapi.json describes it.

Whoever has the secret for reading sees what the token of the service sees; decisions have a secret of their own. Without its
secret, an address does not exist.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import resources
from typing import Any, Final

from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from hook.errors import DedupeError, IndexFault
from hook.examination.archive import NotIndexed
from hook.review_page.decide import ChangedError, NotReadyError
from hook.service.api.answers import PAGING, Api, Query, document_id, wanted_in
from hook.service.app import Endpoint
from hook.service.requests import RefusedRequestError, body_of
from hook.settings.types import text_of

THREADS: Final = 2  # each answer opens the index for itself
BODY_S: Final = 5.0
MAX_BODY_BYTES: Final = 65_536


def api_endpoints(api: Api) -> list[Endpoint]:
    """None whose secret is not set. Decisions are taken one at a time: of two on one document, the second is told so."""
    readers, writer = CapacityLimiter(THREADS), CapacityLimiter(1)
    read, deciding = text_of(api.settings.read_secret), text_of(api.settings.decide_secret)
    text = (resources.files("hook.service.api") / "openapi.json").read_bytes()

    async def description(request: Request) -> Response:
        return Response(text, media_type="application/json")

    async def findings(request: Request) -> Response:
        query = _query(request, "relation", "document", "min_confidence", *PAGING)
        return await _answer(partial(api.findings, query), readers)

    async def decisions(request: Request) -> Response:
        return await _answer(partial(api.decisions, _query(request, *PAGING)), readers)

    async def similar(request: Request) -> Response:
        query, number = _query(request, "ask", "overlap"), document_id(request.path_params["document"])
        return await _answer(partial(api.similar, number, query), readers)

    async def decide(request: Request) -> Response:
        wanted = wanted_in(await body_of(request, most_bytes=MAX_BODY_BYTES, within_s=BODY_S))
        return await _answer(partial(api.decide, wanted), writer, 202)

    made = [
        Endpoint("GET", "/api/openapi.json", description, is_public=True),
        Endpoint("GET", "/api/findings", findings, secret=read),
        Endpoint("GET", "/api/decisions", decisions, secret=read),
        Endpoint("GET", "/api/documents/{document}/similar", similar, secret=read),
        Endpoint("POST", "/api/decisions", decide, secret=deciding),
    ]
    return [endpoint for endpoint in made if endpoint.secret or (endpoint.is_public and (read or deciding))]


async def _answer(
    call: Callable[[], dict[str, Any]], threads: CapacityLimiter, status: int = 200
) -> Response:
    try:
        answer = await to_thread.run_sync(call, limiter=threads)
    except ChangedError as error:
        return PlainTextResponse(f"{_in_the_way(error)}\n", 409)
    except NotIndexed as error:
        raise RefusedRequestError(404, str(error)) from None
    except IndexFault as error:
        raise RefusedRequestError(503, str(error)) from None
    except DedupeError as error:
        raise RefusedRequestError(502, str(error)) from None
    return JSONResponse(answer, status, {"Cache-Control": "no-store"})


def _query(request: Request, *names: str) -> Query:
    """A misspelt filter would list everything."""
    if set(request.query_params) - set(names):
        raise RefusedRequestError(400, f"the parameters are {', '.join(names)}")
    return dict(request.query_params)


def _in_the_way(error: ChangedError) -> str:
    """Without the words that differ: the secret for deciding is not one for reading."""
    lines = error.lines if isinstance(error, NotReadyError) else ()
    reasons = [str(line.reason) for line in lines if line.reason]
    places = sum(len(line.open) for line in lines if not line.reason)
    if places:
        reasons.append(f"the texts differ in {places} places: look at them, then send looked")
    return "; ".join(reasons) or "these are not the findings on this document that wait now"
