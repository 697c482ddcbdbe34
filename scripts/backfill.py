"""`paperless-dedupe backfill` for those who call scripts by their path; the options are the same."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from hook.cli import main  # found through the line above

if __name__ == "__main__":
    sys.exit(main(["backfill", *sys.argv[1:]]))
