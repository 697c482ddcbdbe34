#!/bin/sh
# Paperless runs this after each document: PAPERLESS_POST_CONSUME_SCRIPT=/path/to/scripts/post-consume.sh
#
# It ends with 0 whatever happens, because Paperless calls the consumption failed otherwise; only the code of
# DEDUPE_NEXT_SCRIPT is passed on, if DEDUPE_NEXT_SCRIPT_EXIT_CODE asks for that.
# Python is that of a virtual environment .venv beside scripts/, else python3.

home=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
python=$home/.venv/bin/python
[ -x "$python" ] || python=python3

# -P: the directory that Paperless starts us in is no place to import from. -B: on a full disk Python leaves bytecode
# cut short, which ends every later run; scripts/venv.sh has compiled it.
start='import sys; sys.path.insert(0, sys.argv.pop(1)); from hook.post_consume import entry'
"$python" -B -P -c "$start; entry()" "$home" "$@"
code=$?

[ "$code" -eq 0 ] && exit 0
# Ours ends with 0, or with the code of the next script. Anything else is Python that could not start, or died.
if [ "$code" -lt 128 ] && "$python" -B -P -c "$start" "$home" 2>/dev/null; then
    exit "$code"
fi
echo "paperless-dedupe could not run ($python ended with $code): is it installed for this Python?" >&2
exit 0
