"""A plain httpx client for a running fake, for the fake's own tests and for looking at it by hand."""

from __future__ import annotations

import ssl

import httpx

from .paperless import FakePaperless

_NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # spares every client reading the CA bundle, some 25 ms


def connect(fake: FakePaperless, token: str | None = None, version: int = 9) -> httpx.Client:
    """Speaks as the superuser, or as whoever the token belongs to."""
    headers = {
        "Authorization": f"Token {token or fake.token}",
        "Accept": f"application/json; version={version}",
    }
    return httpx.Client(base_url=fake.url, headers=headers, verify=_NO_TLS)
