#!/bin/sh
# Writes the three lock files from pyproject.toml; arguments go to pip-compile:
#   sh scripts/lock.sh --upgrade
# requirements-runtime.lock    what the product needs
# requirements.lock            and its tests
# requirements-calibrate.lock  and scripts/calibrate.py
# Run it with the oldest supported Python: newer versions need a subset of what that one needs.
set -eu
cd "$(dirname "$0")/.."
tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
"${PYTHON:-python3.11}" -m venv "$tools/venv"
"$tools/venv/bin/python" -m pip install --quiet pip-tools

"$tools/venv/bin/python" - "$tools" <<'PYTHON'
import sys, tomllib
from pathlib import Path

project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))
groups = project["dependency-groups"]
runtime = project["project"]["dependencies"] + [
    package for extra in project["project"]["optional-dependencies"].values() for package in extra
] + groups["build"]
Path(sys.argv[1], "runtime.in").write_text("\n".join(runtime))
Path(sys.argv[1], "dev.in").write_text("\n".join(runtime + groups["dev"]))
Path(sys.argv[1], "calibrate.in").write_text("\n".join(runtime + groups["dev"] + groups["calibrate"]))
PYTHON

compile() { # no host names: a lock says what is installed, not from where
    CUSTOM_COMPILE_COMMAND="sh scripts/lock.sh" "$tools/venv/bin/pip-compile" --quiet --generate-hashes --strip-extras \
        --allow-unsafe --no-annotate --no-emit-index-url --no-emit-find-links --no-emit-trusted-host "$@"
}
compile --output-file requirements.lock "$@" "$tools/dev.in"
compile --output-file requirements-runtime.lock --constraint requirements.lock "$tools/runtime.in"
compile --output-file requirements-calibrate.lock --constraint requirements.lock "$@" "$tools/calibrate.in"
