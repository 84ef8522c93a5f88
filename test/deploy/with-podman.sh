#!/usr/bin/env bash
# Runs a command in the namespaces it was started in (unshare --net --mount --pid), with a podman that Compose can use.
# Everything ends with it.
set -euo pipefail

ip link set lo up
umount -R /sys
mount -t sysfs none /sys
# crun refuses mixed cgroup hierarchies.
mount -t cgroup2 none /sys/fs/cgroup
mount -t tmpfs none /run
mkdir /run/netns
export DOCKER_HOST=unix:///run/podman.sock
podman system service --time=0 "$DOCKER_HOST" 2>service.log &
until [ -S /run/podman.sock ]; do sleep 0.1; done
# What the documents call it.
docker() { "$COMPOSE" "${@:2}"; }
export -f docker
"$@"
