"""Every setting with its default, range and meaning; loading.py reads them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, Self

from pydantic import BaseModel, ConfigDict, Field, SecretStr, model_validator

from dedupe_core.model import Relation
from hook.errors import SettingsError
from hook.language.names import TAGS, names_in
from hook.language.translate import languages
from hook.settings.types import (
    FullPath,
    Language,
    Level,
    LookAtPages,
    Mark,
    Marks,
    Name,
    Networks,
    OnConfirm,
    Relations,
    Scope,
    Secret,
    Semantic,
    Token,
    WebAddress,
    text_of,
)

ALL_MARKS: Final = frozenset(Mark)


def _differ(values: Iterable[str]) -> bool:
    known = list(values)
    return len(set(known)) == len(known)


def _overriding(what: str) -> Any:
    return Field(None, description=f"Overrides `DEDUPE_ON_CONFIRM` for {what}.")


class Settings(BaseModel):
    """The settings of one run, frozen. Made by `load_settings`, in tests by keyword."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    url: WebAddress = Field(
        "http://localhost:8000",
        description="Address at which this program reaches Paperless, with its sub-path; not the public address.",
    )
    token: Token | None = Field(
        None, description="API token of the Paperless user to work as; a superuser sees every document."
    )
    public_url: WebAddress | None = Field(
        None, description="Address at which people open Paperless; for the links that are shown to them."
    )
    language: Language = Field(
        "en", description=f"Language of notes, the review page and new tags: {', '.join(languages())}."
    )
    ca_file: FullPath | None = Field(
        None, description="PEM file with the CA to trust for an https address, instead of the usual ones."
    )
    timeout_s: float = Field(30, ge=1, le=600, description="Seconds to wait for a response from Paperless.")
    deadline_s: float = Field(
        30,
        ge=5,
        le=600,
        description="Seconds one run of the hook may take; unfinished work is left to the next run.",
    )
    index_dir: FullPath = Field(
        description="Directory of the index; must be owned by the user that runs Paperless."
    )
    index_url: SecretStr | None = Field(
        None,
        description="Redis or Valkey server that holds the index instead, for several hosts: [several hosts](redis.md).",
    )
    recipe: str | None = Field(
        None, description="Name of the recipe for fingerprints; changing it requires a new backfill."
    )
    policy_file: FullPath | None = Field(
        None,
        description="TOML file with `[recipe]`, `[policy]` and `[classical]` values: [all parameters](tuning.md).",
    )
    flag_threshold: float | None = Field(
        None, gt=0, le=1, description="Lowest confidence that is reported; overrides the policy."
    )
    sure_threshold: float = Field(
        # Of what was reported at 0.9 and more on archives that nobody had read, 99.5% was right, and three of four false alarms were below.
        0.9,
        ge=0,
        le=1,
        description="A finding below this confidence gets the tag `DEDUPE_TAG_MAYBE` instead of those of its relation; 0 for none.",
    )
    scope: Scope = Field(
        Scope.OWNER,
        description="Compare with documents of the same owner and without an owner (`owner`), or with `all`.",
    )

    on_identical: Marks = Field(
        ALL_MARKS,
        description="What is written for the same text: some of `tag`, `note`, `link`, or `nothing`.",
    )
    on_rescan: Marks = Field(ALL_MARKS, description="The same for a rescan.")
    on_revision: Marks = Field(ALL_MARKS, description="The same for a revision.")
    on_contained: Marks = Field(ALL_MARKS, description="The same for a document that is part of another.")
    on_translated: Marks = Field(
        frozenset({Mark.NOTE, Mark.LINK}),
        description="The same for a translation, which is related, not a copy.",
    )
    tag_other: Relations = Field(
        frozenset[Relation](),
        description="Tag the other document too: `true`, `false`, or on some relations: `rescan,identical`.",
    )
    link_field: Name = Field(
        "Similar documents", description="Name of the custom field that links the documents."
    )

    tag_review: Name = Field(
        "dedupe:review", description="Parent of the tags below; filter by it to see every finding."
    )
    tag_identical: Name = Field("dedupe:identical", description="Tag for the same text.")
    tag_rescan: Name = Field("dedupe:rescan", description="Tag for a rescan: the same paper scanned again.")
    tag_revision: Name = Field("dedupe:revision", description="Tag for a revision: an edited document.")
    tag_contained: Name = Field("dedupe:contained", description="Tag for a document that is part of another.")
    tag_translated: Name = Field("dedupe:translated", description="Tag for a translation.")
    tag_maybe: Name = Field(
        "dedupe:maybe",
        description="Tag for a finding that is less sure; not below the parent, so that a view or a workflow on that leaves it out.",
    )
    tag_skip: Name = Field("dedupe:skip", description="Set by you: ignore this document.")
    tag_not_duplicate: Name = Field(
        "dedupe:not-duplicate", description="Set by you: never report this pair again."
    )
    tag_confirm: Name = Field(
        "dedupe:confirm", description="Set by you: the finding is correct; see `DEDUPE_ON_CONFIRM`."
    )
    tag_make_version: Name = Field(
        "dedupe:make-version", description="Set by you: make this document a file version of the other."
    )
    tag_keep: Name = Field("dedupe:keep", description="Set by you: of the two documents, keep this one.")
    tag_confirmed: Name = Field(
        "dedupe:confirmed", description="Remains on a document after you confirmed its finding."
    )
    on_confirm: OnConfirm = Field(
        OnConfirm.KEEP,
        description="What confirming does: `keep` both, `trash` the worse one, `replace` the older one with the newer, "
        "or `make-version`.",
    )
    trash_same_file: bool = Field(
        False, description="Move a new document whose file an older one has to the trash, unasked."
    )
    on_confirm_identical: OnConfirm | None = _overriding("the same text")
    on_confirm_rescan: OnConfirm | None = _overriding("a rescan")
    on_confirm_revision: OnConfirm | None = _overriding("a revision")
    on_confirm_contained: OnConfirm | None = _overriding("a part of another document")
    on_confirm_translated: OnConfirm | None = _overriding("a translation")

    semantic: Semantic = Field(
        Semantic.OFF,
        description="Find translations by their meaning too: `off`, `local` (a model on this machine, needs the extra), "
        "`openai` (any compatible server) or `ollama`: [semantic tier](semantic.md).",
    )
    semantic_url: WebAddress | None = Field(
        None,
        description="Address of the embedding server. Documents are sent there, unless it is this machine.",
    )
    semantic_model: str | None = Field(None, max_length=200, description="Name of the model on that server.")
    semantic_key: SecretStr | None = Field(None, description="API key of that server.")
    semantic_timeout_s: float = Field(20, ge=1, le=600, description="Seconds to wait for that server.")

    ink: LookAtPages = Field(
        LookAtPages.AUTO,
        description="Look at the pages where texts differ: `auto` (if the extra is installed) or `off`: [ink](ink.md).",
    )

    next_script: FullPath | None = Field(None, description="Your own post-consume script, run after ours.")
    log_level: Level = Field("INFO", description="`DEBUG`, `INFO`, `WARNING` or `ERROR`.")
    log_file: FullPath | None = Field(None, description="File to log to, in addition to Paperless's own log.")

    serve_host: str = Field(
        "127.0.0.1",
        description="Address the service listens on; any other than the default requires a secret.",
    )
    serve_port: int = Field(8642, ge=1, le=65535, description="Port the service listens on.")
    secret: Secret | None = Field(None, description="Secret that webhooks send.")
    read_secret: Secret | None = Field(
        None, description="Secret for reading from the API of the service, which is off without one."
    )
    decide_secret: Secret | None = Field(
        None, description="Secret for deciding by the API of the service, which is off without one."
    )
    review: bool = Field(False, description="Serve the review page, at `/review/` of the service.")
    review_url: WebAddress | None = Field(
        None,
        description="Address at which people open the review page, if not this machine; with `https`, the cookie is only sent encrypted.",
    )
    trusted_proxies: Networks = Field(
        "",
        description="Reverse proxies whose `X-Forwarded-For` is believed: addresses or networks, with commas.",
    )
    sweep_minutes: int = Field(
        15, ge=0, le=1440, description="Minutes between periodic syncs of the service; 0 turns them off."
    )

    @model_validator(mode="before")
    @classmethod
    def _in_the_language(cls, given: Any) -> Any:
        """Names that are not set are those of the language."""
        if not isinstance(given, dict):
            return given
        return {**names_in(str(given.get("language", "en")).lower()), **given}

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        """Whoever may see a workflow of Paperless can read the secret of the events."""
        server = self.semantic_url and self.semantic_model
        if self.semantic in (Semantic.OPENAI, Semantic.OLLAMA) and not server:
            raise ValueError(
                f"DEDUPE_SEMANTIC={self.semantic} needs DEDUPE_SEMANTIC_URL and DEDUPE_SEMANTIC_MODEL: name the server "
                "and its model, or use local or off"
            )
        if not _differ(getattr(self, name).casefold() for name in TAGS):
            raise ValueError("two DEDUPE_TAG_ settings have the same value, but each tag needs its own name")
        if not _differ(filter(None, map(text_of, (self.secret, self.read_secret, self.decide_secret)))):
            names = "DEDUPE_SECRET, DEDUPE_READ_SECRET and DEDUPE_DECIDE_SECRET"
            raise ValueError(f"{names} must not be the same")
        return self

    def required_token(self) -> SecretStr:
        if self.token is None:
            raise SettingsError(
                "There is no token. Copy it from Paperless (My Profile, API Auth Token) into DEDUPE_TOKEN, "
                "or set DEDUPE_TOKEN_FILE to the file that contains it."
            )
        return self.token

    def with_token(self, token: str) -> Settings:
        """The same for another user of Paperless."""
        return self.model_copy(update={"token": SecretStr(token)})

    def document_url(self, document: int) -> str:
        """Where a person finds this document."""
        return f"{self.public_url or self.url}/documents/{document}"

    def marks_for(self, relation: Relation) -> frozenset[Mark]:
        """What is written for a finding of this relation; nothing for siblings and unrelated documents."""
        marks: frozenset[Mark] = getattr(self, f"on_{relation.value}", frozenset())
        return marks

    def confirm_for(self, relation: Relation) -> OnConfirm:
        """What confirming a finding of this relation does."""
        own: OnConfirm | None = getattr(self, f"on_confirm_{relation.value}", None)
        return own or self.on_confirm

    def tag_for(self, relation: Relation) -> str:
        tag: str = getattr(self, f"tag_{relation.value}")
        return tag

    def tags_for(self, relation: Relation, confidence: float) -> tuple[str, ...]:
        """The tags of a finding: those of its relation, or the one that says "maybe"; none if its marks leave them out."""
        if Mark.TAG not in self.marks_for(relation):
            return ()
        is_sure = confidence >= self.sure_threshold
        return (self.tag_for(relation), self.tag_review) if is_sure else (self.tag_maybe,)
