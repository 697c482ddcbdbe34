#!/bin/sh
# Paperless runs this after each document: PAPERLESS_POST_CONSUME_SCRIPT=/path/to/scripts/post-consume.sh
#
# It exits with 0 whatever happens; otherwise Paperless would report that consuming the document failed.
# It uses the Python of the virtual environment .venv beside scripts/. Installed with pipx, uv or pip it is the command
# paperless-dedupe-hook, and uses the Python beside it. Without either it uses python3.

here=$(dirname -- "$(readlink -f -- "$0")")
home=$(dirname -- "$here")
python=$home/.venv/bin/python
[ -x "$python" ] || python=$here/python
[ -x "$python" ] || python=python3

# -P: do not import from the working directory, which Paperless chooses. -B: on a full disk Python leaves truncated
# bytecode, which makes every later run fail; scripts/venv.sh has compiled it.
"$python" -B -P -c 'import sys; sys.path.insert(0, sys.argv.pop(1)); from hook.start import entry; entry()' "$home" "$@"
code=$?

[ "$code" -eq 0 ] && exit 0
# Python could not start or crashed. The event is kept for the next run that works: its file name is all there is to it (hook/queue.py).
case ${DOCUMENT_ID:-} in
'' | 0* | *[!0-9]* | ???????????*) ;;
*)
    index=${DEDUPE_INDEX_DIR:-}
    [ -n "$index" ] || { [ -d /usr/src/paperless/data ] && index=/usr/src/paperless/data/dedupe; } ||
        index=${HOME:-$(getent passwd "$(id -u)" | cut -d: -f6)}/.local/share/paperless-dedupe
    umask 077
    [ ! -d "$index/queue" ] || : >>"$index/queue/$DOCUMENT_ID"
    ;;
esac
echo "paperless-dedupe could not run ($python exited with $code): is it installed for this Python?" >&2
exit 0
