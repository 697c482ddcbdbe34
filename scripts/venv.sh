#!/bin/sh
# Makes or updates .venv from a lock; quick when nothing changed. Needs Python 3.11 or newer, nothing else.
#
#   sh scripts/venv.sh            what the product needs
#   sh scripts/venv.sh dev        and what its tests need
#   PYTHON=/path/to/python3.12    takes that one
set -eu
case "$0" in
*venv.sh) cd "$(dirname "$0")/.." ;;
*) set -- ;; # read by another script, which is in the right place already
esac

runtime=requirements-runtime.lock
lock=$runtime
[ "${1:-}" = dev ] && lock=requirements.lock

usable() { # new enough, and with all its parts: Debian keeps ensurepip in a package of its own
    "$1" -c 'import sys, ensurepip, sqlite3, ssl, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

find_python() {
    if [ -n "${PYTHON:-}" ]; then
        set -- "$PYTHON"
    else
        set -- python3 python3.13 python3.12 python3.11 python3.14 "${HOME:-}"/.pyenv/versions/3.1[1-9]*/bin/python3
    fi
    for candidate; do
        if usable "$candidate"; then
            echo "$candidate"
            return
        fi
    done
    echo "None of these is a complete Python 3.11 or newer: $*." \
        "Install one (on Debian and Ubuntu: python3 and python3-venv), or name it: PYTHON=/path/to/python3.12" >&2
    return 1
}

state() { # what a .venv depends on, with its own place: a copied one still points to the old place
    pwd
    cksum "$1" pyproject.toml
}

current() {
    [ -f ".venv/$1.installed" ] && [ "$(cat ".venv/$1.installed")" = "$(state "$1")" ] && .venv/bin/python -c ''
}

if ! current $lock 2>/dev/null; then
    echo "Installing $lock into .venv ..." >&2
    if ! current $runtime 2>/dev/null; then
        python=$(find_python)
        "$python" -m venv --clear .venv
    fi
    # --compile: bytecode is made now, because the hook is a short process and may not be allowed to write it.
    pip="env PIP_DISABLE_PIP_VERSION_CHECK=1 .venv/bin/python -m pip install --quiet --compile"
    $pip --require-hashes --requirement $lock
    $pip --no-deps --no-build-isolation --editable .
    .venv/bin/python -m compileall -q dedupe_core hook
    for name in $runtime $lock; do state "$name" >".venv/$name.installed"; done # the larger holds the smaller
fi
