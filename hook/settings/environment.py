"""Where settings come from: environment variables, the file that DEDUPE_ENV_FILE names, secret files and Paperless's own variables.

Only the environment that `load_settings` was given is read. pydantic-settings would read that of the process, and costs 50 ms
of CPU to import, which every document would pay.
"""

from __future__ import annotations

import os
import pwd
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from dotenv import dotenv_values
from pydantic import SecretStr

from hook.errors import SettingsError

PREFIX: Final = "DEDUPE_"
ENV_FILE: Final = "DEDUPE_ENV_FILE"
SECRET_HEADER: Final = "X-Dedupe-Secret"  # carries DEDUPE_SECRET from webhooks to the service
# In order of precedence; each also with _FILE. Other add-ons of Paperless use the last two names.
SECRETS: Final = {
    "token": ("DEDUPE_TOKEN", "PAPERLESS_API_TOKEN", "PAPERLESS_TOKEN"),
    "secret": ("DEDUPE_SECRET",),
    "semantic_key": ("DEDUPE_SEMANTIC_KEY",),
    "read_secret": ("DEDUPE_READ_SECRET",),
    "decide_secret": ("DEDUPE_DECIDE_SECRET",),
}
CONTAINER_DATA: Final = Path("/usr/src/paperless/data")  # the volume of Paperless's own image
MAX_SECRET_BYTES: Final = 65_536

_SECRET_NAMES: Final = frozenset(
    name + form for names in SECRETS.values() for name in names for form in ("", "_FILE")
)
# Kubernetes and Docker links set these for a service that is called "dedupe": they are not misspelt settings.
_SERVICE_LINK: Final = re.compile(r"DEDUPE_(SERVICE_(HOST|PORT)\w*|PORT(_\d+_(TCP|UDP)\w*)?)")


def values(environ: Mapping[str, str], names: Iterable[str]) -> dict[str, Any]:
    """By setting: what is set for us, else what follows from Paperless's variables."""
    ours, paperless = _ours(environ), paperless_variables(environ)
    values: dict[str, Any] = {}
    for name in names:
        value: object = secret(name, ours) if name in SECRETS else ours.get(variable_of(name))
        if value is None and name in _DERIVED:
            value = _DERIVED[name](paperless)
        if value is not None:
            values[name] = value
    return values


def variable_of(name: str) -> str:
    """The variable of a setting."""
    return PREFIX + name.upper()


def _ours(environ: Mapping[str, str]) -> dict[str, str]:
    """What is set, the environment over the file; "" and Paperless's "None" count as not set."""
    from_file = _env_file(environ)
    ours = {name: from_file[name] for name in from_file if name.startswith(PREFIX) or name in _SECRET_NAMES}
    return {**_present(ours), **_present(environ)}


def paperless_variables(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment plus the PAPERLESS_ variables of the file named by DEDUPE_ENV_FILE, which may be paperless.conf."""
    from_file = {name: value for name, value in _env_file(environ).items() if name.startswith("PAPERLESS_")}
    return {**from_file, **environ}


def secret(name: str, variables: Mapping[str, str]) -> SecretStr | None:
    """A secret by the first of its names that is set, itself or as the file that holds it."""
    for variable in SECRETS[name]:
        if variable in variables:
            return SecretStr(variables[variable].strip())
        if (form := f"{variable}_FILE") in variables:
            return SecretStr(_secret_file(form, Path(variables[form])))
    return None


def default_url(environ: Mapping[str, str]) -> str:
    """Paperless on this host. `localhost` is the one name that PAPERLESS_ALLOWED_HOSTS can never exclude."""
    present = _present(environ)
    port = present.get("PAPERLESS_PORT", "")
    path = present.get("PAPERLESS_FORCE_SCRIPT_NAME", "").strip("/")
    # Kubernetes sets PAPERLESS_PORT=tcp://10.0.0.7:8000 for a service that is called "paperless".
    return f"http://localhost:{port if port.isdecimal() else 8000}" + (f"/{path}" if path else "")


def default_public_url(environ: Mapping[str, str]) -> str | None:
    """The public address that Paperless has for itself; one that is not an address is left out, not refused."""
    url = _present(environ).get("PAPERLESS_URL", "").rstrip("/")
    path = _present(environ).get("PAPERLESS_FORCE_SCRIPT_NAME", "").strip("/")
    if not re.fullmatch(r"https?://[^\s/?#@]+", url):
        return None
    return f"{url}/{path}" if path else url


def home_of_user() -> str:
    """As the system knows it, empty if it does not know the user. systemd sets no HOME for a unit without `User=`."""
    try:
        return pwd.getpwuid(os.geteuid()).pw_dir
    except KeyError:
        return ""


def default_index_dir(
    environ: Mapping[str, str],
    *,
    container_data: Path = CONTAINER_DATA,
    home_of: Callable[[], str] = home_of_user,
) -> Path:
    """Beside Paperless's own data if its volume is mounted, else in the home directory of the user."""
    if container_data.is_dir():
        return container_data / "dedupe"
    if home := _present(environ).get("HOME") or home_of():
        return Path(home) / ".local" / "share" / "paperless-dedupe"
    raise SettingsError("There is no home directory to keep the index in. Set DEDUPE_INDEX_DIR.")


_DERIVED: Final[Mapping[str, Callable[[Mapping[str, str]], object]]] = {
    "url": default_url,
    "public_url": default_public_url,
    "index_dir": default_index_dir,
}


def misspelt(environ: Mapping[str, str], known: Iterable[str]) -> list[str]:
    """A message for each DEDUPE_ variable that is not a setting, with the name that may be meant."""
    names = sorted({*known, ENV_FILE, *(name for name in _SECRET_NAMES if name.startswith(PREFIX))})
    return [
        _suggestion(name, names)
        for name in sorted({*_env_file(environ), *environ})
        if name.upper().startswith(PREFIX) and name not in names and not _SERVICE_LINK.fullmatch(name)
    ]


def _suggestion(name: str, names: list[str]) -> str:
    import difflib  # only where something is wrong

    endings = [known.removeprefix(PREFIX) for known in names]  # the common prefix would make all look alike
    near = difflib.get_close_matches(name.upper().removeprefix(PREFIX), endings, n=1, cutoff=0.6)
    advice = f"did you mean {PREFIX}{near[0]}?" if near else "docs/settings.md lists all settings."
    return f"{name} is not a setting: {advice}"


def _present(values: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in values.items() if value.strip() not in ("", "None")}


def _env_file(environ: Mapping[str, str]) -> dict[str, str]:
    """The file that DEDUPE_ENV_FILE names."""
    if (path := _present(environ).get(ENV_FILE)) is None:
        return {}
    try:
        with Path(path).open(encoding="utf-8") as lines:
            # Not interpolated: that would read the process's environment, and a secret may contain a $.
            values = dotenv_values(stream=lines, interpolate=False)
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"{ENV_FILE}: {path} cannot be read. Correct the path or its permissions."
        ) from error
    return {name: value or "" for name, value in values.items()}


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
