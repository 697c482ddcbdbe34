"""Is Paperless there, is it one we know, and may the token's user do what we need?"""

from __future__ import annotations

import re
from typing import Final

from hook.commands.check.diagnosis import Line, fail, ok, warn
from hook.errors import AccessError, PaperlessError, RightsError
from hook.paperless.client import Paperless
from hook.paperless.labels import LINK_TYPE
from hook.paperless.values import ServerInfo
from hook.settings.model import Settings
from hook.settings.types import RELATIONS, Mark, OnConfirm

OLDEST_TRIED: Final = (2, 20)
NEWEST_TRIED: Final = (3, 0)

# right -> what fails without it. Paperless calls them "Document: view" and so on in its user settings.
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
    "delete_note": "taking our notes back",
}
FOR_TRASH: Final = {"delete_document": "moving a confirmed copy to the trash"}
FOR_SETUP: Final = {
    "view_savedview": "finding the saved view (setup only)",
    "add_savedview": "creating the saved view (setup only)",
}


def server_lines(client: Paperless, settings: Settings) -> list[Line]:
    """URL, token, version, rights; the first that fails ends the list, because the rest needs it."""
    try:
        server = client.server_info()
    except RightsError as error:
        advice = 'Give the user the right "UI settings: view": the other rights are read with it.'
        return [
            ok("url", f"{settings.url} is a Paperless"),
            ok("token", "the token is accepted"),
            fail("right:view_uisettings", str(error), advice),
        ]
    except AccessError as error:
        return [ok("url", f"{settings.url} is a Paperless"), fail("token", str(error))]
    except PaperlessError as error:
        return [fail("url", str(error), f"DEDUPE_URL is {settings.url}: is that Paperless?")]
    return [
        ok("url", f"{settings.url} is a Paperless"),
        ok("token", f"the token is that of {server.username}"),
        _version(server),
        *_rights(server, settings),
        _sight(server),
    ]


def _version(server: ServerInfo) -> Line:
    found = re.match(r"(\d+)\.(\d+)", server.version)
    numbers = (int(found[1]), int(found[2])) if found else (0, 0)
    if numbers < OLDEST_TRIED:
        return warn(
            "version",
            f"Paperless {server.version or 'of an unknown version'} was never tried with this program",
            "Paperless 2.20 and 3.0 were; upgrade if something does not work.",
        )
    if numbers > NEWEST_TRIED:
        return warn("version", f"Paperless {server.version} is newer than what was tried (3.0)")
    return ok("version", f"Paperless {server.version}")


def _rights(server: ServerInfo, settings: Settings) -> list[Line]:
    needed = {**NEEDED}
    used = frozenset[Mark]().union(
        settings.on_identical,
        settings.on_rescan,
        settings.on_revision,
        settings.on_contained,
        settings.on_translated,
    )
    if Mark.LINK in used:
        needed |= FOR_LINKS
    if Mark.NOTE in used:
        needed |= FOR_NOTES
    if any(settings.confirm_for(relation) is not OnConfirm.KEEP for relation in RELATIONS):
        needed |= FOR_TRASH
    return [
        *(_right(server, right, purpose, optional=False) for right, purpose in needed.items()),
        *(_right(server, right, purpose, optional=True) for right, purpose in FOR_SETUP.items()),
    ]


def _right(server: ServerInfo, right: str, purpose: str, *, optional: bool) -> Line:
    name = f"right:{right}"
    if server.is_superuser or right in server.permissions:
        return ok(name, f"{right}: {purpose}")
    verb, _, thing = right.partition("_")
    advice = f'In Paperless, Settings, Users & Groups: give {server.username} the right "{thing}: {verb}".'
    return (warn if optional else fail)(name, f"{right} is missing, so no {purpose}", advice)


def _sight(server: ServerInfo) -> Line:
    if server.is_superuser:
        return ok("sight", f"{server.username} is a superuser and sees every document")
    return warn(
        "sight",
        f"{server.username} is no superuser: documents of others that are not shared stay unseen",
        "That is fine for one person's archive; for several people use the token of a superuser.",
    )


def label_lines(client: Paperless, settings: Settings) -> list[Line]:
    """What findings are shown with: made by `setup`, or by the hook when it first needs it."""
    field = client.find_custom_field(settings.link_field)
    if field is not None and field.data_type != LINK_TYPE:
        advice = (
            "Rename it in Paperless, or name another one in DEDUPE_LINK_FIELD; until then there are no links."
        )
        return [fail("labels", f'the custom field "{field.name}" is of type {field.data_type}', advice)]
    if field is None or client.find_tag(settings.tag_review) is None:
        return [warn("labels", "tags and link field are not there yet", "Run `paperless-dedupe setup`.")]
    return [ok("labels", f'tag {settings.tag_review} and custom field "{settings.link_field}" are there')]
