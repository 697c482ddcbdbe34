#!/bin/sh
# Makes or updates .venv from a lock; quick when nothing changed. Needs Python 3.11 or newer, nothing else.
#
#   sh scripts/venv.sh            what the product needs
#   sh scripts/venv.sh ink        and what looks at pages
#   sh scripts/venv.sh semantic   what the product needs, and the local model of the semantic tier
#   sh scripts/venv.sh dev        all of these and the tests
#   sh scripts/venv.sh calibrate  and scripts/corpus/fit/trees.py
#   PYTHON=/path/to/python3.12    uses this Python
set -eu
case "$0" in
*venv.sh) cd "$(dirname "$0")/.." ;;
*) set -- ;; # sourced by another script, which has changed to the right directory
esac

runtime=requirements-runtime.lock
case "${1:-}" in # each lock contains the ones before it
"") locks=$runtime ;;
ink) locks="$runtime requirements-ink.lock" ;;
semantic) locks="$runtime requirements-semantic.lock" ;;
dev) locks="$runtime requirements-ink.lock requirements.lock" ;;
calibrate) locks="$runtime requirements-ink.lock requirements.lock requirements-calibrate.lock" ;;
*)
    echo "scripts/venv.sh: \"$1\" is not ink, semantic, dev or calibrate" >&2
    exit 2
    ;;
esac
lock=${locks##* }

usable() { # new enough and complete: Debian has ensurepip in a separate package
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
        "Install one (on Debian and Ubuntu: python3 and python3-venv), or set PYTHON=/path/to/python3.12" >&2
    return 1
}

state() { # what a .venv depends on, with its directory: a copied one still points to the old directory
    pwd
    cksum "$1" pyproject.toml
    # and with its Python: after an upgrade of the image, .venv/bin/python may be another one, without our packages
    .venv/bin/python -c 'import sys; print(sys.version, sys.prefix)'
}

current() { # what is imported here is compiled for one Python
    [ -f ".venv/$1.installed" ] && [ "$(cat ".venv/$1.installed")" = "$(state "$1")" ] &&
        .venv/bin/python -c 'import numpy, pydantic_core, rapidfuzz, hook.cli'
}

if ! current $lock 2>/dev/null; then
    echo "Installing $lock into .venv ..." >&2
    if ! current $runtime 2>/dev/null; then
        python=$(find_python)
        "$python" -m venv --clear .venv
    fi
    # --compile: the hook is a short process and may not be allowed to write bytecode.
    pip="env PIP_DISABLE_PIP_VERSION_CHECK=1 .venv/bin/python -m pip install --quiet --compile"
    # --no-deps: a lock is complete, and pip would take a newer release for a dependency with an extra, which has no hash here.
    $pip --no-deps --require-hashes --requirement $lock
    $pip --no-deps --no-build-isolation --editable .
    .venv/bin/python -m compileall -q dedupe_core hook
    for name in $locks; do state "$name" >".venv/$name.installed"; done
fi
