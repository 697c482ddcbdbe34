"""Types of the settings: enums of the allowed values, and types that check their input."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, SecretStr, StringConstraints

from dedupe_core.model import Relation
from hook.language.translate import languages

# The relations that can be reported; a sibling or an unrelated document is not a finding.
RELATIONS: Final = (
    Relation.IDENTICAL,
    Relation.RESCAN,
    Relation.REVISION,
    Relation.CONTAINED,
    Relation.TRANSLATED,
)


class Semantic(StrEnum):
    """What computes the vectors of the semantic tier."""

    OFF = "off"
    LOCAL = "local"
    OPENAI = "openai"
    OLLAMA = "ollama"


class LookAtPages(StrEnum):
    """Whether the pages of a pair with doubts are looked at."""

    AUTO = "auto"
    OFF = "off"


class Scope(StrEnum):
    """Whose documents are compared with each other."""

    OWNER = "owner"
    ALL = "all"


class Mark(StrEnum):
    """What is written to a document in Paperless for a finding."""

    TAG = "tag"
    NOTE = "note"
    LINK = "link"


class OnConfirm(StrEnum):
    """What happens when a person confirms a finding."""

    KEEP = "keep"
    TRASH = "trash"
    REPLACE = "replace"
    MAKE_VERSION = "make-version"


def _words(value: Any, allowed: Iterable[str], shorthand: Mapping[str, Iterable[str]]) -> Any:
    """`Tag, note` -> ["tag", "note"], or what a shorthand means; a value that is not text is left to pydantic."""
    if not isinstance(value, str):
        return value
    if (plain := value.strip().lower()) in shorthand:
        return shorthand[plain]
    words = [word.strip() for word in plain.split(",") if word.strip()]
    if not set(words) <= set(allowed):
        raise ValueError(f"must be {', '.join(shorthand)} or a comma-separated list of {', '.join(allowed)}")
    return words


def _in_case(change: Callable[[str], str]) -> BeforeValidator:
    return BeforeValidator(lambda value: change(value) if isinstance(value, str) else value)


def _language(value: str) -> str:
    if value not in languages():
        raise ValueError(f"must be one of {', '.join(languages())}")
    return value


def _web_address(value: str) -> str:
    try:
        parts = urlsplit(value)
        named = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is not a number, an unclosed bracket
        named = False
    if not named:
        raise ValueError(
            "must be an http:// or https:// address with a host and, if needed, a port and a path"
        )
    if "@" in parts.netloc:
        raise ValueError("must not contain a user name or password: the token is enough")
    if parts.query or parts.fragment or not value.isprintable() or " " in value:
        raise ValueError("must not contain ?, # or spaces")
    return value.rstrip("/")


def _networks(value: str) -> str:
    try:
        return ",".join(str(ip_network(part.strip())) for part in value.split(",") if part.strip())
    except ValueError:
        raise ValueError("must be IP addresses or networks (172.18.0.0/16), separated by commas") from None


def _token(value: SecretStr) -> SecretStr:
    text = value.get_secret_value()
    if not text.isascii() or not text.isprintable() or " " in text:
        raise ValueError("must be the letters and digits that Paperless shows, without spaces or line breaks")
    return value


def _secret(value: SecretStr) -> SecretStr:
    """Sent in a header."""
    text = value.get_secret_value()
    if not (text and text.isascii() and text.isprintable() and text.strip() == text):
        raise ValueError("must consist of printable ASCII characters: `openssl rand -hex 24`")
    return value


def text_of(secret: SecretStr | None) -> str | None:
    return secret.get_secret_value() if secret else None


def _full_path(value: Path) -> Path:
    if not value.is_absolute():
        raise ValueError("must be an absolute path: the hook runs in a different directory")
    return value


WebAddress = Annotated[str, AfterValidator(_web_address)]
Networks = Annotated[str, AfterValidator(_networks)]
Token = Annotated[SecretStr, AfterValidator(_token)]
Secret = Annotated[SecretStr, AfterValidator(_secret)]
FullPath = Annotated[Path, AfterValidator(_full_path)]
Marks = Annotated[frozenset[Mark], BeforeValidator(lambda value: _words(value, tuple(Mark), {"nothing": ()}))]
Relations = Annotated[
    frozenset[Relation],
    BeforeValidator(lambda value: _words(value, RELATIONS, {"true": RELATIONS, "false": ()})),
]
Level = Annotated[Literal["DEBUG", "INFO", "WARNING", "ERROR"], _in_case(str.upper)]
Language = Annotated[str, _in_case(str.lower), AfterValidator(_language)]
Name = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=128)
]  # Paperless's limit
