"""The German texts of the review page, the report and the notes, by their English ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

TEXTS: Final[Mapping[str, str]] = {}
