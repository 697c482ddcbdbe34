#!/bin/sh
# Runs the checks (style, types, layers), then the tests; arguments go to pytest: sh scripts/test.sh -k demo
# Needs Python 3.11 or newer; everything else is installed into .venv.
set -eu
cd "$(dirname "$0")/.."
sh scripts/venv.sh dev
python=.venv/bin/python

$python -m ruff check .
$python -m ruff format --check .
$python -m mypy
.venv/bin/lint-imports
exec $python -m pytest -n auto --dist worksteal "$@"
