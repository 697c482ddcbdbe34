"""Checks Paperless: address, token, version, the permissions of the token's user, tags and link field."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Final
from urllib.parse import urlsplit

from hook.commands.check.line import Line, fail, ok, warn
from hook.errors import AccessError, ForeignIndex, IndexFault, IndexMissing, PaperlessError, RightsError
from hook.findings.decisions import Decisions
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

# Permission -> what needs it, and when. The user settings of Paperless call them "Document: view" and so on.
RIGHTS: Final = {
    "view_document": ("reading documents", "always"),
    "change_document": ("setting tags and links", "always"),
    "view_tag": ("finding our tags", "always"),
    "add_tag": ("creating our tags", "always"),
    "view_customfield": ("finding the link field", Mark.LINK),
    "add_customfield": ("creating the link field", Mark.LINK),
    "view_note": ("reading our notes", Mark.NOTE),
    "add_note": ("writing notes", Mark.NOTE),
    "delete_note": ("deleting our notes", Mark.NOTE),
    "delete_document": ("moving a confirmed copy to the trash", "trash"),
    "view_savedview": ("finding the saved view (setup only)", "setup"),
    "add_savedview": ("creating the saved view (setup only)", "setup"),
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
    advice = "That is fine within a container network; otherwise use https in DEDUPE_URL."
    return [warn("encryption", text, advice)]


def _version(server: ServerInfo) -> Line:
    """A newer Paperless is fine: if it has changed something that we use, the call itself says so."""
    match = re.match(r"(\d+)\.(\d+)", server.version)
    numbers = (int(match[1]), int(match[2])) if match else (0, 0)
    name = f"Paperless {server.version or 'of an unknown version'}"
    oldest, newest = (".".join(map(str, tested)) for tested in (OLDEST_TESTED, NEWEST_TESTED))
    if numbers < OLDEST_TESTED:
        text = f"{name} is older than {oldest}, the oldest that is tested"
        return warn("version", text, "Upgrade Paperless.")
    return ok("version", name + (f" (the newest tested is {newest})" if numbers > NEWEST_TESTED else ""))


def _rights(server: ServerInfo, settings: Settings) -> list[Line]:
    uses = {"always", "setup", *(mark for relation in RELATIONS for mark in settings.marks_for(relation))}
    moves = [settings.confirm_for(relation) is not OnConfirm.KEEP for relation in RELATIONS]
    if any(moves) or settings.trash_same_file:
        uses.add("trash")
    held = RIGHTS if server.is_superuser else server.permissions
    missing = [
        _missing(server, right) for right, (_, use) in RIGHTS.items() if use in uses and right not in held
    ]
    return missing or [ok("rights", f"{server.username} has all permissions that are needed")]


def _missing(server: ServerInfo, right: str) -> Line:
    (purpose, use), (verb, _, thing) = RIGHTS[right], right.partition("_")
    advice = (
        f'In Paperless, Settings > Users & Groups, give {server.username} the permission "{thing}: {verb}".'
    )
    text = f"the permission {right} is missing, needed for {purpose}"
    return (warn if use == "setup" else fail)(f"right:{right}", text, advice)


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
    if lost := missing_decisions(Copy.read(labels.known().extra), Decisions(index)):
        text = f"the index has lost {many(len(lost), 'decision')} that Paperless keeps"
        yield warn("decisions-lost", text, "Run `paperless-dedupe backfill --sync`: it reads them back.")
    tagged = client.document_ids(tags__id__in=tags) if tags else []
    refused = {number for refusal in Refusals(index) for number in refusal.pair}
    if left := sorted(refused.intersection(tagged)):
        shown = ", ".join(f"#{number}" for number in left[:SHOWN]) + (", ..." if left[SHOWN:] else "")
        advice = "A note on the document, or on the other one of the pair, says why and what to do."
        yield warn("decisions", f"a decision was refused on {shown}", advice)


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
