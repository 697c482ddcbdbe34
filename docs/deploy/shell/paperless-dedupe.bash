# bash completion for paperless-dedupe, written by `python -m scripts.maintain shell`
_paperless_dedupe() {
  local current=${COMP_WORDS[COMP_CWORD]} words
  if [ "$COMP_CWORD" -eq 1 ] || { [ "$COMP_CWORD" -eq 2 ] && [ "${COMP_WORDS[1]}" = help ]; }; then
    COMPREPLY=($(compgen -W "help setup check backfill pending report groups decisions stats undo adopt retract tune scan serve queue find explain --help --version" -- "$current"))
    return
  fi
  case ${COMP_WORDS[1]} in
    setup) words="--webhooks" ;;
    check) words="--full --repair --json -q --quiet" ;;
    backfill) words="-n --dry-run --sync --full --accept-deletions --index-only --examine-only --again --embeddings --rebuild --ink --since --limit --jobs --json -q --quiet -v --verbose" ;;
    pending) words="--json --csv" ;;
    report) words="--html -n --dry-run --limit -q --quiet --json" ;;
    groups) words="--json" ;;
    decisions) words="export import --json" ;;
    stats) words="--json" ;;
    undo) words="--json" ;;
    adopt) words="" ;;
    retract) words="--json -n --dry-run --lost-index --unrecorded-notes" ;;
    tune) words="--json" ;;
    scan) words="--index --recipe --policy --all --json --jobs -q --quiet" ;;
    serve) words="--report-only --webhooks" ;;
    queue) words="--retry --drop --json" ;;
    find) words="--text --overlap --contained-in --contains --similar --semantic --limit --index --json" ;;
    explain) words="--index --json" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _paperless_dedupe paperless-dedupe
