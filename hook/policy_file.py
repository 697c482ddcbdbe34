"""The policy that a file sets: thresholds and caps by name, the rest as built in."""

from __future__ import annotations

import tomllib
from dataclasses import fields, replace
from pathlib import Path

from dedupe_core.policy import DEFAULT, Policy
from hook.errors import SettingsError


def load_policy(path: Path | None) -> Policy:
    """TOML, one line a value: `flag_threshold = 0.7`. A name that means nothing is refused."""
    if path is None:
        return DEFAULT
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"DEDUPE_POLICY_FILE: {path} cannot be read ({error.strerror}).") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"DEDUPE_POLICY_FILE: {path} is no TOML ({error}).") from error
    known = {field.name: type(getattr(DEFAULT, field.name)) for field in fields(Policy)}
    for name, value in values.items():
        if name not in known:
            raise SettingsError(f"DEDUPE_POLICY_FILE: {name} is none of {', '.join(known)}.")
        if isinstance(value, bool) or not isinstance(value, known[name] | int):
            raise SettingsError(f"DEDUPE_POLICY_FILE: {name} must be a number, as {getattr(DEFAULT, name)}.")
    return replace(DEFAULT, **values)
