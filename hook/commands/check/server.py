"""Checks Paperless: address, token, version, the permissions of the token's user, tags and link field."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final
from urllib.parse import urlsplit

from hook.commands.check.line import Level, Line, fail, ok, warn
from hook.errors import AccessError, ForeignIndex, IndexFault, IndexMissing, PaperlessError, RightsError
from hook.findings.decisions import Decision, Decisions
from hook.findings.wording import many
from hook.index.interface import DocumentIndex
from hook.paperless.client import Paperless
from hook.paperless.labels import LINK_TYPE, LabelIds, Labels, holder_of
from hook.paperless.values import ServerInfo
from hook.review.kept.kept_decisions import Copy, missing_decisions
from hook.review.kept.refusals import Refusals
from hook.session import open_archive
from hook.settings.model import Settings
from hook.settings.types import RELATIONS, Mark, OnConfirm

# For a sentence of `check`, and nothing else: what a server can do is asked of it, by what its API offers.
OLDEST_TESTED: Final = (2, 20)
NEWEST_TESTED: Final = (3, 0)
SHOWN: Final = 5  # document ids in one line

# Permission -> what needs it. The user settings of Paperless call them "Document: view" and so on.
NEEDED: Final = {
    "view_document": "reading documents",
    "change_document": "setting tags and links",
    "view_tag": "finding our tags",
    "add_tag": "creating our tags",
}
FOR_LINKS: Final = {
    "view_customfield": "finding the link field",
    "add_customfield": "creating the link field",
}
FOR_NOTES: Final = {
    "view_note": "reading our notes",
    "add_note": "writing notes",
    "delete_note": "deleting our notes",
}
FOR_TRASH: Final = {"delete_document": "moving a confirmed copy to the trash"}
FOR_SETUP: Final = {
    "view_savedview": "finding the saved view (setup only)",
    "add_savedview": "creating the saved view (setup only)",
}


def server_lines(client: Paperless, settings: Settings) -> list[Line]:
    """URL, token, version, permissions; the first failure ends the list, because the rest depends on it."""
    try:
        server = client.server_info()
    except RightsError as error:
        advice = 'Give the user the permission "UISettings: view": it is needed to read the others.'
        return [
            ok("url", f"Paperless answers at {settings.url}"),
            ok("token", "the token is accepted"),
            fail("right:view_uisettings", str(error), advice),
        ]
    except AccessError as error:
        return [ok("url", f"Paperless answers at {settings.url}"), fail("token", str(error))]
    except PaperlessError as error:
        return [fail("url", str(error), f"Check DEDUPE_URL: it is {settings.url}.")]
    return [
        ok("url", f"Paperless answers at {settings.url}"),
        *unencrypted(settings.url),
        ok("token", f"the token belongs to {server.username}"),
        _version(server),
        *_rights(server, settings),
        _sight(server),
    ]


def unencrypted(url: str) -> list[Line]:
    """Within one machine there is nobody to read it."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if parts.scheme != "http" or host in ("localhost", "::1") or re.fullmatch(r"127(\.[0-9]+){3}", host):
        return []
    text = f"the token and the documents are sent to {host} without encryption"
    return [
        warn(
            "encryption", text, "That is fine within a container network; otherwise use https in DEDUPE_URL."
        )
    ]


def _version(server: ServerInfo) -> Line:
    """A newer Paperless is fine: if it has changed something that we use, the call itself says so."""
    found = re.match(r"(\d+)\.(\d+)", server.version)
    numbers = (int(found[1]), int(found[2])) if found else (0, 0)
    name = f"Paperless {server.version or 'of an unknown version'}"
    if numbers < OLDEST_TESTED:
        oldest = ".".join(map(str, OLDEST_TESTED))
        return warn(
            "version", f"{name} is older than {oldest}, the oldest that is tested", "Upgrade Paperless."
        )
    newest = ".".join(map(str, NEWEST_TESTED))
    return ok("version", name + (f" (the newest tested is {newest})" if numbers > NEWEST_TESTED else ""))


def _rights(server: ServerInfo, settings: Settings) -> list[Line]:
    needed = {**NEEDED}
    used = frozenset[Mark]().union(*map(settings.marks_for, RELATIONS))
    if Mark.LINK in used:
        needed |= FOR_LINKS
    if Mark.NOTE in used:
        needed |= FOR_NOTES
    moves = [settings.confirm_for(relation) is not OnConfirm.KEEP for relation in RELATIONS]
    if any(moves) or settings.trash_same_file:
        needed |= FOR_TRASH
    lines = [
        *(_right(server, right, purpose, optional=False) for right, purpose in needed.items()),
        *(_right(server, right, purpose, optional=True) for right, purpose in FOR_SETUP.items()),
    ]
    if all(line.level is Level.OK for line in lines):
        lines.append(ok("rights", f"{server.username} has all permissions that are needed"))
    return lines


def _right(server: ServerInfo, right: str, purpose: str, *, optional: bool) -> Line:
    name = f"right:{right}"
    if server.is_superuser or right in server.permissions:
        return ok(name, f"{right}: {purpose}", is_detail=True)
    verb, _, thing = right.partition("_")
    advice = (
        f'In Paperless, Settings > Users & Groups, give {server.username} the permission "{thing}: {verb}".'
    )
    return (warn if optional else fail)(
        name, f"the permission {right} is missing, needed for {purpose}", advice
    )


def _sight(server: ServerInfo) -> Line:
    if server.is_superuser:
        return ok("sight", f"{server.username} is a superuser and sees all documents")
    return warn(
        "sight",
        f"{server.username} is not a superuser: unshared documents of other users are not examined",
        "That is fine if you are the only user; for several users, use the token of a superuser.",
    )


def our_lines(client: Paperless, settings: Settings) -> Iterator[Line]:
    """Tags and link field, the index that this Paperless is used with, and what happened to decisions; what is wrong with
    the index itself is reported elsewhere. Whose id an index has that cannot be read is not known."""
    try:
        archive = open_archive(settings, create=False)
    except IndexFault as error:
        yield _labels_by_name(client, settings)
        parent = client.find_tag(settings.tag_review) if isinstance(error, IndexMissing) else None
        if parent is not None and (holder := holder_of(parent)):  # its index is elsewhere
            yield fail("index-id", str(ForeignIndex(holder, "")))
        return
    with archive, suppress(IndexFault):
        yield from _by_index(client, settings, archive.index)


def _by_index(client: Paperless, settings: Settings, index: DocumentIndex) -> Iterator[Line]:
    labels = Labels(client, settings, index)
    labels.of_any_index()  # whose they are is said below
    yield _labels_by_id(client, settings, labels.known()) or _labels_by_name(client, settings)
    labels = Labels(client, settings, index)
    try:
        holder = labels.known().holder
    except ForeignIndex as error:
        yield fail("index-id", str(error))
        return
    if holder:
        yield ok("index-id", f"this Paperless is used with this index (its id is {holder})")
    tags = sorted(labels.decision_ids(fresh=True).values())
    yield from _lost(missing_decisions(Copy.read(labels.known().extra), Decisions(index)))
    tagged = client.document_ids(tags__id__in=tags) if tags else []
    refused = {number for refusal in Refusals(index) for number in refusal.pair}
    yield from _refused(sorted(refused.intersection(tagged)))


def _labels_by_id(client: Paperless, settings: Settings, known: LabelIds) -> Line | None:
    """Those that this index has made may have been renamed in Paperless; None unless both exist."""
    tag, fields = (
        known.tags.get(settings.tag_review),
        {field.id: field.name for field in client.custom_fields()},
    )
    if tag is None or known.link_field not in fields:
        return None
    return ok("labels", f'tag {known.names[tag]} and custom field "{fields[known.link_field]}" exist')


def _labels_by_name(client: Paperless, settings: Settings) -> Line:
    """`setup` creates them, or the hook when it first needs them."""
    field = client.find_custom_field(settings.link_field)
    if field is not None and field.data_type != LINK_TYPE:
        text = f'the custom field "{field.name}" has the type {field.data_type} instead of {LINK_TYPE}'
        advice = "Rename it in Paperless, or set DEDUPE_LINK_FIELD to another name; until then no links are written."
        return fail("labels", text, advice)
    if field is None or client.find_tag(settings.tag_review) is None:
        return warn("labels", "the tags and the link field do not exist yet", "Run `paperless-dedupe setup`.")
    return ok("labels", f'tag {settings.tag_review} and custom field "{settings.link_field}" exist')


def _lost(decisions: Sequence[Decision]) -> list[Line]:
    if not decisions:
        return []
    text = f"the index has lost {many(len(decisions), 'decision')} that Paperless keeps"
    return [warn("decisions-lost", text, "Run `paperless-dedupe backfill --sync`: it reads them back.")]


def _refused(left: Sequence[int]) -> list[Line]:
    if not left:
        return []
    shown = ", ".join(f"#{number}" for number in left[:SHOWN]) + (", ..." if left[SHOWN:] else "")
    advice = "A note on the document, or on the other one of the pair, says why and what to do."
    return [warn("decisions", f"a decision was refused on {shown}", advice)]
