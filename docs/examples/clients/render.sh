#!/usr/bin/env bash
# Renders a page with curl: render.sh http://127.0.0.1:8080 out.png   (set OFFPRINT_TOKEN if the service requires a token)
# Signs a URL:              OFFPRINT_KEY='name secret' render.sh sign /render/card.png title=Hello
set -euo pipefail

# The text with all but unreserved characters percent-encoded (RFC 3986).
quote() {
  local LC_ALL=C text=$1 byte
  for ((i = 0; i < ${#text}; i++)); do
    byte=${text:i:1}
    case $byte in [A-Za-z0-9._~-]) printf %s "$byte" ;; *) printf '%%%02X' "'$byte" ;; esac
  done
}

# The path with its parameters and a signature.
sign() {
  local path=$1 name=${OFFPRINT_KEY%% *} secret=${OFFPRINT_KEY#* } query code
  shift
  query=$(for pair in "$@" "key=$name"; do echo "$(quote "${pair%%=*}")=$(quote "${pair#*=}")"; done | LC_ALL=C sort --stable -t= -k1,1 | paste -sd '&')
  code=$(printf 'offprint-address-1\n%s\n%s' "$path" "$query" | openssl dgst -sha256 -hmac "$secret" -binary | base64 | tr '+/' '-_' | tr -d '=')
  echo "$path?$query&signature=$code"
}

if [ "$1" = sign ]; then
  sign "${@:2}"
  exit
fi
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
