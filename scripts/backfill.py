"""`paperless-dedupe backfill` for those who call scripts by their path: .venv/bin/python scripts/backfill.py --examine-only."""

import sys

from hook.cli import main

if __name__ == "__main__":
    sys.exit(main(["backfill", *sys.argv[1:]]))
