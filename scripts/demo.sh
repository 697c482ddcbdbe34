#!/bin/sh
# Demonstrates the product without Paperless. Needs only Python 3.11 or newer.
#   sh scripts/demo.sh --serve    ends with the review page, to be opened in a browser
set -eu
cd "$(dirname "$0")/.."
sh scripts/venv.sh
exec .venv/bin/python -m scripts.demo "$@"
