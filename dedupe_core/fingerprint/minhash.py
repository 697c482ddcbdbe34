"""datasketch's MinHash, loaded without the rest of its package.

`import datasketch` also runs its LSH modules, and those import scipy: 0.6 CPU seconds for code we do not use, paid
for each consumed document. So `datasketch.minhash` is imported alone, with a package object whose `__init__` has not
run. Where that fails because datasketch is laid out differently, the plain import is used: slower, same values.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from typing import Any, Final

_PACKAGE: Final = "datasketch"


def load_minhash() -> Any:
    """The MinHash class; of the whole package if that is imported already."""
    if _PACKAGE not in sys.modules:
        try:
            return _load_module_alone()
        except (ImportError, AttributeError):
            pass
    from datasketch import MinHash

    return MinHash


def _load_module_alone() -> Any:
    """Leaves no trace in sys.modules: a later `import datasketch` gets the real package."""
    spec = find_spec(_PACKAGE)
    if spec is None:
        raise ModuleNotFoundError(f"No module named {_PACKAGE!r}", name=_PACKAGE)
    sys.modules[_PACKAGE] = module_from_spec(spec)
    try:
        return import_module(f"{_PACKAGE}.minhash").MinHash
    finally:
        for name in [name for name in sys.modules if name.partition(".")[0] == _PACKAGE]:
            del sys.modules[name]


# Loaded on import: the import lock keeps two threads from exchanging sys.modules entries at the same time.
MinHash: Final = load_minhash()
