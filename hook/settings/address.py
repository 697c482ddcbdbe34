"""The address of a shared index, DEDUPE_INDEX_URL: one server, or servers behind Sentinel."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

from hook.errors import SettingsError

SCHEMES: Final = ("redis", "rediss")
DEFAULT_PORTS: Final = {"": 6379, "sentinel": 26379}  # by kind
EXAMPLES: Final = (
    "redis://host:6379/1, rediss://user:password@host/1 or "
    "redis+sentinel://host1,host2:26379/1?service=mymaster"
)


@dataclass(frozen=True, slots=True)
class Address:
    """`prefix` begins every key, so that several programs can share a server."""

    kind: str
    hosts: tuple[tuple[str, int], ...]
    database: int = 0
    tls: bool = False
    user: str = ""
    password: str = field(default="", repr=False)
    service: str = ""
    prefix: str = "paperless-dedupe"
    ca_file: str = ""
    url: str = field(default="", repr=False)  # as it was written, with the password

    def __str__(self) -> str:
        """Without the password: for messages."""
        hosts = ",".join(f"{host}:{port}" for host, port in self.hosts)
        scheme = ("rediss" if self.tls else "redis") + (f"+{self.kind}" if self.kind else "")
        return f"{scheme}://{hosts}/{self.database}"


def parse_address(url: str) -> Address:
    """Raises SettingsError; its message never has the password."""
    try:
        return _parsed(url)
    except ValueError as error:
        raise SettingsError(f"DEDUPE_INDEX_URL: {error}: write it as {EXAMPLES}") from None


def _parsed(url: str) -> Address:
    scheme, _, rest = url.partition("://")
    base, _, kind = scheme.lower().partition("+")
    if base not in SCHEMES or kind not in DEFAULT_PORTS or not rest:
        raise ValueError("not an address of Redis or Valkey")
    parts = urlsplit(f"//{rest}")
    account, _, hosts = parts.netloc.rpartition("@")
    user, _, password = account.partition(":")
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    if unknown := sorted(options.keys() - {"service", "prefix", "ca"}):
        raise ValueError(f"unknown option {unknown[0]!r}")
    if kind == "sentinel" and not options.get("service"):
        raise ValueError("Sentinel needs ?service= with the name of the master")
    database = parts.path.strip("/")
    if not (database or "0").isdecimal():
        raise ValueError(f"the database is a number, not {database!r}")
    return Address(
        kind,
        tuple(_host(host, DEFAULT_PORTS[kind]) for host in hosts.split(",")),
        int(database or 0),
        base == "rediss",
        unquote(user),
        unquote(password),
        options.get("service", ""),
        options.get("prefix") or "paperless-dedupe",
        options.get("ca", ""),
        url,
    )


def _host(text: str, default_port: int) -> tuple[str, int]:
    parts = urlsplit(f"//{text}")
    if not parts.hostname:
        raise ValueError("a host is missing")
    return parts.hostname, parts.port or default_port
