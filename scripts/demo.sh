#!/bin/sh
# Demonstrates the product without Paperless. Needs only Python 3.11 or newer.
set -eu
cd "$(dirname "$0")/.."
. scripts/venv.sh
exec .venv/bin/python scripts/demo.py
