#!/bin/sh
# Creates every secret an installation needs, once: passwords of the accounts of PostgreSQL and NATS, the addresses
# that hold them, and the first master key. On an older installation it adds what is missing.
#
#   deploy/make-secrets.sh <directory> [database host:port] [nats host:port]
set -eu

directory=${1:?usage: make-secrets.sh <directory> [database host:port] [nats host:port]}
database=${2:-127.0.0.1:5432}
nats=${3:-127.0.0.1:4222}

if [ -e "$directory/master_keys" ] && [ -e "$directory/nats_users.conf" ]; then
  echo "$directory has secrets already. A new master key would make stored secrets unreadable." >&2
  exit 1
fi

# The directory is closed; what is in it can be lent to a container file by file.
mkdir -p "$directory"
chmod 0750 "$directory"
umask 0222

make_database_secrets() {
  owner_password=$(openssl rand -hex 24)
  service_password=$(openssl rand -hex 24)
  openssl rand -hex 24 >"$directory/postgres_password"
  echo "postgres://upvane:$service_password@$database/upvane" >"$directory/database_url"
  echo "postgres://upvane_owner:$owner_password@$database/upvane" >"$directory/migrate_database_url"
  echo "$(date -u +%Y%m%d):$(openssl rand -base64 32)" >"$directory/master_keys"
  cat >"$directory/roles.sql" <<SQL
\set ON_ERROR_STOP on
create role upvane_owner login createrole password '$owner_password';
create role upvane login noinherit password '$service_password';
-- Managed PostgreSQL has no superuser: an administrator can give a database only to a role of their own.
grant upvane_owner to current_user;
create database upvane owner upvane_owner template template0 encoding 'UTF8' locale 'C.UTF-8';
revoke all on database upvane from public;
grant connect on database upvane to upvane;
SQL
}

# Only needed where roles run in separate processes. The service may use every subject of Upvane; a probe receives
# jobs, announces itself and replies, and cannot send jobs.
make_nats_secrets() {
  nats_password=$(openssl rand -hex 24)
  nats_probe_password=$(openssl rand -hex 24)
  echo "nats://upvane:$nats_password@$nats" >"$directory/nats_url"
  echo "nats://probe:$nats_probe_password@$nats" >"$directory/nats_probe_url"
  cat >"$directory/nats_users.conf" <<CONF
authorization {
  timeout: 3
  users: [
    {
      user: "upvane"
      password: "$nats_password"
      permissions: { publish: ["upvane.>"], subscribe: ["upvane.>"] }
    }
    {
      user: "probe"
      password: "$nats_probe_password"
      permissions: {
        subscribe: ["upvane.jobs.* probes", "upvane.inbox.probe.>"]
        publish: ["upvane.probes.*.*"]
        allow_responses: { max: 101, expires: "5m" }
      }
    }
  ]
}
CONF
}

[ -e "$directory/master_keys" ] || make_database_secrets
[ -e "$directory/nats_users.conf" ] || make_nats_secrets

echo "Written to $directory. Keep a copy of master_keys apart from the database's backups."
