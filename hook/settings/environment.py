"""Environment variables, `.env` file and secret files as plain values; settings.py says what they mean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from dotenv import dotenv_values

from hook.errors import SettingsError

PREFIX: Final = "DEDUPE_"
ENV_FILE: Final = "DEDUPE_ENV_FILE"
# In order of precedence; each also with _FILE. Other add-ons of Paperless use the last two names.
SECRETS: Final = {
    "token": ("DEDUPE_TOKEN", "PAPERLESS_API_TOKEN", "PAPERLESS_TOKEN"),
    "secret": ("DEDUPE_SECRET",),
}
CONTAINER_DATA: Final = Path("/usr/src/paperless/data")  # the volume of Paperless's own image
MAX_SECRET_BYTES: Final = 65_536

_SECRET_NAMES: Final = frozenset(
    name + form for names in SECRETS.values() for name in names for form in ("", "_FILE")
)
# Kubernetes and Docker links set these for a service that is called "dedupe": they are no misspelling.
_SERVICE_LINK: Final = re.compile(r"DEDUPE_(SERVICE_(HOST|PORT)\w*|PORT(_\d+_(TCP|UDP)\w*)?)")


def variables(environ: Mapping[str, str], directory: Path) -> dict[str, str]:
    """What is set, the environment over the `.env` file; "" and Paperless's "None" count as not set."""
    from_file = {name: value for name, value in _env_file(environ, directory).items() if _is_ours(name)}
    return {**_present(from_file), **_present(environ)}


def secret(name: str, variables: Mapping[str, str]) -> str | None:
    """A secret by the first of its names that is set, itself or as the file that holds it."""
    for variable in SECRETS[name]:
        if variable in variables:
            return variables[variable].strip()
        if (form := f"{variable}_FILE") in variables:
            return _secret_file(form, Path(variables[form]))
    return None


def default_url(environ: Mapping[str, str]) -> str:
    """Paperless beside us. `localhost` is the one name that PAPERLESS_ALLOWED_HOSTS can never exclude."""
    present = _present(environ)
    port = present.get("PAPERLESS_PORT", "")
    path = present.get("PAPERLESS_FORCE_SCRIPT_NAME", "").strip("/")
    # Kubernetes sets PAPERLESS_PORT=tcp://10.0.0.7:8000 for a service that is called "paperless".
    return f"http://localhost:{port if port.isdecimal() else 8000}" + (f"/{path}" if path else "")


def default_index_dir(environ: Mapping[str, str], *, container_data: Path = CONTAINER_DATA) -> Path:
    """Beside Paperless's own data where there is its volume, else where programs of this user keep theirs."""
    if container_data.is_dir():
        return container_data / "dedupe"
    present = _present(environ)
    if data_home := present.get("XDG_DATA_HOME"):
        return Path(data_home) / "paperless-dedupe"
    if home := present.get("HOME"):
        return Path(home) / ".local" / "share" / "paperless-dedupe"
    raise SettingsError("No place for the index: there is no home directory. Set DEDUPE_INDEX_DIR.")


def misspelt(environ: Mapping[str, str], directory: Path, known: Iterable[str]) -> list[str]:
    """A message for each DEDUPE_ variable that means nothing, with the name that may be meant."""
    names = sorted({*known, ENV_FILE, *(name for name in _SECRET_NAMES if name.startswith(PREFIX))})
    found = {name for name in (*_env_file(environ, directory), *environ) if name.upper().startswith(PREFIX)}
    return [
        _suggestion(name, names)
        for name in sorted(found)
        if name not in names and not _SERVICE_LINK.fullmatch(name)
    ]


def _suggestion(name: str, names: list[str]) -> str:
    import difflib  # only where something is wrong

    endings = [known.removeprefix(PREFIX) for known in names]  # the common prefix would make all look alike
    near = difflib.get_close_matches(name.upper().removeprefix(PREFIX), endings, n=1, cutoff=0.6)
    advice = f"did you mean {PREFIX}{near[0]}?" if near else "the README has a table of all settings."
    return f"{name} is not a setting: {advice}"


def _is_ours(name: str) -> bool:
    return name.startswith(PREFIX) or name in _SECRET_NAMES


def _present(values: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in values.items() if value.strip() not in ("", "None")}


def _env_file(environ: Mapping[str, str], directory: Path) -> dict[str, str]:
    """The file named by DEDUPE_ENV_FILE, which must be readable, or a `.env` in `directory`, which may be."""
    named = _present(environ).get(ENV_FILE)
    path = Path(named) if named else directory / ".env"
    try:
        with path.open(encoding="utf-8") as lines:
            # Not interpolated: that would read the process's environment, and a secret may contain a $.
            return {
                name: value or "" for name, value in dotenv_values(stream=lines, interpolate=False).items()
            }
    except (OSError, UnicodeDecodeError) as error:
        if not named:
            return {}
        raise SettingsError(
            f"{ENV_FILE}: {path} cannot be read. Correct the path or its permissions."
        ) from error


def _secret_file(variable: str, path: Path) -> str:
    try:
        with path.open("rb") as file:
            value = file.read(MAX_SECRET_BYTES).decode("utf-8").strip()
    except OSError as error:
        raise SettingsError(f"{variable}: {path} cannot be read ({error.strerror}).") from error
    except UnicodeDecodeError:
        raise SettingsError(
            f"{variable}: {path} is not a text file."
        ) from None  # the error repeats the bytes
    if not value:
        raise SettingsError(f"{variable}: {path} is empty.")
    return value
