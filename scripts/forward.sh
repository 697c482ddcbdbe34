#!/bin/sh
# Reports a consumed document to the service of paperless-dedupe, where Paperless sends it no webhooks:
# PAPERLESS_POST_CONSUME_SCRIPT=/path/to/forward.sh. Correct the two lines below; a script of your own may follow at the end.
# It takes at most 2 s and exits with 0. If the service cannot be reached, its sync finds the document.
service=http://dedupe:8642
secret=/run/secrets/dedupe_secret

printf 'X-Dedupe-Secret: %s' "$(cat "$secret")" |
    curl --silent --fail --max-time 2 --output /dev/null --header @- --data "doc_id=$DOCUMENT_ID" "$service/events" ||
    echo "paperless-dedupe: #$DOCUMENT_ID is examined by the next sync of the service" >&2
exit 0
