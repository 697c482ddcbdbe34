"""Whether the server may lose what is stored there: eviction and missing persistence, because decisions live there, too."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from hook.commands.check.line import Line, warn
from hook.errors import IndexFault
from hook.index.shared.server import Server

_risk = partial(warn, "index-server")


def risks(server: Server) -> Iterator[Line]:
    info: dict[str, Any] = server.one("INFO", "everything")
    policy = str(info.get("maxmemory_policy", "noeviction"))
    if policy != "noeviction":
        yield _risk(
            f"the server may evict entries of the index (maxmemory-policy is {policy})",
            "Set maxmemory-policy to noeviction: decisions are stored there, and evicted ones are lost.",
        )
    if evicted := int(info.get("evicted_keys", 0)):
        yield _risk(
            f"the server has evicted {evicted} keys since its start; entries of the index may be among them",
            "Set maxmemory-policy to noeviction and raise maxmemory, then run `paperless-dedupe check --repair` and "
            "`paperless-dedupe backfill`. docs/backup.md says how decisions come back.",
        )
    if not int(info.get("aof_enabled", 0)) and not _saves(server):
        yield _risk(
            "the server keeps the index in memory only (neither appendonly nor save is set)",
            "Set appendonly to yes: a restart of the server would lose the index, and decisions with it.",
        )


def _saves(server: Server) -> bool:
    """True as well if the account may not read the configuration."""
    try:
        _, *values = server.one("CONFIG", "GET", "save")
    except IndexFault:
        return True
    return any(values)
