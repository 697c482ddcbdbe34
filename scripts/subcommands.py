"""`python -m scripts.PACKAGE NAME ...` runs a module of the package; without a name it lists them."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module


def run(package: str, *names: str, **renamed: str) -> int:
    """By the name on the command line; the module finds the rest of the words in `sys.argv`.

    A name is that of a module, unless `renamed` says which module it is.
    """
    modules = {name: f"{package}.{renamed.get(name, name.replace('-', '_'))}" for name in (*names, *renamed)}
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name not in modules:
        print(f"python -m {package} NAME [--help]\n", file=sys.stderr)
        for known, module in sorted(modules.items()):
            summary = (import_module(module).__doc__ or "").partition("\n\n")[0]
            print(f"{known}: {summary}", file=sys.stderr)
        return 2
    sys.argv[:2] = [f"{package} {name}"]
    return int(import_module(modules[name]).main())


def is_writing(doc: str | None) -> bool:
    """Of a module whose files are made: `--write` them, or `--check` that they are up to date."""
    parser = make_parser(doc)
    mode = parser.add_mutually_exclusive_group(required=True)
    mode.add_argument("--check", action="store_true")
    mode.add_argument("--write", action="store_true")
    return bool(parser.parse_args().write)


def make_parser(doc: str | None) -> argparse.ArgumentParser:
    """Of a module: its docstring is the help text."""
    return argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
