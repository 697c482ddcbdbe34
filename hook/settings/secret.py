"""The secret that webhooks and the courier share with the service."""

from __future__ import annotations

from typing import Final

from hook.errors import SettingsError
from hook.settings.model import Settings

SECRET_HEADER: Final = "X-Dedupe-Secret"


def secret_of(settings: Settings) -> str | None:
    """The shared secret; one that cannot be the value of a header is refused here, not at each request."""
    secret = settings.secret.get_secret_value() if settings.secret else None
    if secret is not None and not (
        secret and secret.isascii() and secret.isprintable() and secret.strip() == secret
    ):
        raise SettingsError(
            "DEDUPE_SECRET must consist of printable ASCII characters: `openssl rand -hex 24`"
        )
    return secret
