"""Reads the settings; environment.py says from where."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pydantic import ValidationError

from hook.errors import SettingsError
from hook.settings import environment
from hook.settings.environment import variable_of
from hook.settings.model import Settings

_PLAIN_WORDS: Final = {  # instead of pydantic's messages that do not say what is allowed
    "bool_parsing": "must be true or false",
    "int_parsing": "must be a whole number",
    "float_parsing": "must be a number",
    "extra_forbidden": "is not a setting",
}


def load_settings(environ: Mapping[str, str]) -> Settings:
    """The settings in `environ` and in the file that DEDUPE_ENV_FILE names."""
    try:
        return Settings(**environment.values(environ, Settings.model_fields))
    except ValidationError as error:
        # A default that could not be computed is the consequence of another problem, which is listed.
        problems = [entry for entry in error.errors() if entry["type"] != "default_factory_not_called"]
        raise SettingsError("; ".join(map(_problem, problems))) from error


def unknown_variables(environ: Mapping[str, str]) -> list[str]:
    """A message for each DEDUPE_ variable that is not a setting: commands refuse to start, the hook warns."""
    return environment.misspelt(environ, map(variable_of, Settings.model_fields))


def _problem(entry: Any) -> str:
    """One of pydantic's errors in our words; never the value, which may be a secret in the wrong place."""
    text = _PLAIN_WORDS.get(entry["type"]) or entry["msg"].removeprefix("Value error, ")
    text = text.replace("Input should be", "must be").replace("String should have", "must have")
    return f"{variable_of(str(entry['loc'][0]))} {text}" if entry["loc"] else text
