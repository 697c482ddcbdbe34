"""Owners and shares as callers set them: ``owner``, ``set_permissions``, and who may change either."""

from __future__ import annotations

from typing import Any

from ..web import forbidden_target, invalid_pk
from .models import Owned, User
from .state import State


def set_permissions(row: Owned, wanted: dict[str, Any], *, merge: bool = False) -> None:
    """Users only; groups are accepted and forgotten, because the fake has none."""
    for action, users in (("view", row.view_users), ("change", row.change_users)):
        named = (wanted.get(action) or {}).get("users")
        if named is not None:
            if not merge:
                users.clear()
            users.update(named)


def chosen_owner(state: State, user: User, data: dict[str, Any]) -> int | None:
    """Without ``owner`` the caller becomes the owner; an explicit null leaves the object to everybody."""
    if "owner" not in data:
        return user.id
    return checked_owner(state, data["owner"])


def checked_owner(state: State, owner: Any) -> int | None:
    if owner is not None and owner not in state.users:
        raise invalid_pk("owner", owner)
    return None if owner is None else int(owner)


def change_owner(state: State, user: User, row: Owned, data: dict[str, Any]) -> None:
    """Ownership and shares may be changed by the owner, a superuser, or anybody while there is no owner."""
    wants_owner = "owner" in data and data["owner"] != row.owner
    if (wants_owner or "set_permissions" in data) and not (user.is_superuser or row.owner in (None, user.id)):
        raise forbidden_target()
    if "set_permissions" in data:
        set_permissions(row, data["set_permissions"] or {})
    if "owner" in data:
        row.owner = checked_owner(state, data["owner"])
