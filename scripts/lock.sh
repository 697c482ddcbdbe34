#!/bin/sh
# Writes requirements.lock and requirements-runtime.lock anew from pyproject.toml; arguments go to pip-compile:
#   sh scripts/lock.sh --upgrade
# Run it with the oldest Python that is supported: newer ones need a subset of what that one needs.
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
runtime = project["project"]["dependencies"] + project["project"]["optional-dependencies"]["serve"] + groups["build"]
Path(sys.argv[1], "runtime.in").write_text("\n".join(runtime))
Path(sys.argv[1], "all.in").write_text("\n".join(runtime + groups["dev"]))
PYTHON

compile() { # no host names: the lock says what is installed, not from where
    CUSTOM_COMPILE_COMMAND="sh scripts/lock.sh" "$tools/venv/bin/pip-compile" --quiet --generate-hashes --strip-extras \
        --allow-unsafe --no-annotate --no-emit-index-url --no-emit-find-links --no-emit-trusted-host "$@"
}
compile --output-file requirements.lock "$@" "$tools/all.in"
compile --output-file requirements-runtime.lock --constraint requirements.lock "$tools/runtime.in"
