"""What a program wrote to a terminal of a test."""

from __future__ import annotations

import os


def everything_on(terminal: int) -> str:
    """All that was written to the other side, which is closed by now; one read may return a part of it."""
    text = b""
    try:
        while chunk := os.read(terminal, 65_536):
            text += chunk
    except OSError:  # how a terminal says that there is no more
        pass
    finally:
        os.close(terminal)
    return text.decode()
