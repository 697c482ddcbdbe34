#!/bin/sh
# Shows the main job without any Paperless: needs Python 3.11 or newer and nothing else.
set -eu
cd "$(dirname "$0")/.."
. scripts/venv.sh
exec .venv/bin/python scripts/demo.py
