"""The tables of settings in docs/settings.md, made from the code; the same on every machine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pydantic.fields import FieldInfo

from hook.settings.environment import ENV_FILE, SECRETS, variable_of
from hook.settings.model import Settings
from hook.settings.types import Mark

_HEAD: Final = "| variable | default | meaning |\n|---|---|---|\n"
_SHOWN_DEFAULTS: Final = {  # for defaults that depend on the machine, or have a plainer name
    "url": "`http://localhost:8000`, adjusted to `PAPERLESS_PORT` and `PAPERLESS_FORCE_SCRIPT_NAME`",
    "public_url": "`PAPERLESS_URL` if that is set, else `DEDUPE_URL`",
    "review_url": "`http://localhost` with the port of the service",
    "token": "none; required",
    "index_dir": "`/usr/src/paperless/data/dedupe` in Paperless's container, else "
    "`~/.local/share/paperless-dedupe`",
    "tag_other": "`false`",
}


_FIRST: Final = (
    "url",
    "token",
    "public_url",
    "language",
    "review",
    "review_url",
    "on_confirm",
    "flag_threshold",
    "scope",
    "index_dir",
)
_GROUPS: Final[Mapping[str, tuple[str, ...]]] = {  # names, or how they begin
    "Connection": ("ca_file", "timeout_s", "deadline_s", "next_script", "log_"),
    "What is written": (
        *("on_identical", "on_rescan", "on_revision", "on_contained", "on_translated"),
        *("tag_other", "link_field", "sure_threshold", "tag_"),
    ),
    "Decisions": ("on_confirm_", "trash_same_file"),
    "Service and review page": (
        *("serve_", "secret", "read_secret", "decide_secret", "trusted_proxies", "sweep_minutes"),
    ),
    "Index and verdicts": ("index_url", "recipe", "policy_file", "ink"),
    "Semantic tier": ("semantic",),
}


def settings_table() -> str:
    """Markdown: the settings that matter first, then the others by group; each once."""
    groups = {"The ten that matter": list(_FIRST), **{title: [] for title in _GROUPS}}
    for name in Settings.model_fields:
        if name not in _FIRST:
            groups[_group_of(name)].append(name)
    parts = [f"## {title}\n\n{_HEAD}{''.join(map(_row, names))}" for title, names in groups.items()]
    parts[1] += (
        f"| `{ENV_FILE}` | not set | File to read settings from. Without Docker, name "
        "Paperless's own `paperless.conf`. |\n"
    )
    return "\n".join(parts)


def _group_of(name: str) -> str:
    """The group that has the longest beginning of it."""
    found = [
        (len(start), title) for title, starts in _GROUPS.items() for start in starts if name.startswith(start)
    ]
    return max(found)[1]


def _row(name: str) -> str:
    field = Settings.model_fields[name]
    default = _SHOWN_DEFAULTS.get(name) or _shown(field.default)
    return f"| `{variable_of(name)}` | {default} | {field.description}{_range(field)}{_other_names(name)} |\n"


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
