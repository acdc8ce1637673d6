#!/usr/bin/env bash
# Renders a page with curl: render.sh http://127.0.0.1:8080 out.png   (set OFFPRINT_TOKEN if the service requires a token)
set -euo pipefail
address=$1 output=$2
authorization=(${OFFPRINT_TOKEN:+-H "Authorization: Bearer $OFFPRINT_TOKEN"})
# Errors are problem details (RFC 9457) with a code and a sentence.
status=$(curl --silent --show-error --retry 3 --output "$output" --write-out '%{http_code}' "${authorization[@]}" \
  --header 'Content-Type: application/json' --data '{"html": "<h1>Hello</h1>", "width": 400, "scale": 2}' "$address/render")
if [ "$status" != 200 ]; then
  cat "$output" >&2
  rm "$output"
  exit 1
fi
