#!/bin/sh
# The operator's command on a host: the same program and configuration as the service.
# Installed as /usr/local/bin/upvane.
set -eu
UPVANE_ENV_FILE=${UPVANE_ENV_FILE:-/etc/upvane/upvane.env}
export UPVANE_ENV_FILE
# Backups and migrations run as the owner of the tables, whose address only root may read.
owner=/etc/upvane/secrets/migrate_database_url
if [ -z "${MIGRATE_DATABASE_URL:-}${MIGRATE_DATABASE_URL_FILE:-}" ] && [ -r "$owner" ] &&
  ! grep -qs '^[[:space:]]*MIGRATE_DATABASE_URL\(_FILE\)\{0,1\}=.' "$UPVANE_ENV_FILE"; then
  export MIGRATE_DATABASE_URL_FILE="$owner"
fi
# Echo requests go through a part of Node that warns about itself.
exec /opt/upvane/node_modules/.bin/node --disable-warning=ExperimentalWarning /opt/upvane/src/main.ts "$@"
