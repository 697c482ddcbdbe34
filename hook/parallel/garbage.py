"""How often a run over many documents looks for garbage."""

from __future__ import annotations

import gc
from typing import Final

_COLLECTED_AT: Final = 50_000  # objects: with Python's 700, up to 7% of the CPU of a run goes into looking


def collect_seldom() -> None:
    """What is imported stays, and there are few cycles among what follows."""
    gc.freeze()
    gc.set_threshold(_COLLECTED_AT)
