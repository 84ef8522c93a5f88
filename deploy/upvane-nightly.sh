#!/bin/sh
# A backup every night at 03:15 UTC, in a container, where no systemd runs upvane-backup.timer. Its arguments are those of
# upvane-backup.sh.
set -u
day=86400
at=11700
trap 'exit 0' TERM INT
while :; do
  sleep $((day - ($(date -u +%s) - at) % day)) &
  wait $!
  "$(dirname "$0")/upvane-backup.sh" "$@" || echo 'upvane-nightly: no backup tonight, see above' >&2
done
