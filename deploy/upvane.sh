#!/bin/sh
# The operator's command on a host: the same program and configuration as the service.
# Installed as /usr/local/bin/upvane.
set -eu
set -a
. /etc/upvane/upvane.env
set +a
exec /opt/upvane/node_modules/.bin/node /opt/upvane/src/main.ts "$@"
