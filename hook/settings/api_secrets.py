"""The secrets of the API: one for reading, one for deciding."""

from __future__ import annotations

from dataclasses import dataclass, field

from hook.errors import SettingsError
from hook.settings.environment import variable_of
from hook.settings.model import Settings
from hook.settings.types import sendable


@dataclass(frozen=True, slots=True)
class ApiSecrets:
    """None: this part of the API is off."""

    read: str | None = field(repr=False)
    decide: str | None = field(repr=False)

    @classmethod
    def of(cls, settings: Settings) -> ApiSecrets:
        """No two are the same, nor that of the events: whoever may see a workflow of Paperless can read it."""
        seen: dict[str, str] = {}
        for name in ("secret", "read_secret", "decide_secret"):
            secret = sendable(variable_of(name), getattr(settings, name))
            if secret in seen:
                raise SettingsError(f"{variable_of(name)} must not be the same as {seen[secret]}")
            if secret is not None:
                seen[secret] = variable_of(name)
        given = {name: secret for secret, name in seen.items()}
        return cls(given.get(variable_of("read_secret")), given.get(variable_of("decide_secret")))
