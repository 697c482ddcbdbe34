#!/bin/sh
# Writes the six lock files from pyproject.toml; arguments go to pip-compile:
#   sh scripts/lock.sh --upgrade
# requirements-runtime.lock    what the product needs
# requirements-ink.lock        and what looks at pages; the image of the service has it
# requirements-semantic.lock   what the product needs, and the local model of the semantic tier
# requirements.lock            all of these and the tests
# requirements-calibrate.lock  and scripts/corpus/fit/trees.py
# requirements-docs.lock       what builds the documentation site and checks a release
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
extras = project["project"]["optional-dependencies"]
runtime = project["project"]["dependencies"] + extras["serve"] + extras["redis"] + groups["build"] + ["async-timeout"]
Path(sys.argv[1], "runtime.in").write_text("\n".join(runtime))
Path(sys.argv[1], "ink.in").write_text("\n".join(runtime + extras["ink"]))
semantic = extras["semantic"]
Path(sys.argv[1], "semantic.in").write_text("\n".join(runtime + semantic))
Path(sys.argv[1], "dev.in").write_text("\n".join(runtime + extras["ink"] + semantic + groups["dev"]))
Path(sys.argv[1], "calibrate.in").write_text("\n".join(runtime + extras["ink"] + semantic + groups["dev"] + groups["calibrate"]))
Path(sys.argv[1], "docs.in").write_text("\n".join(groups["docs"]))
PYTHON

compile() { # no host names: a lock says what is installed, not from where
    CUSTOM_COMPILE_COMMAND="sh scripts/lock.sh" "$tools/venv/bin/pip-compile" --quiet --generate-hashes --strip-extras \
        --allow-unsafe --no-annotate --no-emit-index-url --no-emit-find-links --no-emit-trusted-host "$@"
}
compile --output-file requirements.lock "$@" "$tools/dev.in"
compile --output-file requirements-runtime.lock --constraint requirements.lock "$tools/runtime.in"
compile --output-file requirements-ink.lock --constraint requirements.lock "$tools/ink.in"
compile --output-file requirements-semantic.lock --constraint requirements.lock "$tools/semantic.in"
compile --output-file requirements-calibrate.lock --constraint requirements.lock "$@" "$tools/calibrate.in"
compile --output-file requirements-docs.lock "$@" "$tools/docs.in"

# redis needs it before Python 3.11.3 only; pip-compile leaves out what the Python that it runs on does not need
for lock in requirements*.lock; do
    sed 's/^async-timeout==[^ ;]*/& ; python_full_version < "3.11.3"/' "$lock" >"$tools/lock"
    cat "$tools/lock" >"$lock"
done
