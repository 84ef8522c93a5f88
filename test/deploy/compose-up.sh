#!/usr/bin/env bash
# Runs in with-podman.sh.
set -euo pipefail

# podman relies on systemd to run its health checks, and there is none here.
while sleep 1; do podman healthcheck run upvane-postgres-1 || true; done >/dev/null 2>&1 &

compose=("$COMPOSE" -p upvane -f deploy/compose.yaml)
if ! timeout 150 "${compose[@]}" up --no-build --detach 2>up.log; then
  cat up.log service.log >&2
  podman logs upvane-postgres-1 >&2 || true
  podman logs upvane-migrate-1 >&2 || true
  podman logs upvane-backup-1 >&2 || true
  exit 1
fi
status=000
for _ in $(seq 120); do
  status=$(curl -s -o page.html -w '%{http_code}' http://127.0.0.1:8080/ || true)
  [ "$status" != 200 ] || break
  sleep 0.5
done
echo "page: $status"
cat page.html
podman healthcheck run upvane-upvane-1 >/dev/null || true
echo "health: $(podman inspect --format '{{.State.Health.Status}}' upvane-upvane-1)"
"${compose[@]}" logs --no-color upvane | grep '"link"'
# Commands of the documents. None of them may read the others.
for block in documented-*.sh; do
  # The guide names a backup of another night.
  newest=$(find backups -name '*.dump' -printf '%f\n' 2>/dev/null | sort | tail -n 1 || true)
  commands=$(sed "s/upvane-2026-01-31T031500.dump/$newest/" "$block")
  # "With an authority of your own."
  [[ $commands != *'nats setup'* ]] || echo NATS_CA_FILE=/etc/upvane/nats/ca.pem >>deploy/upvane.env
  set +e
  (set -e; eval "$commands") </dev/null 2>&1
  code=$?
  set -e
  echo "code $code: $(tail -n 1 "$block")"
done
for _ in $(seq 120); do
  status=$(curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1:8080/ || true)
  [ "$status" != 200 ] || break
  sleep 0.5
done
echo "page after the restore: $status"
ls backups | sed 's/^/copied: /'
# A probe on another machine, by the token of the documents.
podman run --detach --name far --network upvane_default --volume "$PWD/token:/token:ro" \
  "$UPVANE_IMAGE" probe join --token-file /token >/dev/null
for _ in $(seq 60); do
  probes=$(docker compose -p upvane -f deploy/compose.yaml exec -T upvane upvane probe list --json </dev/null || true)
  [[ ! $probes =~ '"us-east-1"'[^}]+'"isLive":true' ]] || break
  sleep 1
done
echo "probes: $probes"
docker compose -p upvane -f deploy/compose.yaml exec -T upvane upvane doctor </dev/null || true
podman rm --force --time 5 far >/dev/null
"${compose[@]}" -f deploy/compose.nats.yaml down 2>/dev/null
echo "after down: $(podman ps --all --quiet | wc -l) containers"
