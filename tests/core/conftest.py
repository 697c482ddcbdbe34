"""Properties are about what comes out, never about how fast: no deadline of hypothesis on a busy machine."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("no-deadline", deadline=None)
settings.load_profile("no-deadline")
