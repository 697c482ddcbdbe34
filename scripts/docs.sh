#!/bin/sh
# Builds the documentation site into site/, and checks its links and the spelling of every page and message.
#   sh scripts/docs.sh audit      looks the packages of all locks up in the advisory database instead; needs the network
set -eu
cd "$(dirname "$0")/.."
lock=requirements-docs.lock
if [ "$(cat .venv-docs/installed 2>/dev/null)" != "$(cksum $lock)" ]; then
    python=${PYTHON:-python3}
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11, 5))' ||
        { echo "The site needs Python 3.11.5 or newer: set PYTHON=/path/to/python3.12" >&2; exit 1; }
    "$python" -m venv --clear .venv-docs
    .venv-docs/bin/python -m pip install --quiet --no-deps --require-hashes --requirement $lock
    cksum $lock >.venv-docs/installed
fi
tools=.venv-docs/bin
[ "${1:-}" != tools ] || exit 0 # only installs them

if [ "${1:-}" = audit ]; then
    # diskcache's pickle: SECURITY.md says why it does not apply.
    for file in requirements.lock $lock; do
        $tools/pip-audit --strict --disable-pip --no-deps --require-hashes --requirement "$file" --ignore-vuln CVE-2025-69872
    done
    exit
fi
$tools/codespell ./*.md docs hook scripts/*.sh .github Dockerfile mkdocs.yml
NO_MKDOCS_2_WARNING=1 $tools/mkdocs build --quiet # strict: a link or an anchor that leads nowhere is an error
# Pictures and links in plain HTML, which mkdocs does not check; addresses on other servers are left out.
$tools/linkchecker --config .linkcheckerrc --no-status --no-warnings site/index.html
