#!/bin/sh
# Backs up the database into a directory and keeps the newest few, each with its .json file. Run by upvane-backup.timer.
#
#   /opt/upvane/deploy/upvane-backup.sh [directory] [how many to keep]
set -eu
directory=${1:-/var/backups/upvane}
keep=${2:-7}
case $keep in
  '' | 0 | *[!0-9]*) echo 'upvane-backup: keep at least one backup' >&2; exit 2 ;;
esac

mkdir -p "$directory"
chmod 0700 "$directory"
${UPVANE:-/usr/local/bin/upvane} backup --scheduled "$directory/upvane-$(date -u +%Y-%m-%dT%H%M%S).dump"

# Only after a backup that worked, and only files of this name. A dump without .json is incomplete: it does not count.
complete=$(find "$directory" -maxdepth 1 -name 'upvane-????-??-??T??????.dump.json' | sort -r)
oldest=$(echo "$complete" | head -n "$keep" | tail -n 1)
find "$directory" -maxdepth 1 -name 'upvane-????-??-??T??????.dump' | while read -r dump; do
  if [ "$(printf '%s\n%s\n' "$dump.json" "$oldest" | sort | head -n 1)" != "$oldest" ]; then
    rm -f "$dump" "$dump.json"
  fi
done
