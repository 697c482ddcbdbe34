"""The table of settings in docs/reference.md, made from the code; the same on every machine."""

from __future__ import annotations

from typing import Any, Final

from pydantic.fields import FieldInfo

from hook.settings.environment import ENV_FILE, SECRETS, variable_of
from hook.settings.model import Settings
from hook.settings.types import Mark

_SHOWN_DEFAULTS: Final = {  # for defaults that depend on the machine, or have a plainer name
    "url": "`http://localhost:8000`, adjusted to `PAPERLESS_PORT` and `PAPERLESS_FORCE_SCRIPT_NAME`",
    "public_url": "`PAPERLESS_URL` if that is set, else `DEDUPE_URL`",
    "review_url": "`http://localhost` with the port of the service",
    "token": "none; required",
    "index_dir": "`/usr/src/paperless/data/dedupe` in Paperless's container, else "
    "`~/.local/share/paperless-dedupe`",
    "tag_other": "`false`",
    "spool_dir": "`spool` in the index directory",
}


def settings_table() -> str:
    """Markdown: variable, default, meaning; one row per setting, in the order of the code."""
    rows = [_row(name, field) for name, field in Settings.model_fields.items()]
    file_row = f"| `{ENV_FILE}` | `.env` in the current directory | File to read settings from. Without Docker, name Paperless's own `paperless.conf`. |"
    return "\n".join(["| variable | default | meaning |", "|---|---|---|", *rows, file_row]) + "\n"


def _row(name: str, field: FieldInfo) -> str:
    default = _SHOWN_DEFAULTS.get(name) or _shown(field.default)
    return f"| `{variable_of(name)}` | {default} | {field.description}{_range(field)}{_other_names(name)} |"


def _shown(default: Any) -> str:
    if default is None or default == "":
        return "not set"
    if isinstance(default, bool):
        return f"`{str(default).lower()}`"
    if isinstance(default, frozenset):
        return f"`{','.join(mark for mark in Mark if mark in default) or 'nothing'}`"
    return f"`{default}`"


def _range(field: FieldInfo) -> str:
    """The bounds that are checked, in words."""
    low, high = (_bound(field, "ge", "gt"), _bound(field, "le"))
    return f" From {low} to {high}." if high is not None else ""


def _bound(field: FieldInfo, *names: str) -> Any:
    bounds = (getattr(rule, name, None) for rule in field.metadata for name in names)
    return next((bound for bound in bounds if bound is not None), None)


def _other_names(name: str) -> str:
    if name not in SECRETS:
        return ""
    others = " or ".join(f"`{other}`" for other in SECRETS[name][1:])
    return (
        f" Also as {others}." if others else ""
    ) + " With `_FILE` appended to the name: the file that contains it."
