"""The trees that scripts/corpus/fit/trees.py fitted, read from `fitted.json`: data with its provenance, not to be edited by hand."""

from __future__ import annotations

import json
import pkgutil
import zlib
from typing import Any

from dedupe_core.judge.trees import Ensemble, Ensembles

FILE = "fitted.json"


def load(text: str) -> Ensembles:
    """Of what `dump` wrote."""
    fields_of: dict[str, Any] = json.loads(text)
    del fields_of["about"]
    return Ensembles(**{name: Ensemble(**fields) for name, fields in fields_of.items()})


def dump(ensembles: dict[str, Ensemble], about: dict[str, Any]) -> str:
    """One tree a line, so that a diff shows which of them changed."""
    parts = [f'"about": {json.dumps(about, indent=1)}']
    for name, ensemble in ensembles.items():
        trees = ",\n".join(json.dumps(tree, separators=(",", ":")) for tree in ensemble.trees)
        rest = json.dumps(
            {
                "measures": ensemble.measures,
                "start": ensemble.start,
                "slope": ensemble.slope,
                "shift": ensemble.shift,
            }
        )
        parts.append(f'"{name}": {rest[:-1]}, "trees": [\n{trees}\n]}}')
    return "{" + ",\n".join(parts) + "}\n"


def stored() -> str:
    """The file of the package, wherever it is installed."""
    data = pkgutil.get_data(__package__, FILE)
    assert data is not None
    return data.decode("ascii")


_TEXT = stored()
FITTED = load(_TEXT)
DIGEST = zlib.crc32(_TEXT.encode("ascii"))  # tells one fit from another
