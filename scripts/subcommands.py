"""`python -m scripts.PACKAGE NAME ...` runs a module of the package; without a name it lists them."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module


def run(package: str, modules: Mapping[str, str]) -> int:
    """By the name on the command line; the module finds the rest of the words in `sys.argv`."""
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name not in modules:
        print(f"python -m {package} NAME [--help]\n", file=sys.stderr)
        for module in dict.fromkeys(modules.values()):
            names = ", ".join(known for known in modules if modules[known] == module)
            summary = (import_module(module).__doc__ or "").partition("\n\n")[0]
            print(f"{names}: {summary}", file=sys.stderr)
        return 2
    if not modules[name].endswith(".bench"):  # which has names of its own
        sys.argv.pop(1)
    sys.argv[0] = f"{package} {name}"
    return int(import_module(modules[name]).main())
