"""The semantic tier as the settings name it. Nothing else imports a model or a client, so what is off costs nothing."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from hook.settings.types import Semantic, text_of

if TYPE_CHECKING:
    from hook.deadline import Deadline
    from hook.examination.archive import Archive
    from hook.semantic.embedder import Embedder
    from hook.semantic.tier import SemanticTier
    from hook.settings.model import Settings

_LOCAL_NAMES: Final = ("localhost", "ip6-localhost", "ip6-loopback")


def semantic_tier(
    settings: Settings, archive: Archive, deadline: Deadline, embedder: Embedder | None = None
) -> SemanticTier | None:
    """None if it is off. A service passes the embedder that it keeps warm."""
    if settings.semantic is Semantic.OFF:
        return None
    from hook.semantic.tier import SemanticTier

    return SemanticTier(archive, embedder or embedder_of(settings), deadline)


def embedder_of(settings: Settings) -> Embedder:
    """Raises SettingsError if the extra is missing. The model is loaded when the first text is embedded."""
    if settings.semantic is Semantic.LOCAL:
        from hook.semantic.local import LocalEmbedder

        local = LocalEmbedder()
        assert local.model  # says at once if the extra is not installed
        return local
    from hook.semantic.endpoint import EndpointEmbedder

    return EndpointEmbedder(
        settings.semantic_url or "",
        settings.semantic_model or "",
        key=text_of(settings.semantic_key),
        timeout_s=settings.semantic_timeout_s,
        is_ollama=settings.semantic is Semantic.OLLAMA,
    )


def leaves_machine(settings: Settings) -> str:
    """The host that the text of documents is sent to, if it is not this machine; else nothing."""
    if settings.semantic in (Semantic.OFF, Semantic.LOCAL) or not settings.semantic_url:
        return ""
    host = urlsplit(settings.semantic_url).hostname or ""
    return "" if _is_this_machine(host) else host


def _is_this_machine(host: str) -> bool:
    """By its loopback address or name. A name in a container's network is another machine: it is not asked where it leads."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() in _LOCAL_NAMES
