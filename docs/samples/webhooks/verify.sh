#!/bin/sh
# verify.sh <webhook-id> <webhook-timestamp> <webhook-signature> < body
# Ends with 0 when the delivery is genuine. The key is an argument of openssl for a moment, where other users
# of the machine can see it: good for looking into a problem, not for a server.
set -euf
tolerance_seconds=300

key=$(printf %s "${UPVANE_WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \n')
if [ ${#key} -lt 48 ]; then # with an empty key anybody could sign
  echo 'UPVANE_WEBHOOK_SECRET must be a whsec_... secret' >&2
  exit 2
fi
case $2 in
  '' | *[!0-9]*) echo 'webhook-timestamp is no Unix time' >&2; exit 1 ;;
esac
age=$(($(date +%s) - $2))
if [ "$age" -gt $tolerance_seconds ] || [ "$age" -lt -$tolerance_seconds ]; then
  echo "signed $age s ago" >&2
  exit 1
fi

expected=v1,$({ printf '%s.%s.' "$1" "$2"; cat; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64)

# During a rotation there are several signatures, separated by blanks.
for given in $3; do
  if [ "$given" = "$expected" ]; then
    echo genuine
    exit 0
  fi
done
echo 'no signature matches' >&2
exit 1
