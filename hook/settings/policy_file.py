"""The policy file: TOML with thresholds and caps by name; what is not in it keeps its built-in value."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from dedupe_core.policy import DEFAULT, Policy
from hook.errors import SettingsError

if TYPE_CHECKING:
    from hook.settings.model import Settings


FILE: Final = "policy.toml"  # in the index directory, written by `tune --apply`


def policy_path(settings: Settings) -> Path | None:
    """The file that the settings name, else the one written by `tune --apply`, if there is one."""
    if settings.policy_file is not None:
        return settings.policy_file
    tuned = settings.index_dir / FILE
    return tuned if tuned.exists() else None


def write_policy(path: Path, **values: float) -> None:
    """Set some values and keep the others; the file is replaced atomically."""
    import tomllib

    kept = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    lines = [f"{name} = {value}" for name, value in sorted({**kept, **values}.items())]
    temporary = path.with_name(f".{path.name}")
    try:
        temporary.write_text(
            "\n".join(["# Written by `paperless-dedupe tune --apply`.", *lines, ""]), "utf-8"
        )
        load_policy(temporary)
        temporary.replace(path)
    except OSError as error:
        raise SettingsError(f"{path} cannot be written ({error.strerror}).") from error


def load_policy(path: Path | None) -> Policy:
    """One line per value: `flag_threshold = 0.7`. An unknown name is refused."""
    if path is None:
        return DEFAULT
    import tomllib  # only where there is such a file

    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"DEDUPE_POLICY_FILE: {path} cannot be read ({error.strerror}).") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"DEDUPE_POLICY_FILE: {path} is not valid TOML ({error}).") from error
    known = {field.name: type(getattr(DEFAULT, field.name)) for field in fields(Policy)}
    for name, value in values.items():
        if name not in known:
            raise SettingsError(
                f"DEDUPE_POLICY_FILE: {name} is not a policy value; there are {', '.join(known)}."
            )
        if isinstance(value, bool) or not isinstance(value, known[name] | int):
            raise SettingsError(f"DEDUPE_POLICY_FILE: {name} must be a number like {getattr(DEFAULT, name)}.")
    return replace(DEFAULT, **values)
