"""What must be known before anything else in the index can be read: its format and its recipe."""

from typing import Final

from hook.errors import FormatMismatch, IndexDamaged, RecipeMismatch
from hook.index import postings
from hook.index.store import DOCUMENTS, Store

FORMAT: Final = 3
STATE: Final = "state"
# Where version 0.1 looks for it: that one sees another format and stops, instead of taking the index for an empty one. The rows that
# follow have higher numbers.
STATE_ROW: Final = 2**34


def find_recipe(store: Store) -> str | None:
    """None for an empty database. Raises FormatMismatch for an index of another version."""
    row = store.get(STATE)
    if row is None:
        return None
    if (known := int.from_bytes(row[:2], "little")) != FORMAT:
        raise FormatMismatch(store.directory, known, FORMAT)
    return row[2:].decode(errors="replace")


def expect_recipe(store: Store, recipe_id: str) -> None:
    """Asked in every transaction: another process may have rebuilt the index with another recipe."""
    known = find_recipe(store)
    if known is None:
        raise IndexDamaged(store.directory, "its state is missing")
    if known != recipe_id:
        raise RecipeMismatch(store.directory, known, recipe_id)


def reset(store: Store, recipe_id: str) -> None:
    """Drops all documents and keys, also of another format; meta values and namespaces stay."""
    store.sql(f"DELETE FROM Cache WHERE {DOCUMENTS}")
    store.delete(STATE)
    postings.renew(store)
    store.set(STATE, FORMAT.to_bytes(2, "little") + recipe_id.encode(), STATE_ROW)
