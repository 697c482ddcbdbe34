"""A request that is refused, and the body of one that is not."""

from __future__ import annotations

import asyncio

from starlette.requests import ClientDisconnect, Request


class RefusedRequestError(Exception):
    """Answered with this status; `text` contains nothing of the request."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(status, text)
        self.status, self.text = status, text


async def body_of(request: Request, *, most_bytes: int, within_s: float) -> bytes:
    """Refused at once if it is announced as larger, else as soon as it becomes larger or takes too long."""
    announced = request.headers.get("content-length", "0")
    if not announced.isdecimal() or int(announced[:20]) > most_bytes:
        raise RefusedRequestError(413, f"more than {most_bytes} bytes")
    body = bytearray()
    try:
        async with asyncio.timeout(within_s):
            async for chunk in request.stream():
                body += chunk
                if len(body) > most_bytes:
                    raise RefusedRequestError(413, f"more than {most_bytes} bytes")
    except TimeoutError:
        raise RefusedRequestError(408, f"the body was not complete within {within_s:g} s") from None
    except ClientDisconnect:
        raise RefusedRequestError(400, "the connection closed before the body was complete") from None
    return bytes(body)
