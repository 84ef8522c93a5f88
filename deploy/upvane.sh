#!/bin/sh
# The operator's command on a host: the same program and configuration as the service.
# Installed as /usr/local/bin/upvane.
set -eu
UPVANE_ENV_FILE=${UPVANE_ENV_FILE:-/etc/upvane/upvane.env}
export UPVANE_ENV_FILE
# Echo requests go through a part of Node that warns about itself.
exec /opt/upvane/node_modules/.bin/node --disable-warning=ExperimentalWarning /opt/upvane/src/main.ts "$@"
