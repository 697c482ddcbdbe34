"""Reads the settings; environment.py says from where."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from hook.errors import SettingsError
from hook.settings import environment
from hook.settings.environment import Environment, variable_of
from hook.settings.model import Settings

_PLAIN_WORDS: Final = {  # instead of pydantic's messages that do not say what is allowed
    "bool_parsing": "must be true or false",
    "int_parsing": "must be a whole number",
    "float_parsing": "must be a number",
    "string_pattern_mismatch": "must be a colour like #e6194b",
    "extra_forbidden": "is not a setting",
}


def load_settings(environ: Mapping[str, str], *, directory: Path = Path()) -> Settings:
    """The settings in `environ` and in the `.env` file that it names or that is in `directory`."""
    try:
        return Settings(**environment.values(Environment(environ, directory), Settings.model_fields))
    except ValidationError as error:
        # A default that could not be computed is the consequence of another problem, which is listed.
        problems = [entry for entry in error.errors() if entry["type"] != "default_factory_not_called"]
        raise SettingsError("; ".join(map(_problem, problems))) from error


def unknown_variables(environ: Mapping[str, str], *, directory: Path = Path()) -> list[str]:
    """A message for each DEDUPE_ variable that is not a setting: commands refuse to start, the hook warns."""
    return environment.misspelt(Environment(environ, directory), map(variable_of, Settings.model_fields))


def ignored_file(environ: Mapping[str, str], *, directory: Path = Path()) -> str:
    """A message if there is a `.env` that is not read, because others could have written it."""
    return environment.ignored_env_file(Environment(environ, directory))


def _problem(entry: Any) -> str:
    """One of pydantic's errors in our words; never the value, which may be a secret in the wrong place."""
    text = _PLAIN_WORDS.get(entry["type"]) or entry["msg"].removeprefix("Value error, ")
    text = text.replace("Input should be", "must be").replace("String should have", "must have")
    return f"{variable_of(str(entry['loc'][0]))} {text}" if entry["loc"] else text
