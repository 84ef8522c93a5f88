#!/bin/sh
# The program of the image, installed there as /usr/local/bin/upvane: for the service, and for commands in its container.
# Echo requests go through a part of Node that warns about itself.
exec /app/node_modules/.bin/node --disable-warning=ExperimentalWarning /app/src/main.ts "$@"
