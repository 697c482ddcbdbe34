"""Owners and shares as callers set them: ``owner`` and ``set_permissions``."""

from __future__ import annotations

from ..web import Request, forbidden_target
from .models import Owned


def chosen_owner(request: Request) -> int | None:
    """Without ``owner`` the caller becomes the owner; an explicit null leaves the object to everybody."""
    owner: int | None = request.data.get("owner", request.user.id)
    return owner


def change_owner(request: Request, row: Owned) -> None:
    """Ownership and shares may be changed by the owner, a superuser, or anybody while there is no owner."""
    data, user = request.data, request.user
    wants = data.keys() & {"owner", "set_permissions"}
    if wants and not (user.is_superuser or row.owner in (None, user.id)):
        raise forbidden_target()
    for action, wanted in data.get("set_permissions", {}).items():
        users = row.view_users if action == "view" else row.change_users
        users.clear()
        users.update(wanted["users"])
    row.owner = data.get("owner", row.owner)
