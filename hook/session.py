"""What a run works with: settings, a client for Paperless, the index, and what is stored beside the documents.

The journal of review is not here: only hook/review reads or writes it, and that is built on top of a session.
"""

from __future__ import annotations

import importlib.util
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from dedupe_core import recipe as recipes
from hook.deadline import Deadline
from hook.errors import IndexFault, SettingsError, index_fault
from hook.examination.archive import Archive
from hook.findings.decisions import Decisions
from hook.findings.examine import Examiner
from hook.findings.findings import Findings
from hook.findings.write import Writer
from hook.paperless.client import Paperless
from hook.paperless.client import connect as connect_to_paperless
from hook.paperless.labels import Labels
from hook.queue import Queue
from hook.semantic.factory import leaves_machine, semantic_tier
from hook.settings.loading import load_settings, unknown_variables
from hook.settings.model import Settings
from hook.settings.policy_file import Parameters, load_parameters
from hook.settings.types import LookAtPages

if TYPE_CHECKING:
    from hook.ink.inspector import Inspector
    from hook.ink.seen import SeenPairs
    from hook.semantic.embedder import Embedder
    from hook.semantic.tier import SemanticTier
    from hook.settings.address import Address

INDEX_WAIT_S: Final = 10.0  # for the lock of another process

Connect = Callable[[Settings, Deadline], Paperless]

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Session:
    """Belongs to the thread that opened the archive. `warn` takes a line for the user."""

    settings: Settings
    client: Paperless
    archive: Archive
    queue: Queue
    deadline: Deadline = field(default_factory=Deadline.never)
    warn: Callable[[str], None] = log.warning
    embedder: Embedder | None = None  # one that a long-lived process keeps warm
    inspector: Inspector | None = None  # looks at pages, where somebody has the time

    @cached_property
    def findings(self) -> Findings:
        return Findings(self.archive.index)

    @cached_property
    def decisions(self) -> Decisions:
        return Decisions(self.archive.index)

    @cached_property
    def labels(self) -> Labels:
        return Labels(self.client, self.settings, self.archive.index)

    @cached_property
    def examiner(self) -> Examiner:
        return Examiner(self.archive, self.settings, self.findings, self.decisions, self.semantic, self.seen)

    @cached_property
    def seen(self) -> SeenPairs | None:
        """What was seen on pages; also without the extra, if another process that has it has looked."""
        if self.settings.ink is LookAtPages.OFF:
            return None
        from hook.ink.seen import SeenPairs

        return SeenPairs(self.archive.index)

    @cached_property
    def semantic(self) -> SemanticTier | None:
        """The semantic tier, if it is on: made when it is first needed, so that nothing is imported for it before."""
        try:
            return semantic_tier(self.settings, self.archive, self.deadline, self.embedder)
        except SettingsError as error:  # the other tiers do their work
            self.warn(str(error))
            return None

    @cached_property
    def writer(self) -> Writer:
        return Writer(
            *(self.client, self.archive, self.settings, self.findings, self.labels, self.decisions),
            deadline=self.deadline,
            warn=self.warn,
        )

    def examine_later(self, document_id: int, reason: str = "") -> None:
        """Puts a document into the queue: the next run examines it."""
        try:
            self.queue.add(document_id, reason)
        except OSError as error:
            raise index_fault(error, self.settings.index_dir) from error

    def within(self, deadline: Deadline) -> Session:
        """The same under another deadline. Labels are read again: they may have changed since."""
        return replace(self, client=self.client.within(deadline), deadline=deadline)


def settings_of(environ: Mapping[str, str]) -> Settings:
    """Raises SettingsError for an unknown variable: a misspelt name would leave a default in place."""
    if problems := unknown_variables(environ):
        raise SettingsError(" ".join(problems))
    return load_settings(environ)


@contextmanager
def opened(
    settings: Settings,
    *,
    deadline: Deadline | None = None,
    queue: Queue | None = None,
    warn: Callable[[str], None] = log.warning,
    connect: Connect = connect_to_paperless,
    embedder: Embedder | None = None,
    inspector: Inspector | None = None,
    empty: bool = False,
    create: bool = True,
) -> Iterator[Session]:
    """The client first: without a token or an address, no index is created. `empty` drops the documents of the index.
    `create=False` for what only reads: IndexMissing in a wrong directory, where a new index would know of nothing.

    A queue that is passed in stays open: its locks belong to the process, and closing any one of several
    queues would release the locks of all.
    """
    deadline = deadline or Deadline.never()
    with ExitStack() as stack:
        client = stack.enter_context(connect(settings, deadline))
        timeout_s = min(INDEX_WAIT_S, deadline.remaining() / 2)
        archive = stack.enter_context(open_archive(settings, create=create, empty=empty, timeout_s=timeout_s))
        if queue is None:
            queue = stack.enter_context(closing(Queue(settings.index_dir)))
        if host := leaves_machine(settings):
            log.warning(
                "DEDUPE_SEMANTIC=%s: the text of documents is sent to %s", settings.semantic.value, host
            )
        yield Session(settings, client, archive, queue, deadline, warn, embedder, inspector)


def inspector_of(settings: Settings) -> Inspector | None:
    """None if pages are not to be looked at, or cannot be; nothing heavy is imported then."""
    if settings.ink is LookAtPages.OFF or importlib.util.find_spec("pypdfium2") is None:
        return None
    from hook.ink.inspector import Inspector

    return Inspector(settings.index_dir)


def open_archive(
    settings: Settings,
    *,
    create: bool = True,
    empty: bool = False,
    filled: Path | None = None,
    timeout_s: float = INDEX_WAIT_S,
) -> Archive:
    """The index with the recipe and the policy of the settings; `empty` drops its documents, for those of the index in the
    directory `filled` if there is one."""
    values = parameters_of(settings)
    return Archive.open(
        *(settings.index_dir, values.recipe, values.policy),
        classical=values.classical,
        create=create,
        empty=empty,
        filled=filled,
        timeout_s=timeout_s,
        address=address_of(settings),
    )


def index_problem(settings: Settings) -> IndexFault | None:
    """Why the index cannot be used as it is."""
    try:
        with open_archive(settings, create=False):
            return None
    except IndexFault as error:
        return error


def address_of(settings: Settings) -> Address | None:
    """Of the shared index, if there is one."""
    if settings.index_url is None:
        return None
    from hook.settings.address import parse_address  # most hooks do not need it

    return parse_address(settings.index_url.get_secret_value())


def parameters_of(settings: Settings) -> Parameters:
    """Those of the policy file, with the named recipe and the threshold of the environment if these are set."""
    try:
        named = recipes.by_name(settings.recipe) if settings.recipe else recipes.DEFAULT
    except recipes.RecipeError as error:
        raise SettingsError(f"DEDUPE_RECIPE: {error}") from error
    values = load_parameters(settings.policy_file, named)
    if (threshold := settings.flag_threshold) is None:
        return values
    return replace(values, policy=replace(values.policy, flag_threshold=threshold))
