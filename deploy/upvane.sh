#!/bin/sh
# The operator's command on a host: the same program and configuration as the service.
# Installed as /usr/local/bin/upvane.
set -eu
UPVANE_ENV_FILE=${UPVANE_ENV_FILE:-/etc/upvane/upvane.env}
export UPVANE_ENV_FILE
exec /opt/upvane/node_modules/.bin/node /opt/upvane/src/main.ts "$@"
