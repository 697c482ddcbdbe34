"""What a command works with: settings from the environment, the index they name, a client."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace

from dedupe_core import recipe as recipes
from dedupe_core.policy import Policy
from hook.errors import SettingsError
from hook.index.archive import Archive
from hook.paperless.client import Paperless, connect
from hook.settings.model import Settings, load_settings, unknown_variables
from hook.settings.policy_file import Parameters, load_parameters, policy_path


@dataclass(frozen=True, slots=True)
class Session:
    """`warn` takes a line for the person who is looking on."""

    settings: Settings
    archive: Archive
    client: Paperless
    warn: Callable[[str], None]


def settings_of(environ: Mapping[str, str]) -> Settings:
    """A command refuses to start with a variable that means nothing: it would do other than was meant."""
    if problems := unknown_variables(environ):
        raise SettingsError(" ".join(problems))
    return load_settings(environ)


@contextmanager
def opened(
    settings: Settings, *, rebuild: bool = False, warn: Callable[[str], None] = lambda line: None
) -> Iterator[Session]:
    """The client first: without a token or an address, no index is made or emptied."""
    with connect(settings) as client, open_archive(settings, rebuild=rebuild) as archive:
        yield Session(settings, archive, client, warn)


def open_archive(
    settings: Settings, *, create: bool = True, rebuild: bool = False, timeout_s: float = 10.0
) -> Archive:
    """The index, with the recipe and the policy that the settings name; `rebuild` empties it."""
    found = parameters_of(settings)
    recipe, policy, classical = found.recipe, found.policy, found.classical
    if rebuild:
        return Archive.rebuild(settings.index_dir, recipe, policy, classical=classical, timeout_s=timeout_s)
    return Archive.open(
        settings.index_dir, recipe, policy, classical=classical, create=create, timeout_s=timeout_s
    )


def parameters_of(settings: Settings) -> Parameters:
    """Those of the policy file, with the named recipe and the threshold of the environment if these are set."""
    try:
        named = recipes.by_name(settings.recipe) if settings.recipe else recipes.DEFAULT
    except recipes.RecipeError as error:
        raise SettingsError(f"DEDUPE_RECIPE: {error}") from error
    found = load_parameters(policy_path(settings), named)
    threshold = settings.flag_threshold
    return (
        found if threshold is None else replace(found, policy=replace(found.policy, flag_threshold=threshold))
    )


def policy_of(settings: Settings) -> Policy:
    return parameters_of(settings).policy


def recipe_of(settings: Settings) -> recipes.Recipe:
    return parameters_of(settings).recipe
